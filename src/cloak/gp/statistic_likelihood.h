#ifndef CLOAK_GP_STATISTIC_LIKELIHOOD_H_
#define CLOAK_GP_STATISTIC_LIKELIHOOD_H_

#include <optional>

#include "cloak/gp/basis.h"
#include "cloak/gp/site_inputs.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// log p(w | kernel, noise variance) of a noisy linear statistic of the sums of
// outputs over sites, w = R y + s z (linear_posterior.h), for learning
// hyperparameters: many kernels for one w, with gradients. In the basis Z, with
// K the sums of k(x, z) over the rows of each site, n the numbers of these,
// G = R K and H = G L_Z⁻ᵀ, w ~ N(0, A),
//   A = H Hᵀ + R diag(σ² n + d + e) Rᵀ + s² I,
// d and e what SiteInputs calls residual and deviation. They take the features
// of all points, so they are approximated: d by ρ·pattern, where the pattern is
// d for the kernel given to Recentre, and ρ follows the mean of k(x, x) −
// |φ(x)|² over some of the points; and e by what it is for that kernel, 0
// before. At that kernel the approximation is exact.
class StatisticLikelihood {
 public:
  // `noise_of_sums`: of the observations of each site, in the place of σ² n.
  StatisticLikelihood(SiteInputs sites, const Matrix& Z, const Matrix& R,
                      const std::optional<Vector>& noise_of_sums, double s,
                      const Vector& w, const Threads& threads);
  // Every row of X is a site.
  StatisticLikelihood(const Matrix& X, const Matrix& Z, const Matrix& R,
                      const std::optional<Vector>& row_noise_variances,
                      double s, const Vector& w, const Threads& threads)
      : StatisticLikelihood(SiteInputs::EachRow(X), Z, R, row_noise_variances,
                            s, w, threads) {}

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
  // G.
  Matrix ProjectedCovariance(const Kernel& kernel) const;
  Vector GradientOf(const Basis& basis, const Matrix& H, const Matrix& A_bar,
                    const Matrix& Phi) const;

  SiteInputs sites_;
  Matrix Z_;
  Matrix R_;
  double s_;
  Vector w_;
  Threads threads_;
  Matrix of_noise_;      // R diag(n) Rᵀ, or of what row noise adds up to
  bool noise_is_known_;  // of each row
  Matrix some_points_;
  Matrix pattern_;           // R diag(pattern) Rᵀ
  double mean_pattern_ = 1;  // over some_points_
  Matrix deviation_;         // R diag(e) Rᵀ
};

}  // namespace cloak

#endif  // CLOAK_GP_STATISTIC_LIKELIHOOD_H_
