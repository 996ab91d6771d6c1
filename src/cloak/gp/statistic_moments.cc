#include "cloak/gp/statistic_moments.h"

#include <utility>

#include "cloak/linalg/products.h"

namespace cloak {

OutputModel ModelOutputs(const Basis& basis, double noise_variance,
                         const Matrix& X) {
  Matrix Phi = basis.Features(X);
  Vector D = basis.ResidualVariances(X, Phi).array() + noise_variance;
  return {std::move(Phi), std::move(D)};
}

StatisticMoments ModelStatistic(const OutputModel& outputs, const Matrix& R,
                                const Threads& threads) {
  return {ProductTransposed(R, outputs.Phi, threads),
          ProductTransposed(R * outputs.D.asDiagonal(), R, threads)};
}

}  // namespace cloak
