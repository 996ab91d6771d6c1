#ifndef CLOAK_APPS_PLOT_TICKS_H_
#define CLOAK_APPS_PLOT_TICKS_H_

#include <cstddef>
#include <string>
#include <vector>

namespace cloak {

struct Ticks {
  double step = 0;
  std::vector<double> values;
  // What stands beside each of them; when empty, the value itself.
  std::vector<std::string> labels;
};

// The multiples of 1, 2 or 5 times a power of ten that lie in [lower, upper],
// about `count` of them. Empty unless both are finite and lower < upper.
Ticks NiceTicks(double lower, double upper, int count);

// For an axis of log10(value): 1, 2 and 5 times the powers of ten that lie in
// [lower, upper], as logarithms, labelled with the values.
Ticks LogTicks(double lower, double upper);

// The label of the k-th tick, with a real minus sign.
std::string TickLabel(const Ticks& ticks, size_t k);

// A tick with the decimals its step needs: 0.50 beside 0.25, but 100 beside
// 200.
std::string TickText(double value, double step);

}  // namespace cloak

#endif  // CLOAK_APPS_PLOT_TICKS_H_
