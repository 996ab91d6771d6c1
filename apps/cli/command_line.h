#ifndef CLOAK_APPS_CLI_COMMAND_LINE_H_
#define CLOAK_APPS_CLI_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/description.h"

namespace cloak {

// `args` without the name of the program. Throws InvalidInput, with a hint on
// a second line, for what the definitions do not allow.
Arguments ParseCommandLine(const std::vector<std::string>& args);

ProgramDescription DescribeProgram();

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_COMMAND_LINE_H_
