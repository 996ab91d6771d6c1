#ifndef CLOAK_PRIVACY_PRIVACY_FILTER_H_
#define CLOAK_PRIVACY_PRIVACY_FILTER_H_

#include <cstdint>

#include "cloak/privacy/budget.h"
#include "cloak/privacy/event.h"
#include "cloak/privacy/gaussian_sum.h"

namespace cloak {

// The price of one event in a filter: but for a probability delta, it is
// mu-Gaussian-DP. Rounded up.
struct FilterPrice {
  double mu = 0;
  double delta = 0;
};

//   gaussian       mu
//   pure           2 z(e^epsilon/(1 + e^epsilon)), z the normal quantile: N(0,
//   1)
//                  against N(mu, 1) is dominated by no less. (The trade-off
//                  function of randomised response has one corner, and that of
//                  the Gaussian, which is convex, passes through it.)
//   bounded range  that of epsilon/2. Proof: H(x) of renyi.h is the profile of
//                  a loss whose density under P is e^(l/2) v(l) with v constant
//                  on [-epsilon, epsilon] and 0 beyond; that of the Gaussian is
//                  e^(l/2) g(l) with g even and decreasing in |l|. Let D be the
//                  profile of the Gaussian less H, as a function of a = e^x >=
//                  1. D'' has the sign of g - v: positive for large a, and on
//                  [1, e^epsilon] positive before negative. Choose mu so that
//                  D(1) = 0, which is this price: H(0) = tanh(epsilon/4). By
//                  symmetry D'(1) = D(1)/2 = 0, and D and D' vanish at
//                  infinity. If D'' began negative, D' would be negative
//                  throughout, and D could not return to 0. So D'' is positive,
//                  negative, positive; D' positive, then negative; D >= 0. And
//                  a larger mu dominates a smaller one.
//   approximate    that of its pure part, and its delta
//   zcdp,          that of (epsilon', conversion_delta)-privacy, the best that
//   selection      follows from it (renyi.h); infinite when conversion_delta
//                  is 0
FilterPrice PriceOf(const PrivacyEvent& event, double conversion_delta);

// Admits events while everything admitted stays (epsilon, delta)-private,
// *whatever the events are and however they are chosen*: each may depend on
// everything released before it (fully adaptive composition; Rogers, Roth,
// Ullman and Vadhan 2016). This is what a ledger needs, and what the best
// bound for a list fixed in advance (accountant.h) does not give: of two
// continuations, each within the budget, somebody who picks one by looking at
// what was released can go beyond it.
//
// The rule: prices add up, the limits are fixed when the filter is made, and
// events are admitted while
//   sum mu_i^2 <= M^2   and   sum delta_i <= D = reserved_delta,
// where M is the largest mu with  delta_M(epsilon) + D <= delta,  delta_M the
// curve of the Gaussian mechanism (analytic_gaussian.h).
//
// Proof. Claim: at most k events, chosen adaptively, with sum mu_i^2 <= M^2
// and sum delta_i <= D always, are dominated by the pair that gives itself away
// with probability D and is N(0, 1) against N(M, 1) otherwise. For k = 0 it is
// trivial. The first event is chosen before anything is released, so mu_1 and
// delta_1 are constants, and it is dominated by such a pair. Whatever it
// releases, the at most k - 1 events that follow have sum mu_i^2 <= M^2 -
// mu_1^2 and sum delta_i <= D - delta_1, so by induction they are dominated by
// such a pair, which does not depend on what was released. Adaptive composition
// is dominated by the product of dominating pairs (Zhu, Dong and Wang 2022,
// Theorem 10); the product gives itself away with probability
// 1 - (1 - delta_1)(1 - (D - delta_1)) <= D, and is Gaussian with
// sqrt(mu_1^2 + M^2 - mu_1^2) = M otherwise. There is no bound on k: what is
// released by any k events satisfies it. (For Gaussian events alone it is the
// theorem of Smith and Thakurta 2022, "Fully Adaptive Composition for Gaussian
// Differential Privacy", and of Koskela, Tobaben and Honkela 2023.)
//
// How D is split from delta must be fixed in advance: trading one for the
// other on the way would be a choice that looks at what was released.
class FilterState {
 public:
  // A zCDP event or selection takes this share of reserved_delta.
  static constexpr double kConversionShare = 1.0 / 16;

  FilterState(const Budget& budget, double reserved_delta);

  bool Admits(const PrivacyEvent& event, int64_t times) const;
  void Charge(const PrivacyEvent& event, int64_t times);
  double MuLeft() const;
  double DeltaLeft() const;
  double EpsilonSpent() const;

  const Budget& budget() const { return budget_; }
  double reserved_delta() const { return reserved_delta_; }
  double mu_limit() const { return mu_limit_; }

 private:
  // The state with these events added, admitted or not.
  FilterState With(const PrivacyEvent& event, int64_t times) const;
  bool IsWithin() const;

  Budget budget_;
  double reserved_delta_ = 0;
  double mu_limit_ = 0;
  GaussianSum mu_;
  double delta_ = 0;
};

// A FilterState that knows what it protects: the relation between neighbours
// is part of the type, as in an Accountant.
//
//   PrivacyFilter<Neighbours::kOutput> filter(Budget(1, 1e-5));
//   filter.Charge(GaussianEvent(mechanism.noise().mu()));  // throws if it is
//   too much mechanism.Release(…);
template <Neighbours kNeighbours>
class PrivacyFilter {
 public:
  static constexpr Neighbours kRelation = kNeighbours;

  // reserved_delta is the part of the budget's delta for events that have one,
  // and for zCDP events and selections, which cannot be charged without it.
  // Throws InvalidInput unless 0 <= reserved_delta < budget.delta().
  explicit PrivacyFilter(const Budget& budget, double reserved_delta = 0)
      : state_(budget, reserved_delta) {}

  // Whether `times` such events may follow what was charged.
  bool Admits(const PrivacyEvent& event, int64_t times = 1) const {
    return state_.Admits(event, times);
  }

  // Charges them; throws InvalidInput that says what was asked and what is
  // left, and charges nothing, when they are not admitted. Charge before the
  // mechanism draws its noise.
  void Charge(const PrivacyEvent& event, int64_t times = 1) {
    state_.Charge(event, times);
  }

  // Return the largest single Gaussian event that would still be admitted (0
  // when none would), and the delta still reserved. Rounded down.
  double MuLeft() const { return state_.MuLeft(); }
  double DeltaLeft() const { return state_.DeltaLeft(); }

  // Returns the epsilon at which all that has been charged is (epsilon, the
  // budget's delta)-private. Rounded up.
  double EpsilonSpent() const { return state_.EpsilonSpent(); }

  const Budget& budget() const { return state_.budget(); }
  double reserved_delta() const { return state_.reserved_delta(); }
  // M.
  double mu_limit() const { return state_.mu_limit(); }

 private:
  FilterState state_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_PRIVACY_FILTER_H_
