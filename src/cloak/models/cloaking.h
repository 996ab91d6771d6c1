#ifndef CLOAK_MODELS_CLOAKING_H_
#define CLOAK_MODELS_CLOAKING_H_

#include "cloak/design/noise_design.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/release/release.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {

// How cloaked predictions at a list of query points become a Release.
//
// The predictions f̃ = decoder · w have mean C y; given y, f at the query
// points has covariance K** − K*f K_y⁻¹ Kf*, and noise of standard deviation s
// in w adds s² decoder · decoderᵀ. Query points that determine the others
// (pivoted Cholesky) become the basis: the released function goes through
// their f̃, and hence, to numerical accuracy, through all of them.
class CloakedPredictions {
 public:
  CloakedPredictions(const ExactGp& gp, const Hyperparameters& theta,
                     const Matrix& query_points, const NoiseDesign& design,
                     const Threads& threads);

  const Matrix& basis_points() const { return Z_; }

  // Root mean square over the query points of the sd of f, with noise s.
  double ExpectedSd(double s) const;

  Posterior Decode(const Vector& w, double s) const;

 private:
  Hyperparameters theta_;
  Matrix Z_;
  double jitter_ = 0;
  Matrix decoder_in_basis_;  // r x M: (L_Z⁻¹ decoder at Z)ᵀ
  Matrix explained_;         // of the posterior without privacy
  double mean_posterior_variance_ = 0;
  double mean_noise_gain_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_CLOAKING_H_
