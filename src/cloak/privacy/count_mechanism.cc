#include "cloak/privacy/count_mechanism.h"

#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/exact_normal.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/mpfr_number.h"
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

// Counts with Gaussian noise are published in steps of 2^-30.
constexpr int kFractionBits = 30;

void ValidateSensitivity(uint64_t sensitivity) {
  RequireInput(sensitivity >= 1 && sensitivity <= uint64_t{1} << 32,
               "the sensitivity of counts must be from 1 to 2^32, but is ",
               sensitivity);
}

// numerator/2^shift, the smallest such fraction that is at least `value`, with
// about `bits` binary digits in the numerator when `value` has not more before
// its point.
struct Fraction {
  uint64_t numerator = 0;
  int shift = 0;
};
Fraction RoundUpFraction(const mpq_class& value, int bits, int max_shift,
                         uint64_t max_numerator) {
  const auto size = [](const mpz_class& integer) {
    return static_cast<int>(mpz_sizeinbase(integer.get_mpz_t(), 2));
  };
  const int exponent = size(value.get_num()) - size(value.get_den());
  Fraction result;
  result.shift = std::clamp(bits - exponent, 0, max_shift);
  const mpz_class scaled = value.get_num()
                           << static_cast<mp_bitcnt_t>(result.shift);
  mpz_class quotient;
  mpz_cdiv_q(quotient.get_mpz_t(), scaled.get_mpz_t(),
             value.get_den().get_mpz_t());
  RequirePrivacy(quotient >= 1 && quotient <= mpz_class(max_numerator),
                 "the budget is so small that its noise is beyond what can be "
                 "sampled; nothing was released");
  result.numerator = quotient.get_ui();
  return result;
}

// sensitivity 2^shift/numerator, rounded up: what the noise really costs.
double Spent(uint64_t sensitivity, const Fraction& scale) {
  MpfrNumber result(128);
  result.Set(sensitivity, MPFR_RNDU);
  mpfr_mul_2si(result, result, scale.shift, MPFR_RNDU);
  mpfr_div_ui(result, result, scale.numerator, MPFR_RNDU);
  return mpfr_get_d(result, MPFR_RNDU);
}

mpq_class Exact(uint64_t value) { return mpq_class(mpz_class(value)); }

Int128 DrawOne(const ExactGaussian& noise, Randomness& random) {
  return RoundedNormal(noise.scale(), random);
}
Int128 DrawOne(const DiscreteLaplace& noise, Randomness& random) {
  return noise.Draw(random);
}

}  // namespace

CountMechanism CountMechanism::Laplace(uint64_t l1_sensitivity,
                                       double epsilon) {
  ValidateSensitivity(l1_sensitivity);
  RequireInput(epsilon > 0 && epsilon <= Budget::kMaxEpsilon,
               "epsilon must be positive and at most ", Budget::kMaxEpsilon,
               ", but is ", epsilon);
  const Fraction scale =
      RoundUpFraction(Exact(l1_sensitivity) / mpq_class(epsilon), 40, 62,
                      DiscreteLaplace::kMaxTerm);
  const double spent = Spent(l1_sensitivity, scale);
  return CountMechanism(
      DiscreteLaplace(scale.numerator, uint64_t{1} << scale.shift), spent,
      kInfinity);
}

CountMechanism CountMechanism::Gaussian(uint64_t squared_l2_sensitivity,
                                        double sigma) {
  ValidateSensitivity(squared_l2_sensitivity);
  const ExactGaussian gaussian(
      Uint128{squared_l2_sensitivity} << (2 * kFractionBits), sigma,
      std::ldexp(1.0, -kFractionBits));
  return CountMechanism(gaussian, kInfinity, gaussian.mu());
}

double CountMechanism::step() const {
  const auto* gaussian = std::get_if<ExactGaussian>(&noise_);
  return gaussian != nullptr ? gaussian->step() : 1;
}

double CountMechanism::noise_sd() const {
  if (const auto* gaussian = std::get_if<ExactGaussian>(&noise_)) {
    return gaussian->sd();
  }
  const auto& laplace = std::get<DiscreteLaplace>(noise_);
  const double rate =
      static_cast<double>(laplace.s()) / static_cast<double>(laplace.t());
  return 1 / (std::sqrt(2.0) * std::sinh(rate / 2));
}

std::vector<Int128> CountMechanism::Release(
    const Secret<std::vector<int64_t>>& counts, Randomness& random) const {
  const MechanismKey key;
  const size_t size = counts.Open(key).size();
  return ReleaseTally(
      size,
      [&](Scratch<int64_t>& exact) {
        for (size_t k = 0; k < size; ++k) {
          exact[static_cast<Index>(k)] = counts.Open(key)[k];
        }
      },
      random);
}

std::vector<Int128> CountMechanism::ReleaseTally(
    size_t size, const std::function<void(Scratch<int64_t>&)>& tally,
    Randomness& random) const {
  // The noise comes first: when it fails, no count has been read. Growing
  // would leave copies of the bare noise in freed memory.
  std::vector<Int128> noisy;
  noisy.reserve(size);
  for (size_t k = 0; k < size; ++k) {
    noisy.push_back(std::visit(
        [&](const auto& noise) { return DrawOne(noise, random); }, noise_));
  }
  Scratch<int64_t> exact(static_cast<Index>(size));
  tally(exact);
  const int64_t per_count = std::holds_alternative<ExactGaussian>(noise_)
                                ? int64_t{1} << kFractionBits
                                : 1;
  for (size_t k = 0; k < size; ++k) {
    noisy[k] =
        CheckedAdd(noisy[k], Int128{exact[static_cast<Index>(k)]} * per_count);
  }
  return noisy;
}

}  // namespace cloak
