#ifndef CLOAK_PRIVACY_GAUSSIAN_MECHANISM_H_
#define CLOAK_PRIVACY_GAUSSIAN_MECHANISM_H_

#include <cstdint>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/row_sites.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/integer_weights.h"
#include "cloak/privacy/quantized_output.h"
#include "cloak/privacy/randomness.h"
#include "cloak/privacy/unit_columns.h"

namespace cloak {

// The result of a GaussianMechanism. Public.
struct NoisyStatistic {
  // The release itself: integers, in steps of noise().step().
  std::vector<Int128> integers;
  // integers times that step: the statistic R (y - middle) plus independent
  // N(0, noise_sd^2) on each number, in the units of the outputs.
  Vector value;
  double noise_sd = 0;
  // With squares, the release, in steps of squares_step(), and what it says:
  // the sum over outputs of ((y - middle)/(d/2))^2 plus noise.
  Int128 squares_integer = 0;
  double squares = 0;
  double squares_noise_sd = 0;
  // The release, in steps of present_step(), and what it says: which share of
  // the outputs is not missing, plus noise.
  Int128 present_integer = 0;
  double present = 0;
  double present_noise_sd = 0;
};

// How far the outputs of one unit can move what a GaussianMechanism publishes
// (see below).
struct OutputChange {
  Uint128 columns = 0;        // the largest |sum_(i in g) s_i P_i|^2
  Uint128 square_factor = 0;  // W, 0 without squares
  Uint128 squared = 0;        // Delta^2
  bool exact = false;         // whether Delta is attained
};

// The exact Gaussian release of R y, with R (r x S) public and y the sums over
// S sites of N private outputs: neighbours differ in the outputs of one unit,
// anywhere. Each output is in one site (row_sites.h), and column s of R weighs
// all outputs of site s alike; often each output is a site of its own. A unit
// is a set of outputs, such as those of one person; without units, each output
// is one. Which outputs form a unit, and in which site each is, is public and
// does not depend on outputs.
//
// Integers only, from clipped outputs to published numbers. With b =
// kOutputBits, a = kWeightBits, d the width of the bounds and 2^e a power of
// two, above the largest norm of a column of R and at most twice it (more for
// units of more than 2^13 outputs, so that the sensitivity fits 128 bits):
//   q_i = round((clip(y_i) - lower)/d 2^b) - 2^(b-1),   |q_i| <= 2^(b-1),
//   P   = round(R 2^(a-e)),                           |P_ks| <= 2^a,
//   t   = sum_i P_s(i) q_i,  s(i) the site of output i,
//   published: t_k + round(s N_k), N_k exact standard normals.
//
// Sensitivity. Let y and y' differ in the outputs of unit g only. q_i depends
// on y_i only, and q_i and q_i' are clamped, as integers, to [-2^(b-1),
// 2^(b-1)], so |q_i - q_i'| <= 2^b whatever floating point did before, and
// whatever y_i is (infinite, not a number). Hence (unit_sensitivity.h)
//   |t - t'|^2 <= 2^(2b) max over g and signs s of |sum_(i in g) s_i P_i|^2,
// where P_i is column s(i): for units of one output, 2^(2b) max_i |P_i|^2, and
// whatever other outputs share its site does not matter, as they do not move.
// Units with as many outputs in each site have the same columns, so that one of
// each kind is enough (unit_columns.h). It is
// attained when the outputs of g are at bounds in y and at the opposite ones in
// y'. Delta^2 is that exact integer, or one above
// it where a unit is too large for that. The noise scale s is
// the smallest integer >= sigma(epsilon, delta) Delta (analytic_gaussian.h),
// and rounding the noise is post-processing (exact_normal.h). So the guarantee
// holds whatever R is, sensible or not.
//
// Squares. On request, one more number is published, with noise of its own and
// the same scale: W sum_i floor(q_i^2/Q), Q = 2^(b-1), from which to learn how
// much outputs vary. Where each output is a unit, and 2 W^2 <= 5 K^2 with K^2
// the largest |P_i|^2, they are free, up to rounding. Let a = |q_i - q_i'|/Q
// and c = |q_i + q_i'|/Q, so that a + c = 2 max(|q_i|, |q_i'|)/Q <= 2, and
// a c <= 1. Then
//   |P_i|^2 (q_i - q_i')^2                <= Q^2 K^2 a^2,
//   W^2 (floor(q_i^2/Q) - floor(q_i'^2/Q))^2
//                  <= W^2 (Q a c + 1)^2   <= Q^2 W^2 a^2 c^2 + W^2 (2 Q + 1),
// and K^2 a^2 + W^2 a^2 c^2 <= 4 K^2: with c <= 2 - a, that is implied by
//   (5/2) a^2 (2 - a)^2 <= 4 - a^2, or, after division by 2 - a >= 0, by
//   a^3 - 2 a^2 + (2/5) a + 4/5 >= 0  for a in [0, 2],
// whose least value is above 0.12, near a = 1.22. So Delta^2 is
//   4 Q^2 K^2 + W^2 (2 Q + 1),
// of which the first part is what it is without squares. For units of up to m
// outputs, each moves the sum of squares by at most Q, so that Delta^2 grows by
// at most W^2 Q^2 m^2.
//
// Missing outputs. One that is not a number is missing: it counts as the middle
// of the bounds, q_i = 0, and adds nothing to what is published. Whether it is
// missing is as private as its value, so neighbours may differ in that too. One
// more number is published, with noise of its own and the same scale: sum_i c_i
// over the outputs that are not missing, c_i >= 0 integers, from which to learn
// which share of them is. It is free.
// - Where each output is a unit: if y_i is missing and y_i' is not, then
//   |q_i - q_i'| <= Q, and the square of what moves is at most
//     Q^2 |P_i|^2 + W^2 Q^2 + c_i^2 <= 4 Q^2 K^2,
//   the part of Delta^2 above that is there without squares, as c_i is the
//   largest integer with c_i^2 <= Q^2 (3 K^2 - W^2), the same for all i. (W = 0
//   without squares; 2 W^2 <= 5 K^2 with them.) If both are missing or neither
//   is, the number does not move.
// - For units of up to m outputs: let S be those of unit g that are missing in
//   one of y and y', D the vector of q_i - q_i', so that |D_i| <= 2 Q, and
//   |D_i| <= Q for i in S. Replace D_i, i in S, by independent X_i that are 2 Q
//   or -2 Q and have the mean D_i: their variance is 4 Q^2 - D_i^2 >= 3 Q^2, so
//     |P D|^2 + 3 Q^2 sum_(i in S) |P_i|^2 <= E |P X|^2 <= Delta^2,
//   where Delta^2 is that without squares, the largest |P X|^2 over all X in
//   [-2 Q, 2 Q]. The number moves by at most sum_(i in S) c_i, whose square is
//   at most m sum_(i in S) c_i^2 (Cauchy and Schwarz), which is within
//   3 Q^2 sum_(i in S) |P_i|^2 as c_i is the largest integer with
//   m c_i^2 <= 3 Q^2 |P_i|^2. Squares move by at most Q for each output,
//   missing or not, as above.
//
// All but Release() is public and fixed before the outputs are looked at.
//
//   const GaussianMechanism mechanism(R, OutputBounds(60, 180),
//                                     Budget(1, 1e-5));
//   Randomness random = Randomness::FromSystem();
//   const NoisyStatistic noisy = mechanism.Release(heights, random);
//   // noisy.value = mechanism.R() * (heights - 120) + noise
class GaussianMechanism {
 public:
  static constexpr int kOutputBits = cloak::kOutputBits;
  static constexpr int kWeightBits = IntegerWeights::kWeightBits;

