#include "cloak/models/nuisance_parameters.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cloak {
namespace {

// The share is at least this, so that it can be divided by.
constexpr double kLeastShare = 1e-3;

double NormalDensity(double z) {
  return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}
double NormalBelow(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

// How far the second moment of f itself is trusted where the noise is what is
// left of it.
constexpr double kMomentError = 0.3;

constexpr int kPoints = 641;
constexpr double kWidest = 4;  // standard deviations of the prior

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

// Its log-normal prior, on a grid.
double EstimateNoise(const HyperPrior& prior,
                     const std::vector<NoisySquares>& rounds) {
  const Index last = prior.size() - 1;
  Vector variances(kPoints);
  Vector log_density(kPoints);
  for (int k = 0; k < kPoints; ++k) {
    Vector z = Vector::Zero(prior.size());
    z(last) = kWidest * (2.0 * k / (kPoints - 1) - 1);
    const double variance = prior.At(z).noise_variance;
    variances(k) = variance;
    log_density(k) = -0.5 * z(last) * z(last);
    for (const NoisySquares& round : rounds) {
      const double sd = std::hypot(round.noise_sd, kMomentError * round.of_f);
      const double error =
          round.value - round.per_variance * variance - round.of_f;
      log_density(k) -= 0.5 * std::pow(error / sd, 2);
    }
  }
  const Vector weight = (log_density.array() - log_density.maxCoeff()).exp();
  return weight.dot(variances) / weight.sum();
}

}  // namespace cloak
