#include "cloak/privacy/discrete_laplace.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/exact_bernoulli.h"

namespace cloak {

DiscreteLaplace::DiscreteLaplace(uint64_t t, uint64_t s) : t_(t), s_(s) {
  RequirePrivacy(t >= 1 && t <= kMaxTerm && s >= 1 && s <= kMaxTerm,
                 "the scale of Laplace noise must be a ratio of integers "
                 "from 1 to 2^62, but is ",
                 t, "/", s);
}

// u + t v is x >= 0 with probability proportional to e^(-x/t): u from
// {0, …, t - 1} kept with probability e^(-u/t), v by trials of e^-1. Its
// quotient by s is then y with probability proportional to e^(-y s/t). A fair
// sign counts zero twice, so one of the zeros is drawn again.
Int128 DiscreteLaplace::Draw(Randomness& random) const {
  for (;;) {
    const uint64_t u = random.Below(t_);
    if (!BernoulliExpMinus(u, t_, random)) continue;
    Uint128 x = u;
    while (BernoulliExpMinus(1, 1, random)) x = CheckedAdd(x, Uint128{t_});
    const auto y = static_cast<Int128>(x / s_);
    const bool negative = random.Bit();
    if (negative && y == 0) continue;
    return negative ? -y : y;
  }
}

}  // namespace cloak
