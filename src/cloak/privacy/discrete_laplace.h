#ifndef CLOAK_PRIVACY_DISCRETE_LAPLACE_H_
#define CLOAK_PRIVACY_DISCRETE_LAPLACE_H_

#include <cstdint>

#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// The discrete Laplace distribution of scale t/s, sampled exactly:
//   P(x) = (1 - e^(-s/t))/(1 + e^(-s/t)) e^(-|x| s/t),  x an integer.
// (Canonne, Kamath and Steinke 2020, Algorithm 2.)
class DiscreteLaplace {
 public:
  static constexpr uint64_t kMaxTerm = uint64_t{1} << 62;

  // The scale is t/s. Throws PrivacyFailure unless both are from 1 to
  // kMaxTerm.
  DiscreteLaplace(uint64_t t, uint64_t s);

  Int128 Draw(Randomness& random) const;

  uint64_t t() const { return t_; }
  uint64_t s() const { return s_; }

 private:
  uint64_t t_;
  uint64_t s_;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_DISCRETE_LAPLACE_H_
