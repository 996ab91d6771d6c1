#include "cloak/models/present_share.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cloak {
namespace {

// What is divided by the share stays finite.
constexpr double kLeastShare = 1e-3;

double NormalDensity(double z) {
  return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}
double NormalBelow(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

}  // namespace

// All that was published is one observation m of the share, with the standard
// deviation s.
double PresentShare(const std::vector<NoisyShare>& published) {
  double precision = 0;
  double sum = 0;
  for (const NoisyShare& share : published) {
    const double weight = 1 / (share.noise_sd * share.noise_sd);
    precision += weight;
    sum += weight * share.value;
  }
  if (!(precision > 0)) return 1;
  const double s = 1 / std::sqrt(precision);
  // Nothing changes below, but for what is too small for a double.
  const double m = std::max(sum / precision, -5 * s);
  const double to_all = (1 - m) / s;
  const double to_none = -m / s;
  const double complete = kComplete * NormalDensity(to_all) / s;
  const double inside = NormalBelow(to_all) - NormalBelow(to_none);
  if (!(m < 1) || complete >= (1 - kComplete) * inside) return 1;
  // The mean of a normal distribution that is cut off at 0 and 1.
  const double mean =
      inside > 1e-12
          ? m + s * (NormalDensity(to_none) - NormalDensity(to_all)) / inside
          : m;
  return std::clamp(mean, kLeastShare, 1.0);
}

}  // namespace cloak
