#ifndef CLOAK_PRIVACY_LAZY_UNIFORM_H_
#define CLOAK_PRIVACY_LAZY_UNIFORM_H_

#include <sodium.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cloak/privacy/randomness.h"

namespace cloak {

// A real number uniform on (0, 1) of infinite precision, of which only as many
// binary digits are drawn as have ever been asked for (the u-rand of Karney
// 2016, section 2). It is one fixed number: digits once drawn do not change,
// so it must be passed by reference, and cannot be copied (two copies would
// grow different digits).
//
// Digits come in groups of kDigitBits. The product uses 64; tests use 1, so
// that groups that are equal, of probability 2^-64 in the product, are met all
// the time.
template <int kDigitBits>
class LazyUniform {
 public:
  static_assert(kDigitBits >= 1 && kDigitBits <= 64);

  explicit LazyUniform(Randomness& random) : first_(Draw(random)) {}

  // What is left of the noise is wiped.
  ~LazyUniform() {
    sodium_memzero(&first_, sizeof(first_));
    if (!rest_.empty()) {
      sodium_memzero(rest_.data(), rest_.size() * sizeof(uint64_t));
    }
  }

  LazyUniform(const LazyUniform&) = delete;
  LazyUniform& operator=(const LazyUniform&) = delete;
  LazyUniform(LazyUniform&&) noexcept = default;
  LazyUniform& operator=(LazyUniform&&) noexcept = default;

  // The group of digits of weight 2^(-kDigitBits (position + 1)), an integer
  // below 2^kDigitBits.
  uint64_t Digit(size_t position, Randomness& random) {
    if (position == 0) return first_;
    while (rest_.size() < position) rest_.push_back(Draw(random));
    return rest_[position - 1];
  }

  bool BelowOneHalf() const { return (first_ >> (kDigitBits - 1)) == 0; }

 private:
  static uint64_t Draw(Randomness& random) {
    return random.Bits64() >> (64 - kDigitBits);
  }

  uint64_t first_;
  std::vector<uint64_t> rest_;
};

// Whether a < b, for two different numbers. They are equal with probability
// zero: the loop ends after 1/(1 - 2^-kDigitBits) groups on average.
template <int kDigitBits>
bool Less(LazyUniform<kDigitBits>& a, LazyUniform<kDigitBits>& b,
          Randomness& random) {
  for (size_t position = 0;; ++position) {
    const uint64_t digit_a = a.Digit(position, random);
    const uint64_t digit_b = b.Digit(position, random);
    if (digit_a != digit_b) return digit_a < digit_b;
  }
}

}  // namespace cloak

#endif  // CLOAK_PRIVACY_LAZY_UNIFORM_H_
