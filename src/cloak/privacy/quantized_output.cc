#include "cloak/privacy/quantized_output.h"

#include <algorithm>
#include <cmath>

namespace cloak {

int32_t QuantizeOutput(double output, const OutputBounds& bounds) {
  const double number = std::isnan(output) ? bounds.middle() : output;
  const double clipped = std::clamp(number, bounds.lower(), bounds.upper());
  const double scaled =
      (clipped - bounds.lower()) / bounds.width() * (2.0 * kHalfOutput);
  return static_cast<int32_t>(
      std::clamp<int64_t>(std::llround(scaled), 0, int64_t{2} * kHalfOutput) -
      kHalfOutput);
}

}  // namespace cloak
