#include "cloak/privacy/discrete_gaussian.h"

#include <gmpxx.h>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/exact_bernoulli.h"

namespace cloak {
namespace {

// floor(sigma) + 1; the root of a floor has the same floor as the root.
uint64_t ProposalScale(uint64_t n, uint64_t d) {
  const mpz_class root = sqrt(mpz_class(n / d));
  return root.get_ui() + 1;
}

}  // namespace

DiscreteGaussian::DiscreteGaussian(uint64_t n, uint64_t d)
    : n_(n), d_(d), proposal_(d == 0 ? 1 : ProposalScale(n, d), 1) {
  RequirePrivacy(n >= 1 && n <= kMaxTerm && d >= 1 && d <= kMaxTerm,
                 "the squared scale of discrete Gaussian noise must be a "
                 "ratio of integers from 1 to 2^48, but is ",
                 n, "/", d);
}

// y is proposed with probability proportional to e^(-|y|/t) and accepted with
// probability exp(-(|y| - sigma^2/t)^2/(2 sigma^2)). The exponents add up to
// -y^2/(2 sigma^2) and a constant. In integers the second one is
//   (|y| t d - n)^2/(2 n d t^2).
// Nothing overflows: t <= sigma + 1, so t d <= sqrt(n d) + d <= 2^49, and
// n d t^2 <= 2 n (n + d) <= 2^98; and with |y| < 2^13 t, |y| t d is below
// 2^13 2 (n + d) <= 2^63, whose square fits. |y| is larger with probability
// e^(-2^13), and then Checked… refuses.
Int128 DiscreteGaussian::Draw(Randomness& random) const {
  const Uint128 t = proposal_.t();
  const Uint128 denominator = 2 * (n_ * t) * (d_ * t);
  for (;;) {
    const Int128 y = proposal_.Draw(random);
    const Uint128 scaled =
        CheckedMultiply(static_cast<Uint128>(y < 0 ? -y : y), t * d_);
    const Uint128 distance = scaled > n_ ? scaled - n_ : n_ - scaled;
    if (BernoulliExpMinus(CheckedMultiply(distance, distance), denominator,
                          random)) {
      return y;
    }
  }
}

}  // namespace cloak
