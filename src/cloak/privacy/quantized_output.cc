#include "cloak/privacy/quantized_output.h"

#include <algorithm>
#include <cmath>

namespace cloak {

int32_t QuantizeOutput(double output, const OutputBounds& bounds) {
  // Exactly: the middle of narrow bounds need not be a double.
  if (std::isnan(output)) return 0;
  const double clipped = std::clamp(output, bounds.lower(), bounds.upper());
  const double scaled =
      (clipped - bounds.lower()) / bounds.width() * (2.0 * kHalfOutput);
  return static_cast<int32_t>(
      std::clamp<int64_t>(std::llround(scaled), 0, int64_t{2} * kHalfOutput) -
      kHalfOutput);
}

}  // namespace cloak
