#ifndef CLOAK_PRIVACY_EXACT_BERNOULLI_H_
#define CLOAK_PRIVACY_EXACT_BERNOULLI_H_

#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// Trials whose probability is exact: integers and random bits only. The time
// they take depends on p and q as well as on chance.

// True with probability p/q. Throws PrivacyFailure unless p <= q and
// 1 <= q <= 2^127.
bool BernoulliRatio(Uint128 p, Uint128 q, Randomness& random);

// True with probability exp(-p/q), for any p >= 0 (Canonne, Kamath and Steinke
// 2020, "The Discrete Gaussian for Differential Privacy", Algorithm 1). Throws
// PrivacyFailure unless 1 <= q <= 2^127.
bool BernoulliExpMinus(Uint128 p, Uint128 q, Randomness& random);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_EXACT_BERNOULLI_H_
