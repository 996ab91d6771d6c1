#ifndef CLOAK_PRIVACY_DISCRETE_GAUSSIAN_H_
#define CLOAK_PRIVACY_DISCRETE_GAUSSIAN_H_

#include <cstdint>

#include "cloak/privacy/discrete_laplace.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// The discrete Gaussian distribution of parameter sigma^2 = n/d, sampled
// exactly:
//   P(x) proportional to exp(-x^2/(2 sigma^2)),  x an integer.
// Its variance is at most sigma^2. (Canonne, Kamath and Steinke 2020,
// Algorithm 3.)
class DiscreteGaussian {
 public:
  static constexpr uint64_t kMaxTerm = uint64_t{1} << 48;

  // sigma^2 is n/d. Throws PrivacyFailure unless both are from 1 to kMaxTerm.
  DiscreteGaussian(uint64_t n, uint64_t d);

  // Throws PrivacyFailure with probability below exp(-2^12), when 128 bits do
  // not suffice.
  Int128 Draw(Randomness& random) const;

  uint64_t n() const { return n_; }
  uint64_t d() const { return d_; }

 private:
  uint64_t n_;
  uint64_t d_;
  // Of scale floor(sigma) + 1.
  DiscreteLaplace proposal_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_DISCRETE_GAUSSIAN_H_
