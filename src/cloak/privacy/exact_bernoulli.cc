#include "cloak/privacy/exact_bernoulli.h"

#include <cstdint>

#include "cloak/base/error.h"

namespace cloak {
namespace {

// Not RequirePrivacy, which would build its message on every trial.
void RequireDenominator(Uint128 q) {
  if (q == 0 || q > Uint128{1} << 127) {
    throw PrivacyFailure(
        "a probability needs a denominator from 1 to 2^127; nothing was "
        "released");
  }
}

// exp(-p/q) for p <= q. The k-th trial succeeds with probability p/(q k), so
// the first k succeed with probability (p/q)^k/k!, and the first failure has
// an odd number with probability 1 - p/q + (p/q)^2/2! - … = exp(-p/q).
bool BernoulliExpMinusFraction(Uint128 p, Uint128 q, Randomness& random) {
  for (uint64_t k = 1;; ++k) {
    if (!BernoulliRatio(p, q, random) || !BernoulliRatio(1, k, random)) {
      return k % 2 == 1;
    }
  }
}

}  // namespace

// Whether a uniform U in (0, 1) is below p/q, decided by the first binary
// digit in which they differ: two random bits on average. When the digits of
// p/q end (p becomes 0) before they differ, U is above.
bool BernoulliRatio(Uint128 p, Uint128 q, Randomness& random) {
  RequireDenominator(q);
  if (p > q)
    throw PrivacyFailure("a probability above 1; nothing was released");
  if (p == q) return true;
  while (p != 0) {
    p *= 2;
    const bool digit = p >= q;
    if (digit) p -= q;
    if (random.Bit() != digit) return digit;
  }
  return false;
}

bool BernoulliExpMinus(Uint128 p, Uint128 q, Randomness& random) {
  RequireDenominator(q);
  // exp(-1) for each whole; the first failure ends it, soon.
  for (Uint128 whole = p / q; whole > 0; --whole) {
    if (!BernoulliExpMinusFraction(1, 1, random)) return false;
  }
  return BernoulliExpMinusFraction(p % q, q, random);
}

}  // namespace cloak
