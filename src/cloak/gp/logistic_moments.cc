#include "cloak/gp/logistic_moments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cloak {
namespace {

constexpr double kStep = 0.5;
constexpr double kRange = 9;
constexpr double kLargestSd = 1e3;

// The limit of a link that is a step of variance π²/3, that of the logistic
// distribution, around 0.
LogisticMoments MomentsOfStep(double mean, double variance) {
  constexpr double kPi = std::numbers::pi;
  const double sd = std::sqrt(variance + kPi * kPi / 3);
  const double z = mean / sd;
  const double half = 0.5 * std::numbers::sqrt2;
  return {0.5 * std::erfc(-half * z), 0.5 * std::erfc(half * z),
          std::exp(-0.5 * z * z) / (std::sqrt(2 * kPi) * sd)};
}

}  // namespace

LogisticMoments MomentsOfLogistic(double mean, double variance) {
  const double sd = std::sqrt(std::max(variance, 0.0));
  if (sd > kLargestSd) return MomentsOfStep(mean, variance);
  const double h = sd > 1 ? kStep / sd : kStep;
  // e^−|f| N(z) is largest at |z| = sd, or where f = 0 if that is nearer.
  const double tail = sd > 0 ? std::min(sd, std::abs(mean) / sd) : 0.0;
  const auto last = static_cast<int>(std::ceil((kRange + tail) / h));
  double total = 0;
  LogisticMoments sum{0, 0, 0};
  for (int k = -last; k <= last; ++k) {
    const double z = k * h;
    const double weight = std::exp(-0.5 * z * z);
    const double f = mean + sd * z;
    // Of the two probabilities, the smaller and the larger.
    const double e = std::exp(-std::abs(f));
    const double larger = 1 / (1 + e);
    const double smaller = e * larger;
    total += weight;
    sum.probability += weight * (f > 0 ? larger : smaller);
    sum.complement += weight * (f > 0 ? smaller : larger);
    sum.slope += weight * smaller * larger;
  }
  return {sum.probability / total, sum.complement / total, sum.slope / total};
}

}  // namespace cloak
