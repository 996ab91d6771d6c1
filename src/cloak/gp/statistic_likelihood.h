#ifndef CLOAK_GP_STATISTIC_LIKELIHOOD_H_
#define CLOAK_GP_STATISTIC_LIKELIHOOD_H_

#include <optional>

#include "cloak/gp/basis.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// log p(w | kernel, noise variance) of a noisy linear statistic of the outputs
// at X, w = R y + s z (linear_posterior.h), for learning hyperparameters: many
// kernels for one w, with gradients. In the basis Z, with G = R K(X, Z) and
// H = G L_Z⁻ᵀ, w ~ N(0, A),
//   A = H Hᵀ + σ² R Rᵀ + R diag(d) Rᵀ + s² I,  d_i = k(x_i, x_i) − |φ(x_i)|²,
// which takes the features φ(x_i) of all rows for the sake of d, mostly. So d
// is approximated: by ρ·pattern, where the pattern is d for the kernel given to
// Recentre, and ρ follows the mean of d over some of the rows. At that kernel
// the approximation is exact.
class StatisticLikelihood {
 public:
  // `row_noise_variances`: of each row, in the place of σ².
  StatisticLikelihood(const Matrix& X, const Matrix& Z, const Matrix& R,
                      const std::optional<Vector>& row_noise_variances,
                      double s, const Vector& w, const Threads& threads);

  void Recentre(const Kernel& kernel);

  struct Gradient {
    Vector kernel;  // in the order of kernel.Parameters()
    double noise_variance = 0;
  };

  // Fills *gradient unless it is null. Throws Error where the likelihood
  // cannot be computed.
  double LogDensity(const Kernel& kernel, double noise_variance,
                    Gradient* gradient) const;

 private:
  // G = R K(X, Z).
  Matrix ProjectedCovariance(const Kernel& kernel) const;
  Vector GradientOf(const Basis& basis, const Matrix& H, const Matrix& A_bar,
                    const Matrix& Phi) const;

  Matrix X_;
  Matrix Z_;
  Matrix R_;
  double s_;
  Vector w_;
  Threads threads_;
  Matrix RRt_;
  std::optional<Matrix> row_noise_;  // R diag(row_noise_variances) Rᵀ
  Matrix some_rows_;                 // of X
  Matrix pattern_;                   // R diag(pattern) Rᵀ
  double mean_pattern_ = 1;          // over some_rows_
};

}  // namespace cloak

#endif  // CLOAK_GP_STATISTIC_LIKELIHOOD_H_
