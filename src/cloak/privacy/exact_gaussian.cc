#include "cloak/privacy/exact_gaussian.h"

#include <limits>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/exact_normal.h"
#include "cloak/privacy/mpfr_number.h"

namespace cloak {
namespace {

Uint128 NoiseScale(double sigma, Uint128 sensitivity_squared) {
  const Uint128 scale = SigmaInUnits(sigma, sensitivity_squared);
  RequirePrivacy(scale <= ExactNormal::kMaxSigma,
                 "the budget is so small that it needs noise of more than "
                 "2^100 units, ",
                 sigma, " times the sensitivity; nothing was released");
  return scale;
}

// sqrt(sensitivity_squared)/scale, rounded up.
double MuUp(Uint128 sensitivity_squared, Uint128 scale) {
  MpfrNumber delta(128), sigma(128);
  delta.Set(sensitivity_squared, MPFR_RNDU);
  mpfr_sqrt(delta, delta, MPFR_RNDU);
  sigma.Set(scale, MPFR_RNDD);
  mpfr_div(delta, delta, sigma, MPFR_RNDU);
  return mpfr_get_d(delta, MPFR_RNDU);
}

}  // namespace

DrawnNoise::DrawnNoise(Uint128 scale, Index count, Randomness& random) {
  // Growing would leave copies of the bare noise in freed memory.
  noise_.reserve(static_cast<size_t>(count));
  for (Index k = 0; k < count; ++k) {
    noise_.push_back(RoundedNormal(scale, random));
  }
}

std::vector<Int128> DrawnNoise::AddTo(const Scratch<Int128>& t) && {
  RequirePrivacy(t.size() == static_cast<Index>(noise_.size()),
                 "there is noise for ", noise_.size(), " numbers, but there ",
                 "are ", t.size(), "; nothing was released");
  for (Index k = 0; k < t.size(); ++k) {
    Int128& noise = noise_[static_cast<size_t>(k)];
    noise = CheckedAdd(noise, t[k]);
  }
  return std::move(noise_);
}

ExactGaussian::ExactGaussian(Uint128 sensitivity_squared, double sigma,
                             double step)
    : sensitivity_squared_(sensitivity_squared),
      scale_(NoiseScale(sigma, sensitivity_squared)),
      mu_(MuUp(sensitivity_squared, scale_)),
      step_(step) {}

double ExactGaussian::sensitivity() const {
  return RootUp(sensitivity_squared_, step_);
}

DrawnNoise ExactGaussian::Draw(Index count, Randomness& random) const {
  return DrawnNoise(scale_, count, random);
}

Vector ExactGaussian::Value(const std::vector<Int128>& integers) const {
  Vector value(static_cast<Index>(integers.size()));
  for (size_t k = 0; k < integers.size(); ++k) {
    value(static_cast<Index>(k)) = static_cast<double>(integers[k]) * step_;
  }
  return value;
}

double ValidStep(double step, std::string_view what, std::string_view remedy) {
  RequireInput(step >= std::numeric_limits<double>::min() && step <= 0x1p896,
               what, " too ", step < 1 ? "small" : "large",
               " for double precision; ", remedy);
  return step;
}

}  // namespace cloak
