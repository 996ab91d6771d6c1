#include "apps/cli/wrapped_text.h"

#include <vector>

#include "cloak/base/text.h"

namespace cloak {
namespace {

std::string WrappedLine(const std::string& line, size_t width) {
  std::string wrapped;
  size_t column = 0;
  for (const std::string& word : Split(line, ' ')) {
    if (wrapped.empty()) {
      column = word.size();
    } else if (column + 1 + word.size() <= width) {
      wrapped += ' ';
      column += 1 + word.size();
    } else {
      wrapped += '\n';
      column = word.size();
    }
    wrapped += word;
  }
  return wrapped;
}

}  // namespace

std::string WrappedText(const std::string& text, size_t width) {
  std::vector<std::string> lines = Split(text, '\n');
  for (std::string& line : lines) line = WrappedLine(line, width);
  return Join(lines, "\n");
}

}  // namespace cloak