  // Throws PrivacyFailure if R has an entry that is not finite or is zero
  // altogether (its exact value would be published, without noise), or when
  // integers would overflow; InvalidInput if R is empty, or so large or small
  // that the result would not fit a double, or if `units` is not of as many
  // rows as R has columns.
  //
  // `least_sigma`: noise of at least so many sensitivities, where that is more
  // than the budget needs (a published constant, a share of the budget). It
  // can only add noise: PrivacyFailure unless it is finite and not negative.
  // `with_squares`: see above. For units of several outputs they raise the
  // noise by 5 %.
  GaussianMechanism(const Matrix& R, const RowSites& sites,
                    const PrivacyUnits& units, const OutputBounds& bounds,
                    const Budget& budget, double least_sigma = 0,
                    bool with_squares = false);
  // Each output is a site of its own.
  GaussianMechanism(const Matrix& R, const PrivacyUnits& units,
                    const OutputBounds& bounds, const Budget& budget,
                    double least_sigma = 0, bool with_squares = false);
  // Each output is a unit of its own.
  GaussianMechanism(const Matrix& R, const OutputBounds& bounds,
                    const Budget& budget);

  // The statistic that is really released, P 2^(e-a), exactly: within
  // 2^(e-a-1) of the R given. A decoder must use this one.
  const Matrix& R() const { return R_; }
  // The same as integers: P, and e.
  const IntegerWeights& weights() const { return weights_; }
  const RowSites& sites() const { return sites_; }

  const OutputBounds& bounds() const { return bounds_; }
  const Budget& budget() const { return budget_; }

  // The noise, and the largest change of R y by the outputs of one unit. The
  // step is d 2^(e-a-b), exactly.
  const ExactGaussian& noise() const { return noise_; }
  // Whether a neighbour attains the sensitivity (up to rounding), or it is a
  // bound.
  bool sensitivity_is_exact() const { return change_.exact; }

  bool with_squares() const { return change_.square_factor > 0; }
  // A published 1 is worth so much of the sum of ((y - middle)/(d/2))^2: 1/(W
  // Q). Call it with squares only.
  double squares_step() const;
  // A published 1 is worth so much of the share of outputs that are not
  // missing: 1/sum c_i.
  double present_step() const { return present_step_; }
  // c_i for the outputs of each site.
  const std::vector<int64_t>& present_weights() const {
    return present_weights_;
  }

  // Publishes R (y - middle) + noise. Each call spends the whole budget again.
  //
  // Throws InvalidInput if the number of outputs (which is public) is not that
  // of the rows of the sites, and PrivacyFailure if random numbers fail, before
  // any output is read. Neither errors, memory accesses nor the number of
  // arithmetic operations depend on the outputs. (Which site an output adds to
  // is public.) The time does depend on the
  // noise (exact sampling rejects), and on the processor: no protection is
  // claimed against somebody who measures it.
  //
  // An output that is not a number is missing: see above.
  NoisyStatistic Release(const Secret<Vector>& outputs,
                         Randomness& random) const;

 private:
  Int128 SumOfSquares(const Vector& outputs) const;
  Int128 WeightOfPresent(const Vector& outputs) const;

  // `units`: at least one of each kind.
  GaussianMechanism(const Matrix& R, const RowSites& sites,
                    const UnitColumns& units, const OutputBounds& bounds,
                    const Budget& budget, double least_sigma,
                    bool with_squares);

  OutputBounds bounds_;
  Budget budget_;
  RowSites sites_;
  IntegerWeights weights_;
  OutputChange change_;
  ExactGaussian noise_;
  Matrix R_;
  std::vector<int64_t> present_weights_;  // c, of each site
  double present_step_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_GAUSSIAN_MECHANISM_H_
