#include "cloak/models/noise_estimate.h"

#include <cmath>

namespace cloak {
namespace {

// How far the second moment of f itself is trusted where the noise is what is
// left of it.
constexpr double kMomentError = 0.3;

constexpr int kPoints = 641;
constexpr double kWidest = 4;  // standard deviations of the prior

}  // namespace

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
