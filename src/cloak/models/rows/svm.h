#ifndef CLOAK_MODELS_ROWS_SVM_H_
#define CLOAK_MODELS_ROWS_SVM_H_

#include "cloak/gp/basis.h"
#include "cloak/models/plan.h"
#include "cloak/models/task.h"
#include "cloak/privacy/svm_mechanism.h"

namespace cloak {

// A kernel support vector machine of two classes, with whole rows private
// (Dandekar, Basu and Bressan 2019, section 3.3): the f that minimises
//   |f|²/2 + (C/n) Σ_i max(0, 1 − y_i f(x_i))
// over the span of k(·, z_1), …, k(·, z_M), with public basis points z_j, in
// the norm of the kernel's space. There f(x) = φ(x)ᵀw with orthonormal
// coordinates w (basis.h), |f| = |w| and |φ(x)|² <= k(x, x), so that the
// sensitivity does not grow with M, and noise that is the same on all
// coordinates has at x the standard deviation |φ(x)| times that
// (svm_mechanism.h).
//
// Shrinking the noisy coordinates towards a prior that decays along the
// eigenvalues of E φφᵀ, its scale by evidence, was tried and made more errors
// on Iris and on Adult: it shrinks directions that tell the classes apart, and
// a side needs no scale. So they are left as they are, and the noise is said.
class SvmPlan : public Plan {
 public:
  static constexpr Index kMostInputs = 20;
  static constexpr double kLengthscale = 0.3;

  // Throws InvalidInput when the setting or the options do not fit.
  SvmPlan(const SharedSetting& setting, const Svm& task);

  const SvmMechanism& svm() const { return svm_; }
  const Basis& basis() const { return basis_; }

  // The C for which the noise of f is at most a quarter of the margin, which
  // is 1: a larger one fits better and is noisier, and as long as no row is
  // beyond the margin, below about 1/κ², it makes no difference. So it is at
  // least 1/κ², and at most 100/κ², κ² the largest k(x, x).
  static double CostFor(Index rows, const Budget& budget, double variance);

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;

  Basis basis_;
  SvmMechanism svm_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_SVM_H_
