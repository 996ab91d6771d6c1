#include "apps/cli/printable.h"

namespace cloak {

std::string Printable(std::string_view text) {
  std::string printable(text);
  for (size_t i = 0; i < printable.size(); ++i) {
    const auto byte = static_cast<unsigned char>(printable[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) {
      printable[i] = '?';
    } else if (byte == 0xc2 && i + 1 < printable.size() &&
               (static_cast<unsigned char>(printable[i + 1]) & 0xe0) == 0x80) {
      // U+0080 to U+009F, which some terminals obey as well.
      printable.replace(i, 2, 1, '?');
    }
  }
  return printable;
}

}  // namespace cloak
