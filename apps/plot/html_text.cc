#include "apps/plot/html_text.h"

namespace cloak {

std::string EscapeHtml(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default: {
        const auto byte = static_cast<unsigned char>(c);
        escaped += byte < 0x20 || byte == 0x7f ? ' ' : c;
      }
    }
  }
  return escaped;
}

std::string Shortened(std::string_view text, int characters) {
  int seen = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    // Bytes 10xxxxxx continue a character; a cut may only come before others.
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (starts && seen++ == characters) {
      return std::string(text.substr(0, i)) + "…";
    }
  }
  return std::string(text);
}

}  // namespace cloak
