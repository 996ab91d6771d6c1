#ifndef CLOAK_PRIVACY_BIN_SUM_MECHANISM_H_
#define CLOAK_PRIVACY_BIN_SUM_MECHANISM_H_

#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/count_mechanism.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// The result of a BinSumMechanism. Public.
struct NoisyBinSums {
  // The sum of the outputs of each bin, in steps of sum_step(), and how many of
  // them are not missing, in steps of present_step().
  std::vector<Int128> sums;
  std::vector<Int128> present;
};

// The exact release of the sums of private outputs in bins of their public
// inputs, with Laplace noise: (ε, 0)-differential privacy. Neighbours differ in
// the outputs of one unit; which rows are in which bin, and which form a unit,
// is public.
//
// Integers only, from clipped outputs to published numbers. With Q = 2^19 and
// q_i as in quantized_output.h, |q_i| <= Q, or 0 for an output that is missing
// (not a number):
//   t_b = the sum of q_i over the rows of bin b,
//   m_b = Q times the number of outputs of bin b that are not missing,
//   published: t_b and m_b, each with discrete Laplace noise of the same scale.
//
// Sensitivity. Let y and y' differ in the outputs of one unit g, and B_b be the
// rows of bin b. An output that is missing in neither moves its q_i by at most
// 2 Q and the m_b of its bin not at all; one that is missing in one of them
// moves q_i by at most Q and m_b by Q; one that is missing in both moves
// nothing. So
//   Σ_b |t_b − t_b'| + |m_b − m_b'| <= Σ_(i ∈ g) 2 Q = |g| 2^20,
// attained when all outputs of g go from the lower bound to the upper. The
// largest unit has PrivacyUnits::largest() rows.
class BinSumMechanism {
 public:
  // |g| 2^20 is at most the 2^32 that CountMechanism takes.
  static constexpr Index kMostRowsOfAUnit = 4096;

  // `bin_of_row`: from 0 to bins − 1. Throws InvalidInput when it is not, or
  // not of as many rows as `units`, when a unit has more than kMostRowsOfAUnit
  // rows, or ε is out of range; and where the bounds are too narrow or too wide
  // for double precision.
  BinSumMechanism(std::vector<Index> bin_of_row, Index bins,
                  const PrivacyUnits& units, const OutputBounds& bounds,
                  double epsilon);

  const std::vector<Index>& bin_of_row() const { return bin_of_row_; }
  double epsilon() const { return noise_.epsilon(); }
  // A published 1 is worth so much of a sum of outputs less the middle of the
  // bounds, and so much of the number of outputs that are not missing.
  double sum_step() const { return sum_step_; }
  double present_step() const;
  // How far a unit can move the sums, and the noise on each.
  double sensitivity() const { return sensitivity_; }
  double noise_sd() const { return noise_.noise_sd() * sum_step_; }
  // The noise on the number of outputs of a bin that are not missing.
  double present_noise_sd() const { return noise_.noise_sd() * present_step(); }

  // Publishes. Each call spends again. Throws InvalidInput if there are not as
  // many outputs as rows, which is public, and PrivacyFailure if random numbers
  // fail, before any output is read.
  NoisyBinSums Release(const Secret<Vector>& outputs, Randomness& random) const;

 private:
  std::vector<Index> bin_of_row_;
  Index bins_;
  OutputBounds bounds_;
  CountMechanism noise_;
  double sum_step_ = 0;
  double sensitivity_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_BIN_SUM_MECHANISM_H_
