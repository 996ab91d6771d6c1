#ifndef CLOAK_PRIVACY_HINGE_DUAL_H_
#define CLOAK_PRIVACY_HINGE_DUAL_H_

#include <cstdint>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/integer_moments.h"
#include "cloak/privacy/scratch.h"

namespace cloak {

// A support vector machine in integers. Row i has integer features p_i with
// |p_i| <= K and a label y_i, −1 or 1, and x_i = y_i p_i. With integers A (the
// largest weight of a row) and T (the margin), minimise over W
//   F(W) = |W|²/2 + A Σ_i max(0, T − x_i·W).                            (1)
// Its dual is to maximise, over 0 <= a_i <= A,
//   D(a) = T Σ a_i − |W(a)|²/2,   W(a) = Σ a_i x_i,                     (2)
// and D(a) <= min F <= F(W) for all a and W. With s_i = T − x_i·W(a),
//   F(W(a)) − D(a) = Σ_i A max(0, s_i) − a_i s_i,                       (3)
// because |W(a)|² = Σ a_i x_i·W(a). No term of (3) is negative: it is
// (A − a_i) s_i where s_i > 0, and a_i |s_i| elsewhere.
//
// This holds one a, in integers, and W(a), exactly; and bounds (3) by a number
// that floating point cannot make too small.
class HingeDual {
 public:
  static constexpr int kWeightBits = 36;
  static constexpr int64_t kLargestWeight = int64_t{1} << kWeightBits;  // A
  // |W| <= n A K <= 2^81, |x_i·W| <= 2^103 and T <= 2^110 leave room in 127
  // bits; and what is said of kGapTarget needs no more.
  static constexpr Index kMostRows = Index{1} << 23;
  static constexpr int kMarginBits = 110;
  // G: (A K)² 2^-13. The public bound of (3) that Certified() asks for.
  static constexpr double kGapTarget = 0x1p103;
  static_assert(kFeatureBits == 22);

  // `X` has x_i/K as its columns, exactly; it must outlive this. Throws
  // PrivacyFailure unless 1 <= n <= kMostRows and 1 <= T <= 2^kMarginBits.
  HingeDual(const Matrix& X, Int128 margin, const Threads& threads);

  // a_i = A times the fractions, to the nearest integer, within [0, A];
  // whatever they are (0 for what is not a number).
  void Set(const Vector& fractions);

  // Whether (3) is at most kGapTarget, for certain.
  bool Certified();

  // Moves each a_i in turn to the best integer, the others as they are, which
  // never makes D smaller. Returns whether any moved.
  //
  // Sweeps end in a state that is Certified(), from any state. A move raises
  // 2 D, an integer, by at least 1, and 2 D <= 2 F(0) = 2 n A T, so at some
  // time nothing moves. Then, for q_i = |x_i|² <= K², |s_i| <= q_i/2, or
  // a_i = A with s_i > q_i/2, or a_i = 0 with s_i < −q_i/2: the last two add
  // nothing to (3), the others at most A K²/2 each. That is n A K²/2 <= G/2 in
  // all, as n <= 2^23 = A 2^-13, which no rounding up brings above G.
  bool Sweep();

  // W(a).
  Int128 weight(Index j) { return W_[j]; }

 private:
  // x_ij, an integer.
  int64_t Feature(Index i, Index j) const;
  // s_i.
  Int128 Slack(Index i);
  int64_t BestWeight(Index i);

  const Matrix& X_;
  Int128 margin_;
  Threads threads_;
  Scratch<int64_t> a_;
  Scratch<Int128> W_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_HINGE_DUAL_H_
