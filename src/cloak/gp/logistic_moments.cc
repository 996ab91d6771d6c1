#include "cloak/gp/logistic_moments.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace cloak {
namespace {

constexpr double kStep = 0.5;
constexpr double kRange = 9;
// Beyond it the Gaussian is 0 as a double.
constexpr double kFarthest = 39;
constexpr double kLargestSd = 1e3;
// From here on the link is narrower than the Gaussian, and is integrated over.
constexpr double kWide = 8;

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

// π(f) is the probability that t ≤ f for t of the logistic distribution, whose
// density is e⁻ᵗ/(1 + e⁻ᵗ)². For mean ≤ sd²/2 what is integrated falls off on
// both sides of t = 0, above it at least like e^(−0.4 t).
LogisticMoments MomentsOfWide(double mean, double sd) {
  constexpr int kFirst = -80;
  constexpr int kLast = 200;
  const double m = std::abs(mean);
  LogisticMoments sum{0, 0, 0};
  for (int k = kFirst; k <= kLast; ++k) {
    const double t = k * kStep;
    const double e = std::exp(-std::abs(t));
    const double weight = kStep * e / ((1 + e) * (1 + e));
    const double z = (t - m) / sd;
    sum.probability += weight * 0.5 * std::erfc(z / std::numbers::sqrt2);
    sum.complement += weight * 0.5 * std::erfc(-z / std::numbers::sqrt2);
    sum.slope += weight * std::exp(-0.5 * z * z);
  }
  sum.slope /= sd * std::sqrt(2 * std::numbers::pi);
  if (mean < 0) std::swap(sum.probability, sum.complement);
  return sum;
}

}  // namespace

LogisticMoments MomentsOfLogistic(double mean, double variance) {
  const double sd = std::sqrt(std::max(variance, 0.0));
  const bool is_central = std::abs(mean) <= sd * sd / 2;
  // Where neither is, the smaller probability is 0 as a double.
  if (sd > kLargestSd || (!is_central && sd > 2 * kFarthest)) {
    return MomentsOfStep(mean, variance);
  }
  if (sd > kWide && is_central) return MomentsOfWide(mean, sd);
  const double h = sd > 1 ? kStep / sd : kStep;
  // e^−|f| N(z) is largest at |z| = sd, or where f = 0 if that is nearer.
  const double tail = sd > 0 ? std::min(sd, std::abs(mean) / sd) : 0.0;
  const auto last =
      static_cast<int>(std::ceil(std::min(kRange + tail, kFarthest) / h));
  double total = 0;
  LogisticMoments sum{0, 0, 0};
  for (int k = -last; k <= last; ++k) {
    const double z = k * h;
    const double weight = std::exp(-0.5 * z * z);
    const double f = mean + sd * z;
    // The smaller and the larger of the two probabilities.
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
