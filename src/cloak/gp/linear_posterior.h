#ifndef CLOAK_GP_LINEAR_POSTERIOR_H_
#define CLOAK_GP_LINEAR_POSTERIOR_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// The weights of a basis, inferred from a noisy linear statistic:
//   w = H u + e + z,  u ~ N(0, I),  e ~ N(0, V₀),  z ~ N(0, s² I),
// where e is residual and observation noise and z the privacy noise. With
// A = H Hᵀ + V₀ + s² I the posterior is u | w ~ N(mean, S),
//   mean = HᵀA⁻¹w,  S = I − HᵀA⁻¹H = I − explainedᵀexplained + noiseᵀnoise,
//   noise = s A⁻¹H      what z contributes to the mean,
//   explainedᵀexplained = HᵀA⁻¹H + noiseᵀnoise.
struct LinearPosterior {
  Vector mean;                // M
  Matrix explained;           // r x M
  Matrix noise;               // r x M
  double log_likelihood = 0;  // log N(w; 0, A)
};

// Throws Error when A is not positive definite (s > 0 makes it so).
LinearPosterior InferWeights(const Matrix& H, const Matrix& V0, double s,
                             const Vector& w);

// HᵀA⁻¹ alone (M x r): the mean for every w.
Matrix WeightsFromStatistic(const Matrix& H, const Matrix& V0, double s);

// log N(w; 0, A) alone.
double StatisticLogLikelihood(const Matrix& H, const Matrix& V0, double s,
                              const Vector& w);

// Returns features F of the columns of Phi under the posterior: FᵀF = ΦᵀSΦ is
// the covariance that is left of the functions that they stand for.
Matrix PosteriorFeatures(const LinearPosterior& posterior, const Matrix& Phi);

}  // namespace cloak

#endif  // CLOAK_GP_LINEAR_POSTERIOR_H_
