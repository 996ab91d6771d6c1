#ifndef CLOAK_GP_COUNT_POSTERIOR_H_
#define CLOAK_GP_COUNT_POSTERIOR_H_

#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// Numbers of rows in cells, inferred from noisy sums of them.
struct CountPosterior {
  // The posterior of the numbers of rows themselves. The mean may be below 0 in
  // a cell.
  Vector mean;        // C
  Matrix covariance;  // C x C
  // The number of rows expected in each cell where they fall at random from
  // what is believed of their density: positive, and smooth.
  Vector expected;  // C
};

// One belief about how rows are spread over cells: N rows, drawn independently
// with the probabilities p_c ∝ share_c exp(F_cᵀ v), v ~ N(0, I): a log-Gaussian
// process that is constant in each cell, which takes a share of all space.
struct DensityPrior {
  Matrix F;      // M x C
  Vector share;  // C: positive
};

// Given t = B n + z, z ~ N(0, I), for the priors given, the one with the
// largest evidence. (Laplace's approximation for v, in which n is Gaussian with
// the moments of the multinomial distribution at the mode; then n itself given
// t, by linear conditioning around the mode.) Throws Error when no mode can be
// found for any of them.
CountPosterior InferCounts(const std::vector<DensityPrior>& priors,
                           const Matrix& B, const Vector& t, double rows);

}  // namespace cloak

#endif  // CLOAK_GP_COUNT_POSTERIOR_H_
