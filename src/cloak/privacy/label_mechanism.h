#ifndef CLOAK_PRIVACY_LABEL_MECHANISM_H_
#define CLOAK_PRIVACY_LABEL_MECHANISM_H_

#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/integer_weights.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// The result of a LabelMechanism. Public.
struct NoisyLabels {
  // The release itself: integers, in steps of noise().step(), those of
  // the first class first.
  std::vector<Int128> integers;
  // r x K: R Y plus independent N(0, noise_sd^2).
  Matrix value;
  double noise_sd = 0;
};

// The exact Gaussian release of R Y, with R (r x N) public and Y (N x K) the
// private labels of N rows, one of K classes each: Y_ic is 1 if row i is of
// class c, else 0. Neighbours differ in the labels of one unit, anyhow. The
// classes, and which rows form a unit, are public.
//
// Integers only (gaussian_mechanism.h is the same for numbers): P are the
// integer weights (integer_weights.h), and
//   t_kc = sum of P_ki over the rows i of class c,
//   published: t_kc + round(s N_kc), N_kc exact standard normals.
//
// Sensitivity. Whatever a label is, it counts as exactly one class, so a row
// whose label goes from a to b moves t by P_i v_i', v_i = e_b - e_a, and the
// rows of unit g together by sum P_i v_i', of squared length
//   sum_ij (P_i . P_j)(v_i . v_j) <= 2 sum_ij |P_i . P_j|,
// because |v_i . v_j| <= 2 whatever the classes are. For a unit of one row it
// is 2 |P_i|^2, and attained; so it does not grow with the number of classes.
// Units of more than kPairedRows rows: at most 2 (sum |P_i|)^2, roots rounded
// up. Delta^2 is the largest over all units, and s the smallest integer that
// is at least sigma(epsilon, delta) Delta.
//
// No plan uses it yet: it is there for classification into more than two
// classes, and for callers in C++.
//
// All but Release() is public and fixed before the labels are looked at.
class LabelMechanism {
 public:
  static constexpr Index kMostClasses = 1000;
  static constexpr size_t kPairedRows = 512;

  // Throws PrivacyFailure and InvalidInput as QuantizeWeights does, and
  // InvalidInput unless there are 2 to kMostClasses classes.
  LabelMechanism(const Matrix& R, Index classes, const PrivacyUnits& units,
                 const Budget& budget);

  // The statistic that is really released, exactly.
  const Matrix& R() const { return R_; }
  Index classes() const { return classes_; }
  const Budget& budget() const { return budget_; }
  // The noise on each number, and the largest change of all of them.
  const ExactGaussian& noise() const { return noise_; }

  // Publishes R Y + noise. Each call spends the whole budget again. A label is
  // the number of its class, 0 to K - 1; another number counts as the nearest
  // of them, and what is not a number as 0.
  //
  // Throws InvalidInput if the number of labels (which is public) is not the
  // number of columns of R, and PrivacyFailure if random numbers fail, before
  // any label is read. Neither errors, memory accesses nor the number of
  // arithmetic operations depend on the labels.
  NoisyLabels Release(const Secret<Vector>& labels, Randomness& random) const;

 private:
  Index classes_;
  Budget budget_;
  IntegerWeights weights_;
  Matrix R_;
  ExactGaussian noise_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_LABEL_MECHANISM_H_
