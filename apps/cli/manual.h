#ifndef CLOAK_APPS_CLI_MANUAL_H_
#define CLOAK_APPS_CLI_MANUAL_H_

#include <string>

#include "apps/cli/description.h"

namespace cloak {

// Returns the manual page, for man(1).
std::string ManualPage(const ProgramDescription& program);

// Returns the commands and their options as tables in Markdown.
std::string MarkdownPage(const ProgramDescription& program);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_MANUAL_H_
