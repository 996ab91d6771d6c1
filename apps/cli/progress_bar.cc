#include "apps/cli/progress_bar.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr int kCells = 24;
// Back to the beginning of the line, and clear it.
constexpr char kClearLine[] = "\r\x1b[K";

std::string ProgressLine(std::string_view stage, double fraction) {
  if (!std::isfinite(fraction)) fraction = 0;
  fraction = std::clamp(fraction, 0.0, 1.0);
  const int full = static_cast<int>(fraction * kCells);
  std::string bar;
  for (int i = 0; i < kCells; ++i) bar += i < full ? "█" : "░";
  const std::string percent = std::to_string(static_cast<int>(fraction * 100));
  return Text(bar, " ", std::string(3 - percent.size(), ' '), percent, " % ",
              stage);
}

}  // namespace

ProgressBar::ProgressBar(std::ostream& terminal, bool enabled)
    : terminal_(terminal), enabled_(enabled) {}

ProgressBar::~ProgressBar() { Erase(); }

void ProgressBar::Show(std::string_view stage, double fraction) {
  if (!enabled_) return;
  std::string line = ProgressLine(stage, fraction);
  if (line == line_) return;
  line_ = std::move(line);
  terminal_ << kClearLine << line_ << std::flush;
}

void ProgressBar::Erase() {
  if (line_.empty()) return;
  line_.clear();
  terminal_ << kClearLine << std::flush;
}

}  // namespace cloak
