#include "apps/cli/printable.h"

#include <array>
#include <utility>

#include "cloak/data/utf8.h"

namespace cloak {
namespace {

// Characters that terminals obey or that turn the order of others around, so
// that what is read is not what is there: controls, marks of direction, line
// and paragraph separators, and what is invisible at the beginning of a file.
constexpr std::array<std::pair<char32_t, char32_t>, 8> kUnprintable = {{
    {0x00, 0x1f},
    {0x7f, 0x9f},
    {0x61c, 0x61c},
    {0x200b, 0x200b},
    {0x200e, 0x200f},
    {0x2028, 0x202e},
    {0x2066, 0x2069},
    {0xfeff, 0xfeff},
}};

bool IsUnprintable(char32_t character) {
  if (character == '\n') return false;
  for (const auto& [first, last] : kUnprintable) {
    if (first <= character && character <= last) return true;
  }
  return false;
}

// The character that valid UTF-8 begins with, and its length.
std::pair<char32_t, size_t> FirstCharacter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  char32_t character = first & (0xff >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    character = (character << 6) | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  return {character, length};
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string printable;
  while (!text.empty()) {
    std::string_view valid = text.substr(0, FirstInvalidUtf8(text));
    text.remove_prefix(valid.size());
    while (!valid.empty()) {
      const auto [character, length] = FirstCharacter(valid);
      if (IsUnprintable(character)) {
        printable += '?';
      } else {
        printable += valid.substr(0, length);
      }
      valid.remove_prefix(length);
    }
    if (text.empty()) break;
    printable += '?';
    text.remove_prefix(1);
  }
  return printable;
}

}  // namespace cloak
