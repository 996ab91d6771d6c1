#include "apps/cli/description.h"

#include "cloak/base/text.h"

namespace cloak {
namespace {

// Of lines under a heading; what stands deeper continues the line before.
constexpr size_t kIndent = 2;

}  // namespace

std::vector<std::string> OptionDescription::Choices() const {
  if (value.find('|') == std::string::npos) return {};
  return Split(value, '|');
}

bool OptionDescription::IsFile() const {
  return value.find('.') != std::string::npos || value == "LEDGER";
}

std::vector<FooterPart> FooterParts(const std::string& footer) {
  std::vector<FooterPart> parts;
  for (const std::string& line : Split(footer, '\n')) {
    if (line.empty()) continue;
    if (line.front() != ' ') {
      parts.push_back({line.substr(0, line.find(':')), {}});
    } else if (!parts.empty()) {
      parts.back().lines.push_back(line.substr(kIndent));
    }
  }
  return parts;
}

}  // namespace cloak
