#ifndef CLOAK_PRIVACY_SELECTION_MECHANISM_H_
#define CLOAK_PRIVACY_SELECTION_MECHANISM_H_

#include "cloak/data/secret.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"
#include "cloak/privacy/utility_grid.h"

namespace cloak {

// Chooses one of several candidates by their private utilities, the larger the
// better, and publishes which. Neighbours may change all utilities at once,
// each by at most `sensitivity`, which is public and bounds the utilities as
// they were computed, rounding errors included.
//
// Utilities become integers q_i with |q_i - q_i'| <= D (utility_grid.h). With
// r = epsilon/(2 D), and trials of probability exp(-r (max q - q_i)) that are
// exact (exact_bernoulli.h):
//
// The exponential mechanism (McSherry and Talwar 2007): candidates are drawn
// uniformly, with replacement, until one passes its trial, so candidate i is
// chosen with probability p_i proportional to exp(r q_i). log(p_i/p_i') is r
// (q_i - q_i'), which is within ±epsilon/2, plus a number that is the same for
// all i: it lies in an interval of length epsilon, that is, the mechanism has
// epsilon-bounded range (Durfee and Rogers 2019), and is epsilon-private
// because the interval contains 0. Several of them compose better than
// epsilon-private mechanisms in general.
//
//   const SelectionMechanism mechanism(/*sensitivity=*/1.5, /*epsilon=*/0.3);
//   const Index best = mechanism.Select(utilities, random);
class SelectionMechanism {
 public:
  // Throws InvalidInput unless 2^-60 <= epsilon <= Budget::kMaxEpsilon and
  // 1e-290 <= sensitivity <= 1e290.
  SelectionMechanism(double sensitivity, double epsilon);

  // The epsilon of one choice, with delta = 0: the one given, rounded down to
  // 31 binary digits.
  double epsilon() const { return epsilon_; }
  const UtilityGrid& grid() const { return grid_; }

  // Returns with which probability each candidate would be chosen, up to
  // rounding. As private as the utilities: for made-up ones, and for
  // CustodianView. Throws InvalidInput when there are no candidates.
  Vector Probabilities(const Vector& utilities) const;

  // Returns the number of the candidate chosen. Each call spends again. Throws
  // InvalidInput unless there is at least one candidate (how many is public),
  // and PrivacyFailure if random numbers fail, before any utility is read.
  //
  // The time it takes depends on the utilities, not only on what is chosen: do
  // not let strangers measure it.
  Index Select(const Secret<Vector>& utilities, Randomness& random) const;

 private:
  // True with probability exp(-epsilon gap/(2 D)).
  bool Passes(uint64_t gap, Randomness& random) const;

  UtilityGrid grid_;
  double epsilon_ = 0;
  // epsilon/(2 D) as a ratio of integers below 2^31 and 2^112.
  Uint128 rate_numerator_ = 0;
  Uint128 rate_denominator_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_SELECTION_MECHANISM_H_
