#ifndef CLOAK_APPS_CLI_PRINTABLE_H_
#define CLOAK_APPS_CLI_PRINTABLE_H_

#include <string>
#include <string_view>

namespace cloak {

// `text` that is safe on a terminal: control characters other than newline,
// those that turn the direction of writing, and bytes that are not UTF-8 become
// '?'. Names in a release from a stranger must not move the cursor,
// change the title or answer for the user.
std::string Printable(std::string_view text);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_PRINTABLE_H_
