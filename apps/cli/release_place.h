#ifndef CLOAK_APPS_CLI_RELEASE_PLACE_H_
#define CLOAK_APPS_CLI_RELEASE_PLACE_H_

#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "cloak/release/names.h"

namespace cloak {

struct ReleaseOption;

// Sets of tasks and of promises: bits.
template <typename Kind>
constexpr unsigned Bit(Kind kind) {
  return 1U << static_cast<unsigned>(kind);
}
inline constexpr unsigned kAnyTask = ~0U;
inline constexpr unsigned kAnyProtection = ~0U;

// Releases that an option, or a method, belongs to: those of these tasks, with
// these promises, by one of these methods (by any, when none is named).
struct Place {
  unsigned tasks = kAnyTask;
  unsigned protect = kAnyProtection;
  std::vector<std::string> methods = {};
};

// Return what the arguments name. Throw InvalidInput unless it is said what is
// private.
TaskKind TaskOf(const ReleaseArguments& arguments);
Protection ProtectOf(const ReleaseArguments& arguments);

// Returns the names of the methods of a task with a promise; none where it
// cannot be kept.
std::vector<std::string> MethodsOf(TaskKind task, Protection protect);

// Throws InvalidInput for a task, a promise, a method or an option of a release
// that does not belong to the others, and says where it does.
void RequireBelonging(const ReleaseArguments& arguments);
// Does so for the options that `select` has beside those of its candidates.
void RequireSelectBelonging(const SelectArguments& arguments);

// Returns in words where an option belongs, "--task svm"; empty for anywhere.
std::string PlacesText(const ReleaseOption& option);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_PLACE_H_
