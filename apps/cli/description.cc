#include "apps/cli/description.h"

#include "cloak/base/text.h"

namespace cloak {

std::vector<std::string> OptionDescription::Choices() const {
  if (value.find('|') == std::string::npos) return {};
  return Split(value, '|');
}

bool OptionDescription::IsFile() const {
  return value.find('.') != std::string::npos;
}

std::vector<FooterPart> FooterParts(const std::string& footer) {
  std::vector<FooterPart> parts;
  for (const std::string& line : Split(footer, '\n')) {
    if (line.empty()) continue;
    if (line.front() != ' ') {
      parts.push_back({line.substr(0, line.find(':')), {}});
    } else if (!parts.empty()) {
      parts.back().lines.push_back(line.substr(line.find_first_not_of(' ')));
    }
  }
  return parts;
}

}  // namespace cloak
