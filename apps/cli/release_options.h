#ifndef CLOAK_APPS_CLI_RELEASE_OPTIONS_H_
#define CLOAK_APPS_CLI_RELEASE_OPTIONS_H_

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/release_place.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}  // namespace CLI

namespace cloak {

// The options of the commands that have to do with a release. All that the
// program knows of an option stands in one table: what parses it, its help, the
// manual, completion, docs, and what is said where it does not belong.

// Sets of commands: bits.
enum CommandBits : unsigned { kRelease = 1, kSelect = 2, kAudit = 4 };

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

  ReleaseOption& Of(unsigned of_commands) {
    commands = of_commands;
    return *this;
  }
  ReleaseOption& In(std::vector<Place> in_places) {
    places = std::move(in_places);
    return *this;
  }
  ReleaseOption& Called(const std::string& name_in_messages) {
    called = name_in_messages;
    return *this;
  }
};

const std::vector<ReleaseOption>& ReleaseOptions();

// Add the options that a command has to it, those of a model alone, whose
// values may be alternatives in braces, and --missing-values.
void AddReleaseOptions(CLI::App* app, unsigned command,
                       ReleaseArguments& arguments);
void AddModelOptions(CLI::App* app, ReleaseArguments& arguments);
void AddMissingValues(CLI::App* app, std::optional<std::string>& values);

// Returns whether the option was given, other than as what it is by default.
bool IsGiven(const ReleaseOption& option, const ReleaseArguments& arguments);

// Return and change the value of an option that is no flag; an option that is
// not given has an empty value.
std::string ValueOf(const ReleaseOption& option,
                    const ReleaseArguments& arguments);
void SetValue(const ReleaseOption& option, const std::string& value,
              ReleaseArguments& arguments);

// Returns a message of the library with how to say on the command line what it
// speaks of: "…\n(--kernel and --noise-variance)".
std::string WithOptionNames(const std::string& message);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_OPTIONS_H_
