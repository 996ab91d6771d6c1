#include "cloak/privacy/exact_normal.h"

#include <gmpxx.h>

#include <optional>

#include "cloak/base/error.h"
#include "cloak/privacy/gmp_integer128.h"

namespace cloak {

// Both trials below are von Neumann's: for x in (0, 1), the length n of the
// longest decreasing run x > U_1 > … > U_n of fresh uniforms is at least j
// with probability x^j/j!, so that n is even with probability
// 1 - x + x^2/2! - … = exp(-x).

template <int kDigitBits>
bool BernoulliExpMinusHalf(Randomness& random) {
  LazyUniform<kDigitBits> y(random);
  if (!y.BelowOneHalf()) return true;
  for (bool even = false;; even = !even) {
    LazyUniform<kDigitBits> z(random);
    if (!Less(z, y, random)) return even;
    y = std::move(z);
  }
}

// Each step of the run also has to pass a trial of probability
//   (1/m) x + (m - 2)/m = (2k + x)/(2k + 2),   m = 2k + 2,
// so n >= j with probability (x (2k + x)/(2k + 2))^j/j!.
template <int kDigitBits>
bool BernoulliExp(uint64_t k, LazyUniform<kDigitBits>& x, Randomness& random) {
  const uint64_t m = 2 * k + 2;
  // The last of the run; before the first, x itself (and not a copy, which
  // would draw other digits than x).
  std::optional<LazyUniform<kDigitBits>> y;
  for (bool even = true;; even = !even) {
    LazyUniform<kDigitBits> z(random);
    if (!Less(z, y ? *y : x, random)) return even;
    const uint64_t choice = random.Below(m);
    if (choice == 0) return even;
    if (choice == 1) {
      LazyUniform<kDigitBits> fresh(random);
      if (!Less(fresh, x, random)) return even;
    }
    y = std::move(z);
  }
}

namespace {

// Step N1: k with probability exp(-k/2) (1 - exp(-1/2)).
template <int kDigitBits>
uint64_t DrawWhole(Randomness& random) {
  uint64_t k = 0;
  while (BernoulliExpMinusHalf<kDigitBits>(random)) ++k;
  return k;
}

// Step N2: true with probability exp(-k (k-1)/2), which together with N1 makes
// k of probability proportional to exp(-k^2/2).
template <int kDigitBits>
bool AcceptWhole(uint64_t k, Randomness& random) {
  if (k < 2) return true;
  for (uint64_t trial = 0; trial < k * (k - 1); ++trial) {
    if (!BernoulliExpMinusHalf<kDigitBits>(random)) return false;
  }
  return true;
}

// Step N4: true with probability exp(-x (2k + x)/2), which together with
// exp(-k^2/2) makes exp(-(k + x)^2/2).
template <int kDigitBits>
bool AcceptFraction(uint64_t k, LazyUniform<kDigitBits>& x,
                    Randomness& random) {
  for (uint64_t trial = 0; trial <= k; ++trial) {
    if (!BernoulliExp(k, x, random)) return false;
  }
  return true;
}

}  // namespace

template <int kDigitBits>
BasicExactNormal<kDigitBits> BasicExactNormal<kDigitBits>::Draw(
    Randomness& random) {
  for (;;) {
    const uint64_t k = DrawWhole<kDigitBits>(random);
    if (!AcceptWhole<kDigitBits>(k, random)) continue;
    LazyUniform<kDigitBits> x(random);
    if (!AcceptFraction(k, x, random)) continue;
    return BasicExactNormal(random.Bit(), k, std::move(x));
  }
}

// With u the first L digits of the fraction x, u/2^L <= x < (u + 1)/2^L (and x
// is not equal to either end, with probability one). round(v) = floor(v +
// 1/2), so sigma x rounds to an integer between
//   floor((2 sigma u + 2^L)/2^(L+1)) and
//   floor((2 sigma (u + 1) + 2^L - 1)/2^(L+1)),
// the last -1 because the upper end is excluded. When they are equal the
// remaining digits do not matter. The integer part adds the integer sigma k,
// and the sign is applied last, both of which commute with rounding.
template <int kDigitBits>
Int128 BasicExactNormal<kDigitBits>::RoundedTimes(Uint128 sigma,
                                                  Randomness& random) {
  // The same in 128 bits, for one group of L = 64 digits: 2 sigma (u + 1) +
  // 2^64 - 1 <= 2 (2^63 - 1) 2^64 + 2^64 - 1 < 2^128. Undecided with
  // probability of about sigma/2^64.
  if (kDigitBits == 64 && sigma >= 1 && sigma < Uint128{1} << 63) {
    const Uint128 u = fraction_.Digit(0, random);
    const Uint128 one = Uint128{1} << 64;
    const Uint128 lower = (2 * sigma * u + one) >> 65;
    const Uint128 upper = (2 * sigma * (u + 1) + (one - 1)) >> 65;
    if (lower == upper) return Assemble(sigma, lower);
  }
  return RoundedTimesGeneral(sigma, random);
}

template <int kDigitBits>
Int128 BasicExactNormal<kDigitBits>::RoundedTimesGeneral(Uint128 sigma,
                                                         Randomness& random) {
  RequirePrivacy(sigma >= 1 && sigma <= kMaxSigma,
                 "the noise scale must be between 1 and 2^100 units, but is " +
                     DecimalText(sigma));
  const mpz_class twice_sigma = 2 * ToGmp(sigma);
  mpz_class u = 0;
  for (size_t position = 0;; ++position) {
    u <<= kDigitBits;
    u += static_cast<unsigned long>(fraction_.Digit(position, random));
    const size_t L = (position + 1) * kDigitBits;
    const mpz_class one = mpz_class(1) << L;
    const mpz_class lower = (twice_sigma * u + one) >> (L + 1);
    const mpz_class upper = (twice_sigma * (u + 1) + one - 1) >> (L + 1);
    if (lower == upper) return Assemble(sigma, FromGmp(lower));
  }
}

template <int kDigitBits>
Int128 BasicExactNormal<kDigitBits>::Assemble(Uint128 sigma,
                                              Uint128 rounded_fraction) const {
  const Uint128 magnitude =
      CheckedAdd(CheckedMultiply(sigma, Uint128{whole_}), rounded_fraction);
  if (magnitude > Uint128(kMaxInt128)) {
    throw PrivacyFailure(
        "the noise does not fit in 128 bits; nothing was released");
  }
  return negative_ ? -static_cast<Int128>(magnitude)
                   : static_cast<Int128>(magnitude);
}

Int128 RoundedNormal(Uint128 sigma, Randomness& random) {
  return ExactNormal::Draw(random).RoundedTimes(sigma, random);
}

template class BasicExactNormal<1>;
template class BasicExactNormal<4>;
template class BasicExactNormal<64>;
template bool BernoulliExpMinusHalf<1>(Randomness&);
template bool BernoulliExpMinusHalf<4>(Randomness&);
template bool BernoulliExpMinusHalf<64>(Randomness&);
template bool BernoulliExp<1>(uint64_t, LazyUniform<1>&, Randomness&);
template bool BernoulliExp<4>(uint64_t, LazyUniform<4>&, Randomness&);
template bool BernoulliExp<64>(uint64_t, LazyUniform<64>&, Randomness&);

}  // namespace cloak
