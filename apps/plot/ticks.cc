#include "apps/plot/ticks.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr double kLargestPlain = 1e7;
constexpr double kSmallestPlain = 1e-4;

}  // namespace

Ticks NiceTicks(double lower, double upper, int count) {
  Ticks ticks;
  const double raw = (upper - lower) / std::max(count, 1);
  if (!std::isfinite(raw) || !std::isnormal(raw) || raw < 0) return ticks;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  if (!std::isnormal(power)) return ticks;
  for (const double multiple : {1.0, 2.0, 5.0, 10.0}) {
    ticks.step = multiple * power;
    // Steps of 2 serve a span a little too long for them better than 5 do.
    if (ticks.step >= 0.75 * raw) break;
  }
  const double first = std::ceil(lower / ticks.step - 1e-9);
  const double last = std::floor(upper / ticks.step + 1e-9);
  // A span far smaller than its distance from 0 has no ticks a double can
  // tell apart.
  if (std::max(std::abs(first), std::abs(last)) > 1e12) return ticks;
  for (double k = first; k <= last; ++k) {
    ticks.values.push_back(k * ticks.step);
  }
  return ticks;
}

Ticks LogTicks(double lower, double upper) {
  Ticks ticks;
  if (!(lower < upper && lower > -300 && upper < 300)) return ticks;
  for (double power = std::floor(lower); power <= upper; ++power) {
    for (const double multiple : {1.0, 2.0, 5.0}) {
      const double at = power + std::log10(multiple);
      if (at < lower - 1e-9 || at > upper + 1e-9) continue;
      ticks.values.push_back(at);
      ticks.labels.push_back(FigureText(multiple * std::pow(10.0, power)));
    }
  }
  return ticks;
}

std::string TickLabel(const Ticks& ticks, size_t k) {
  std::string text = ticks.labels.empty()
                         ? TickText(ticks.values[k], ticks.step)
                         : ticks.labels[k];
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

std::string TickText(double value, double step) {
  if (std::abs(value) < step * 1e-6) return "0";
  if (std::abs(value) >= kLargestPlain || step < kSmallestPlain) {
    return RoundedText(value, 6);
  }
  const int decimals = static_cast<int>(-std::floor(std::log10(step) + 1e-9));
  return FixedText(value, std::max(decimals, 0));
}

}  // namespace cloak
