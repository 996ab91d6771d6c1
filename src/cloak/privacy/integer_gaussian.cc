#include "cloak/privacy/integer_gaussian.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/exact_normal.h"
#include "cloak/privacy/mpfr_number.h"

namespace cloak {

Uint128 GaussianScale(double sigma, Uint128 sensitivity_squared) {
  const Uint128 scale = SigmaInUnits(sigma, sensitivity_squared);
  RequirePrivacy(scale <= ExactNormal::kMaxSigma,
                 "the budget is so small that it needs noise of more than "
                 "2^100 units, ",
                 sigma, " times the sensitivity; nothing was released");
  return scale;
}

double GaussianMu(Uint128 sensitivity_squared, Uint128 scale) {
  MpfrNumber delta(128), sigma(128);
  delta.Set(sensitivity_squared, MPFR_RNDU);
  mpfr_sqrt(delta, delta, MPFR_RNDU);
  sigma.Set(scale, MPFR_RNDD);
  mpfr_div(delta, delta, sigma, MPFR_RNDU);
  return mpfr_get_d(delta, MPFR_RNDU);
}

double SensitivityUp(Uint128 sensitivity_squared, double unit) {
  MpfrNumber delta(128);
  delta.Set(sensitivity_squared, MPFR_RNDU);
  mpfr_sqrt(delta, delta, MPFR_RNDU);
  mpfr_mul_d(delta, delta, unit, MPFR_RNDU);
  return mpfr_get_d(delta, MPFR_RNDU);
}

std::vector<Int128> GaussianNoise(Uint128 scale, Index count,
                                  Randomness& random) {
  std::vector<Int128> noise;
  // Growing would leave copies of the bare noise in freed memory.
  noise.reserve(static_cast<size_t>(count));
  for (Index k = 0; k < count; ++k) {
    noise.push_back(RoundedNormal(scale, random));
  }
  return noise;
}

}  // namespace cloak
