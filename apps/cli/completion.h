#ifndef CLOAK_APPS_CLI_COMPLETION_H_
#define CLOAK_APPS_CLI_COMPLETION_H_

#include <string>

#include "apps/cli/description.h"

namespace cloak {

// The completion script for "bash", "zsh" or "fish"; throws InvalidInput for
// another shell.
std::string CompletionScript(const ProgramDescription& program,
                             const std::string& shell);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_COMPLETION_H_
