#ifndef CLOAK_APPS_CLI_WRAPPED_TEXT_H_
#define CLOAK_APPS_CLI_WRAPPED_TEXT_H_

#include <cstddef>
#include <string>

namespace cloak {

inline constexpr size_t kTerminalColumns = 79;

// `text` broken at spaces into lines of at most `width` bytes, where words
// allow it. Newlines in it stay.
std::string WrappedText(const std::string& text, size_t width);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_WRAPPED_TEXT_H_
