#ifndef CLOAK_APPS_CLI_RELEASE_OPTIONS_H_
#define CLOAK_APPS_CLI_RELEASE_OPTIONS_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apps/cli/arguments.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}  // namespace CLI

namespace cloak {

// The options of the commands that have to do with a release. All that the
// program knows of an option stands in one table: what parses it, its help, the
// manual, completion, docs, and what is said where it does not belong.

// Sets of commands, of tasks and of promises: bits.
enum CommandBits : unsigned { kRelease = 1, kSelect = 2, kAudit = 4 };
enum TaskBits : unsigned {
  kRegression = 1,
  kClassification = 2,
  kSvm = 4,
  kHistogram = 8,
  kDensity = 16,
  kAnyTask = 31
};
enum ProtectBits : unsigned { kOutputs = 1, kRows = 2, kAnyProtection = 3 };

// Releases that an option, or a method, belongs to: those of these tasks, with
// these promises, by one of these methods (by any, when none is named).
struct Place {
  unsigned tasks = kAnyTask;
  unsigned protect = kAnyProtection;
  std::vector<std::string> methods = {};
};

struct ReleaseOption {
  using Member =
      std::variant<std::optional<std::string> ReleaseArguments::*,
                   std::string ReleaseArguments::*, bool ReleaseArguments::*>;

  std::string name;
  // Where its value goes; a bool is a flag.
  Member member;
  // Stands for the value in help: a|b lists all there are.
  std::string value;
  std::string help;
  unsigned commands = kRelease | kAudit;
  std::vector<Place> places = {Place{}};
  // One of those that describe a model, which `select` chooses.
  bool model = false;
  // What the library calls it in its messages; empty where it never does.
  std::string called = {};
};

const std::vector<ReleaseOption>& ReleaseOptions();

// Adds the options that a command has to it, and those of a model alone.
void AddReleaseOptions(CLI::App* app, unsigned command,
                       ReleaseArguments& arguments);
void AddMissingValues(CLI::App* app, std::optional<std::string>& values);

// Returns whether the option was given, other than as what it is by default.
bool IsGiven(const ReleaseOption& option, const ReleaseArguments& arguments);

// Return and change the value of an option that is no flag; an option that is
// not given has an empty value.
std::string ValueOf(const ReleaseOption& option,
                    const ReleaseArguments& arguments);
void SetValue(const ReleaseOption& option, const std::string& value,
              ReleaseArguments& arguments);

// Throws InvalidInput for a task, a promise, a method or an option of a release
// that does not belong to the others, and says where it does.
void RequireBelonging(const ReleaseArguments& arguments);
// Does so for the options that `select` has beside those of its candidates.
void RequireSelectBelonging(const SelectArguments& arguments);

// Returns in words where an option belongs, "--task svm"; empty for anywhere.
std::string PlacesText(const ReleaseOption& option);

// Returns the bit of the task, and of the promise. Throws InvalidInput unless
// it is said what is private.
TaskBits TaskOf(const ReleaseArguments& arguments);
ProtectBits ProtectOf(const ReleaseArguments& arguments);

// Returns a message of the library with how to say on the command line what it
// speaks of: "…\n(--kernel and --noise-variance)".
std::string WithOptionNames(const std::string& message);

// Returns the options of a model alone, from a line of a grid. Throws
// InvalidInput for anything else.
ReleaseArguments ParseModel(const std::string& line);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_OPTIONS_H_
