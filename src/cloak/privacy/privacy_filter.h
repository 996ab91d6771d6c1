#ifndef CLOAK_PRIVACY_PRIVACY_FILTER_H_
#define CLOAK_PRIVACY_PRIVACY_FILTER_H_

#include <cstdint>

#include "cloak/privacy/budget.h"
#include "cloak/privacy/event.h"

namespace cloak {

// What one event takes from a filter: it is mu-Gaussian-DP but for a
// probability delta.
struct FilterPrice {
  double mu_squared = 0;
  double delta = 0;
};

// Admits events while everything admitted stays (epsilon, delta)-private,
// *whatever the events are and however they are chosen*: each may depend on
// everything released before it (fully adaptive composition; Rogers, Roth,
// Ullman and Vadhan 2016). This is what a ledger needs, and what the best
// bound for a list fixed in advance (accountant.h) does not give: of two
// continuations, each within the budget, somebody who picks one by looking at
// what was released can go beyond it.
//
// The rule: every event has a price (mu^2, delta) below. Prices add up, the
// limits are fixed when the filter is made, and an event is admitted when
// neither would be passed:
//   sum mu_i^2 <= M^2,   sum delta_i <= D = reserved_delta,
// where M is the largest mu with  delta_M(epsilon) + D <= delta,  delta_M the
// curve of the Gaussian mechanism (analytic_gaussian.h).
//
// Proof. Claim: at most k events, chosen adaptively, with sum mu_i^2 <= M^2
// and sum delta_i <= D always, have a privacy profile (the smallest delta as a
// function of epsilon, any real number) at most D' + (1 - D') delta_M with D'
// <= D. For k = 0 it is trivial. The first event is chosen before anything is
// released, so mu_1 and delta_1 are constants, and it is dominated by the pair
// that gives itself away with probability delta_1 and is N(0, 1) against
// N(mu_1, 1) otherwise. Whatever it releases, the at most k - 1 events that
// follow have sum mu_i^2 <= M^2 - mu_1^2 and sum delta_i <= D - delta_1, so by
// induction they are dominated by the same kind of pair, which does not depend
// on what was released. Adaptive composition is dominated by the product of
// dominating pairs (Zhu, Dong and Wang 2022, Theorem 10), and the product
// gives itself away with probability 1 - (1 - delta_1)(1 - (D - delta_1)) <= D
// and is Gaussian with sqrt(mu_1^2 + (M^2 - mu_1^2)) = M otherwise. The filter
// needs no bound on k: everything released after k events satisfies it for
// each k. (For Gaussian events it is also Theorem 3.3 of Smith and Thakurta
// 2022, "Fully Adaptive Composition for Gaussian Differential Privacy".)
//
// How D is split from delta must be fixed in advance: trading one for the
// other on the way is a choice that looks at what was released.
class PrivacyFilterRules {
 public:
  // Throws InvalidInput unless 0 <= reserved_delta < budget.delta().
  explicit PrivacyFilterRules(const Budget& budget, double reserved_delta = 0);

  const Budget& budget() const { return budget_; }
  double reserved_delta() const { return reserved_delta_; }
  // M.
  double mu_limit() const { return mu_limit_; }

  // Rounded up; not finite when no price is finite. Gaussian, pure,
  // bounded-range and approximate events have their own price (delta 0 but for
  // the last). zCDP events and selections are first turned into (epsilon',
  // delta')-privacy with delta' = conversion_delta: with 0 they have no price.
  static FilterPrice Price(const PrivacyEvent& event, double conversion_delta);

 private:
  Budget budget_;
  double reserved_delta_;
  double mu_limit_ = 0;
};

// The filter itself. The relation between neighbours is part of the type, as
// in an Accountant.
template <Neighbours kNeighbours>
class PrivacyFilter {
 public:
  static constexpr Neighbours kRelation = kNeighbours;

  explicit PrivacyFilter(const Budget& budget, double reserved_delta = 0);

  // Whether `times` such events may follow what was charged.
  bool Admits(const PrivacyEvent& event, int64_t times = 1) const;

  // Charges them; throws InvalidInput that says what was asked and what is
  // left, and charges nothing, when they are not admitted. Charge before the
  // mechanism draws its noise.
  void Charge(const PrivacyEvent& event, int64_t times = 1);

  const PrivacyFilterRules& rules() const;

  // What is left: the largest single Gaussian event that would be admitted
  // (0 when none would), and the delta still reserved. Rounded down.
  double MuLeft() const;
  double DeltaLeft() const;

  // What has been charged is (this, budget's delta)-private. Rounded up.
  double EpsilonSpent() const;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_PRIVACY_FILTER_H_
