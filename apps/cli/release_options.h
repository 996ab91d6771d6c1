#ifndef CLOAK_APPS_CLI_RELEASE_OPTIONS_H_
#define CLOAK_APPS_CLI_RELEASE_OPTIONS_H_

#include <string>

#include "apps/cli/arguments.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}  // namespace CLI

namespace cloak {

// Options of commands that have to do with a release: made, chosen or audited.

// Which columns, what of them is protected, and what is known of them.
void AddMissingValues(CLI::App* command, std::optional<std::string>& values);
void AddTableOptions(CLI::App* command, ReleaseArguments& release);
// A model, of which each option may have alternatives in braces.
void AddCandidateOptions(CLI::App* command, ModelArguments& model);
// What decides a release.
void AddReleaseOptions(CLI::App* command, ReleaseArguments& release);
void AddWorkOptions(CLI::App* command, ReleaseArguments& release);
void AddLedgerOptions(CLI::App* command, ReleaseArguments& release);

// The options of a model alone, from a line of a grid. Throws InvalidInput for
// anything else.
ModelArguments ParseModel(const std::string& line);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_OPTIONS_H_
