#include "cloak/linalg/spread_points.h"

#include <cmath>

namespace cloak {

Matrix SpreadPoints(const Vector& lower, const Vector& upper, Index count) {
  const Index inputs = lower.size();
  double g = 2;
  for (int step = 0; step < 60; ++step) {
    g = std::pow(1 + g, 1 / static_cast<double>(inputs + 1));
  }
  Matrix X(count, inputs);
  for (Index d = 0; d < inputs; ++d) {
    const double rate = std::pow(g, -static_cast<double>(d + 1));
    for (Index i = 0; i < count; ++i) {
      double whole = 0;
      const double part =
          std::modf(0.5 + rate * static_cast<double>(i + 1), &whole);
      X(i, d) = lower(d) + part * (upper(d) - lower(d));
    }
  }
  return X;
}

}  // namespace cloak
