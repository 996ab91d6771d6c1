#ifndef CLOAK_PRIVACY_SVM_MECHANISM_H_
#define CLOAK_PRIVACY_SVM_MECHANISM_H_

#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/clipped_rows.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// Everything public about the rows of which a support vector machine is
// released.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
struct SvmSetting {
  Index rows = 0;
  // Where inputs lie. A row outside counts as the nearest inside.
  Vector lower;
  Vector upper;
  // How many features a row has, and the largest norm κ they can have. When
  // they are longer they are shrunk: the guarantee does not depend on it.
  Index features = 0;
  double norm = 0;
  // C of the objective below.
  double cost = 1;
  Budget budget;
};

// The result of an SvmMechanism. Public.
struct NoisyWeights {
  std::vector<Int128> integers;  // in steps of noise().step()
  Vector value;
};

// The exact Gaussian release of a support vector machine over private rows: the
// weights w that minimise
//   |w|²/2 + (C/n) Σ_i max(0, 1 − y_i φ_i·w)
// for features φ_i = φ(x_i), |φ_i| <= κ, and labels y_i, −1 or 1 (what is not
// positive is −1). A row of which a cell is missing (not a number) has φ_i = 0:
// it adds a constant to the objective, and nothing to w. Neighbours differ by
// substituting one row, inputs and label; the number n of rows is public. It is
// the functional release of Hall, Rinaldo and Wasserman (2013) of a kernel
// machine, through finitely many orthonormal functions.
//
// Integers only, from features to published numbers. With K = 2^22 and M
// features, p_i = round(φ_i/v), v = κ/(K − √M/2 − 1), shrunk so that
// |p_i| <= K, and integers A and T, the objective is T⁻²v⁻² times
//   F(W) = |W|²/2 + A Σ_i max(0, T − y_i p_i·W),  W = w T v,
// where T = round(A n/(C v²)), which moves C by less than one part in 2^40.
// What is released is W(a) (hinge_dual.h), integers, plus round(s N) with exact
// standard normals N.
//
// Sensitivity. Let F and F' belong to neighbours, which differ in one row, and
// W* and W*' be where they are least. All terms but that of the row are
// common: F = B + A h, F' = B + A h', h(W) = max(0, T − y p·W), with B convex
// and, because of |W|²/2, strongly so: (g − g')·(U − U') >= |U − U'|² for
// subgradients g of B at U and g' at U'. At W* there is one −A h_0 with h_0 a
// subgradient of h, and at W*' one −A h_0'. Hence
//   |W* − W*'|² <= A (h_0' − h_0)·(W* − W*') <= A (|h_0| + |h_0'|) |W* − W*'|,
// and |h_0|, |h_0'| <= K, as h_0 is −y p times a number in [0, 1]. So
//   |W* − W*'| <= 2 A K,                                                  (1)
// which is 2Cκ/n in w, as published; for n = 1 a change of the label attains
// it. A solver stops before W*. F is strongly convex, so that
// |W − W*|²/2 <= F(W) − F(W*), which is at most the duality gap, which is at
// most G = 2^-13 (A K)² for every data set: the release is not made before that
// has been certified (hinge_dual.h), and it always can be. So
//   |W(a) − W(a')| <= 2 A K + 2 √(2 G) = (1 + 2^-6) 2 A K = Delta.        (2)
// W(a) is a vector of integers: no rounding comes after it. (2) needs of p only
// that those of other rows are the same for both neighbours, which they are as
// they depend on their row alone, and |p| <= K, which is enforced on integers
// (integer_moments.h) whatever floating point did before and whatever the row
// is.
//
// All but Release() is public and fixed before any row is looked at.
class SvmMechanism {
 public:
  static constexpr Index kMaxFeatures = 1000;
  // All features of all rows are held at once.
  static constexpr Index kMostNumbers = Index{1} << 30;

  // Throws InvalidInput when a number in the setting is out of range, and
  // PrivacyFailure when the budget needs more noise than 2^100 units.
  explicit SvmMechanism(const SvmSetting& setting);

  const SvmSetting& setting() const { return setting_; }
  // The noise on each weight, and how far a row can move w.
  const ExactGaussian& noise() const { return noise_; }

  // Publishes w with noise. Each call spends the whole budget again.
  //
  // Throws InvalidInput if the columns do not fit the setting or `features`
  // gives another number of them than it says (tried on the middle of the
  // ranges), and PrivacyFailure if random numbers fail, before any row is read.
  // Nothing after that depends on the rows but the time: how long the solver
  // takes does, and no protection is claimed against somebody who measures it.
  NoisyWeights Release(const std::vector<Secret<Vector>>& inputs,
                       const Secret<Vector>& labels, const FeatureMap& features,
                       Randomness& random, const Threads& threads) const;

 private:
  // y_i p_i/K as columns.
  Matrix SignedFeatures(const std::vector<const Vector*>& inputs,
                        const Vector& labels, const FeatureMap& features,
                        const Threads& threads) const;

  SvmSetting setting_;
  double feature_step_;  // v
  Int128 margin_;        // T
  ExactGaussian noise_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_SVM_MECHANISM_H_
