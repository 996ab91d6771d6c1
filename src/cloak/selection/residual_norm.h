#ifndef CLOAK_SELECTION_RESIDUAL_NORM_H_
#define CLOAK_SELECTION_RESIDUAL_NORM_H_

#include <cstddef>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/integer_weights.h"

namespace cloak {

// The residuals of predictions that are linear in the outputs, T (y − prior
// mean), and what the privacy noise of the predictions adds to their squares.
// Public: both depend on the inputs alone.
struct Residuals {
  Matrix T;                  // a row for each prediction, a column per output
  double squared_noise = 0;  // expected, the sum over all predictions
};

// How good predictions are, as a utility of known sensitivity:
//   u(y) = −√(|T (y − prior mean)|² + squared_noise),
// the root of the expected sum of squared errors.
//
// Sensitivity. √(a² + v) moves by at most as much as a, and norms by at most
// as much as vectors, so |u(y) − u(y')| ≤ |T (y − y')|. When the outputs of one
// unit g move by at most d each, that is at most
//   d max over g and signs σ of |Σ_(i ∈ g) σ_i T e_i|,
// for a unit of one output d |T e_i|, and there is nothing to clip. (Smith et
// al. 2018 and 2021 take the square: its sensitivity grows with the residuals,
// which they therefore cut off, and they leave out the cross term.) It is
// attained, without noise, where T takes constants to 0: all outputs at one
// bound, and those of g at the other.
//
// T is rounded to integers P and outputs to integers q, as in
// GaussianMechanism, so that P q and its sensitivity Δ are exact
// (unit_sensitivity.h). The rest is in floating point: with n rows, unit
// roundoff h = 2⁻⁵³ and A the largest that √(Σ_k (|P q|_k + |offset_k|)² + v)
// can be,
//   converting P q and adding the offset of the prior mean   err by ≤ 2.1 h A,
//   n squares, their sum with v, its root, a factor          by ≤ (n/2 + 4) h
//   A.
// Two utilities as computed differ by at most Δ + 2 (n + 16) 2h A, which
// covers that twice over, and is what sensitivity() says, rounded up.
class ResidualNorm {
 public:
  // Throws PrivacyFailure if T has an entry that is not finite or is zero
  // altogether, and InvalidInput if it has another number of columns than
  // `units` has rows, or if the noise or the prior mean are not finite numbers
  // (or the noise negative).
  ResidualNorm(const Residuals& residuals, const PrivacyUnits& units,
               const OutputBounds& bounds, double prior_mean);

  // The largest change of Utility, rounded up.
  double sensitivity() const { return sensitivity_; }
  // Root mean square over the predictions of the noise in them.
  double noise_sd() const { return noise_sd_; }

  // u(y), for as many outputs as T has columns. For Secret::Map.
  double Utility(const Vector& outputs) const;

 private:
  // A, rounded up, in units.
  double LargestNorm() const;

  OutputBounds bounds_;
  IntegerWeights weights_;
  double unit_ = 0;  // what one of P q is worth
  // In those units.
  Vector offset_;
  double squared_noise_ = 0;
  double sensitivity_ = 0;
  double noise_sd_ = 0;
};

// The utilities of candidates, which are added one by one: what
// SelectionMechanism chooses by.
class CandidateUtilities {
 public:
  explicit CandidateUtilities(const Secret<Vector>& outputs);

  void Add(const ResidualNorm& candidate);
  // Returns the utilities with these numbers, in their order.
  Secret<Vector> Of(const std::vector<size_t>& which) const;

 private:
  struct State {
    Vector outputs;
    Vector utilities = {};
  };
  Secret<State> state_;
};

}  // namespace cloak

#endif  // CLOAK_SELECTION_RESIDUAL_NORM_H_
