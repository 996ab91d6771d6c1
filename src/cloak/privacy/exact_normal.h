#ifndef CLOAK_PRIVACY_EXACT_NORMAL_H_
#define CLOAK_PRIVACY_EXACT_NORMAL_H_

#include <cstdint>
#include <utility>

#include "cloak/privacy/integer128.h"
#include "cloak/privacy/lazy_uniform.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// A standard normal deviate of infinite precision: ±(whole + fraction), with
// the binary digits of the fraction drawn when they are needed. Its
// distribution is exactly N(0, 1), not an approximation: Karney 2016,
// "Sampling exactly from the normal distribution", ACM TOMS 42(1), Algorithm
// N, which uses comparisons of uniform deviates and integers only.
//
// kDigitBits is explained in lazy_uniform.h; 1, 4 and 64 are available.
template <int kDigitBits>
class BasicExactNormal {
 public:
  static BasicExactNormal Draw(Randomness& random);

  bool negative() const { return negative_; }
  // The integer part of the absolute value.
  uint64_t whole() const { return whole_; }

  // The integer nearest to sigma times this number, exactly: digits of the
  // fraction are drawn until everything the number can still be rounds to the
  // same integer. (A tie has probability zero.) Calling it again, with another
  // sigma, rounds a multiple of the same number.
  // Throws PrivacyFailure unless 1 <= sigma <= kMaxSigma, or when the result
  // does not fit (probability below exp(-2^50)).
  Int128 RoundedTimes(Uint128 sigma, Randomness& random);

  // The same by the general path, in integers of any length, also when
  // RoundedTimes has a faster one. For tests.
  Int128 RoundedTimesGeneral(Uint128 sigma, Randomness& random);

  static constexpr Uint128 kMaxSigma = Uint128{1} << 100;

 private:
  BasicExactNormal(bool negative, uint64_t whole,
                   LazyUniform<kDigitBits> fraction)
      : negative_(negative), whole_(whole), fraction_(std::move(fraction)) {}

  // ±(sigma whole + rounded_fraction).
  Int128 Assemble(Uint128 sigma, Uint128 rounded_fraction) const;

  bool negative_;
  uint64_t whole_;
  LazyUniform<kDigitBits> fraction_;
};

using ExactNormal = BasicExactNormal<64>;

// round(sigma N) for a fresh exact standard normal N.
//
// For an integer t, t + round(sigma N) = round(t + sigma N): rounding to the
// nearest integer commutes with adding an integer. So publishing the integer
// t + RoundedNormal(sigma) is post-processing (rounding) of the continuous
// Gaussian mechanism t + N(0, sigma^2), and has its guarantee exactly; nothing
// is lost to floating point (Mironov 2012), because there is none.
Int128 RoundedNormal(Uint128 sigma, Randomness& random);

// The Bernoulli trials that Algorithm N is made of, for tests.
//
// True with probability exp(-1/2) (Algorithm H).
template <int kDigitBits>
bool BernoulliExpMinusHalf(Randomness& random);
// True with probability exp(-x (2k + x) / (2k + 2)) (Algorithm B).
template <int kDigitBits>
bool BernoulliExp(uint64_t k, LazyUniform<kDigitBits>& x, Randomness& random);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_EXACT_NORMAL_H_
