#ifndef CLOAK_PRIVACY_COMPOSITION_H_
#define CLOAK_PRIVACY_COMPOSITION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "cloak/privacy/event.h"

namespace cloak {

// A bound on the Rényi divergence of one order, but for delta.
struct RenyiBound {
  double epsilon = 0;
  double delta = 0;
};

// Computes what a list of events costs together, whatever their neighbours:
// only an Accountant (accountant.h), which knows them, should hold one.
//
// Each bound below holds for a list fixed in advance whose mechanisms may look
// at what the earlier ones released; the least of them is the answer. None
// depends on the order in which events were added.
//
// 1. Gaussian events compose exactly: mu^2 = sum mu_i^2 (Dong, Roth and Su
//    2022, Corollary 3.3), with the exact curve of analytic_gaussian.h. When
//    there is nothing else, this is the answer.
//
// 2. Privacy-loss distributions (loss_distribution.h) of
//      - the Gaussian of 1,
//      - each pure or approximate event: randomised response,
//      - each bounded-range event: its largest profile (renyi.h),
//      - one group of events, together: all zCDP events and selections, whose
//        profile follows from the sum of their Rényi divergences, the best
//        order at each epsilon; or, when there are none, the bounded-range
//        events of one epsilon that cost most (bounded_range.h).
//    The last is no pair of one mechanism, so it needs a proof. Write T_i f(x)
//    for the supremum, over the mechanisms of event i and all neighbours, of
//    E f(x - L), L the loss. Working back from the last release, the profile of
//    the whole list is at most T_1 T_2 … T_n f, f(x) = (1 - e^x)_+. All
//    functions here are convex in e^x, so for an event with a dominating pair
//    T_i f <= S_i f, S_i f(x) = E f(x - L_i) with the loss L_i of the pair. For
//    any T and such an S, T S f <= S T f: the supremum of an expectation is at
//    most the expectation of the supremum. So each S moves in front of all T,
//    and what remains is T_j T_k … f: the profile of the group alone, composed
//    adaptively. Rényi divergences then add up (Mironov 2017, Proposition 1)
//    and convert (renyi.h). The profile is convex, so it lies below the chords
//    of its bounds. With two groups the T of one would stand between those of
//    the other, which is why there is one.
//
// 3. With bounded-range, zCDP or selection events: the sum of the Rényi
//    divergences of everything, converted at the best order.
//
// 4. Without Gaussian, zCDP or selection events: epsilon and delta add up. Of
//    one event alone: its own delta (renyi.h).
//
// How tight: 1 to the last bits. 2 within 0.2 % in epsilon for Gaussian, pure
// and approximate events (composition_test.cc), for which the pairs are the
// worst mechanisms, and 1 % for bounded-range events of one epsilon. Others are
// up to 15 % above the best possible: the worst pair differs from one epsilon
// to the next, and one that dominates all has deviation epsilon/sqrt(3), not
// epsilon/2.
class Composition {
 public:
  static constexpr int64_t kMaxTimes = 1'000'000'000;

  void Add(const PrivacyEvent& event, int64_t times);
  void Add(const Composition& other);

  double Delta(double epsilon) const;
  double Epsilon(double delta) const;
  RenyiBound Renyi(double order) const;

 private:
  struct Repeated {
    PrivacyEvent event;
    int64_t times = 0;
  };
  class Bounds;
  const Bounds& bounds() const;

  // By the text of the event, which makes sums independent of the order.
  std::map<std::string, Repeated> events_;
  // Made when it is asked for, until the next Add.
  mutable std::shared_ptr<const Bounds> bounds_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_COMPOSITION_H_
