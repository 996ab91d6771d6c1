#ifndef CLOAK_SELECTION_PRIVATE_SELECTION_H_
#define CLOAK_SELECTION_PRIVATE_SELECTION_H_

#include <cstddef>
#include <functional>
#include <optional>

#include "cloak/privacy/budget.h"
#include "cloak/privacy/event.h"
#include "cloak/privacy/randomness.h"
#include "cloak/release/release.h"

namespace cloak {

// Hyperparameters by private selection from private candidates (Liu and Talwar
// 2019; Honkela and Melkas 2021, Algorithm 2): one draw of Q takes
// hyperparameters at random, trains a model on one half of the rows and scores
// it on the other, both privately; K draws are made, K random, and the one with
// the best score is published, and nothing else: neither K nor the others.
//
// A draw costs the following. The halves are disjoint, so a row is in one of
// them. If it is in the first, the score is post-processing of a model that is
// private towards it; if in the second, the model has the same distribution,
// and given the model the score is private. Either way the draw,
// hyperparameters included, costs what the dearer of the two costs (Honkela and
// Melkas, Lemma 3, which is stated for (ε, δ); for Gaussian-DP it is the same,
// as revealing something of the same distribution on both sides changes no
// trade-off that holds given it). Draws that score the same are as good as
// ordered by lot: K does not depend on their order.

enum class SelectionAccounting {
  // Rényi divergences (Papernot and Steinke 2022, Theorems 2 and 6;
  // SelectionEvent): the candidate is Gaussian-DP.
  kRenyi,
  // The calibration of Honkela and Melkas: the candidate is (ε, δ)-DP with
  //   ε_tot = 3ε + 3√(2δ),  δ_tot = √(2δ) T + δ₂,                       (23)
  // T = log(1/δ₂)/γ, δ₂ = √(2δ)/γ, from Liu and Talwar's Theorem 3.4. K must
  // be geometric.
  //
  // (23) is far from tight. Here is a proof of less, for K that is not cut off
  // at T. An (ε, δ)-DP candidate is post-processing of randomised response
  // that, with probability δ, gives the data set away (Kairouz, Oh and
  // Viswanath 2015). Let G be that none of the K draws does: it fails with
  // probability δ E K = δ/γ at most. On G the draws are those of an ε-DP
  // candidate, and P(K = k, G) = γ(1 − γ)^(k−1) (1 − δ)^k is in proportion to a
  // geometric distribution again, of some γ'. The density of the best draw,
  // with p that of one draw and F the probability that one is not better, is in
  // proportion to p/(γ' + (1 − γ')(1 − F))²; p and 1 − F change by factors of
  // at most e^ε, so it changes by at most e^(3ε). Hence
  //   P(A(D) ∈ S) ≤ P(G, A(D) ∈ S) + δ/γ ≤ e^(3ε) P(A(D') ∈ S) + δ/γ,
  // and (3ε, δ/γ) is less than (23), whose δ_tot is √(2δ)/γ (1 + log(1/δ₂)).
  // Therefore draws are not cut off at T here, and the guarantee rests on this
  // proof and not on Theorem 3.4.
  kPublished,
};

// The budgets of training and scoring with which a selection is within its own
// budget, and what the selection costs.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
struct SelectionCost {
  Budget candidate;
  // A Gaussian mechanism within `candidate` has at most this mu.
  double candidate_mu = 0;
  PrivacyEvent event;
};

// The largest there is, to within rounding. Throws InvalidInput when the budget
// is too small for any, the accounting does not fit the repeats, or they cannot
// be drawn (draw_repeats.h): before anything is charged for them.
SelectionCost CostOfSelection(const Budget& total, const Repeats& repeats,
                              SelectionAccounting accounting);

// One draw of Q. A score that is not a number counts as the least. There is no
// release when it could not be computed: an error would tell of a draw that may
// not be the best.
struct ScoredRelease {
  std::optional<Release> release = {};
  double score = 0;
};
using CandidateDraw =
    std::function<ScoredRelease(size_t candidate, Randomness& random)>;

// The best of K draws, the hyperparameters of each uniform among `candidates`;
// nothing when K is 0 (Poisson). Throws InvalidInput unless there is at least
// one candidate. The time it takes tells K: do not let strangers measure it.
std::optional<ScoredRelease> SelectPrivately(size_t candidates,
                                             const Repeats& repeats,
                                             const CandidateDraw& draw,
                                             Randomness& random);

}  // namespace cloak

#endif  // CLOAK_SELECTION_PRIVATE_SELECTION_H_
