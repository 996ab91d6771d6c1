#include "cloak/privacy/analytic_gaussian.h"

#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/gmp_integer128.h"
#include "cloak/privacy/mpfr_number.h"

namespace cloak {
namespace {

// Enough for the 1 000 bits that cancel when delta is near the smallest
// double, several times over.
constexpr mpfr_prec_t kFirstPrecision = 128;
constexpr mpfr_prec_t kLastPrecision = 1 << 14;

mpfr_rnd_t Opposite(mpfr_rnd_t rounding) {
  return rounding == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU;
}

// result = Phi(x) = erfc(-x/sqrt(2))/2, rounded up (MPFR_RNDU) or down
// (MPFR_RNDD). x is overwritten.
void NormalCdf(MpfrNumber& result, MpfrNumber& x, mpfr_rnd_t rounding) {
  // erfc decreases, so its argument is rounded the other way. Dividing by too
  // large a root makes a positive argument smaller, but a negative one larger.
  const mpfr_rnd_t argument = Opposite(rounding);
  mpfr_neg(x, x, MPFR_RNDN);
  MpfrNumber root(mpfr_get_prec(x));
  mpfr_sqrt_ui(root, 2, x.negative() ? argument : Opposite(argument));
  mpfr_div(x, x, root, argument);
  mpfr_erfc(result, x, rounding);
  mpfr_div_2ui(result, result, 1, rounding);
}

// result = Phi(1/(2 sigma) - epsilon sigma)
//          - e^epsilon Phi(-1/(2 sigma) - epsilon sigma),
// an upper (MPFR_RNDU) or lower (MPFR_RNDD) bound.
void PrivacyCurve(MpfrNumber& result, double epsilon, double sigma,
                  mpfr_rnd_t rounding) {
  const mpfr_rnd_t other = Opposite(rounding);
  const mpfr_prec_t precision = mpfr_get_prec(result);
  MpfrNumber a(precision), x(precision), term(precision), weight(precision);
  // Both doubles are exact in any precision used here.
  const auto half_inverse_sigma = [&](MpfrNumber& out, mpfr_rnd_t direction) {
    mpfr_set_d(out, sigma, MPFR_RNDN);
    mpfr_mul_2ui(out, out, 1, MPFR_RNDN);
    mpfr_ui_div(out, 1, out, direction);
  };
  const auto epsilon_sigma = [&](MpfrNumber& out, mpfr_rnd_t direction) {
    mpfr_set_d(out, sigma, MPFR_RNDN);
    mpfr_mul_d(out, out, epsilon, direction);
  };

  half_inverse_sigma(a, rounding);
  epsilon_sigma(x, other);
  mpfr_sub(x, a, x, rounding);
  NormalCdf(result, x, rounding);

  // The second term is subtracted, so it is bounded the other way: its
  // argument -(1/(2 sigma) + epsilon sigma) too, hence the sum as `rounding`.
  epsilon_sigma(x, rounding);
  mpfr_add(x, a, x, rounding);
  mpfr_neg(x, x, MPFR_RNDN);
  NormalCdf(term, x, other);
  mpfr_set_d(weight, epsilon, MPFR_RNDN);
  mpfr_exp(weight, weight, other);
  mpfr_mul(term, term, weight, other);
  mpfr_sub(result, result, term, rounding);
}

// Whether (1) is certain. Undecided in the last precision counts as no.
bool IsPrivate(double epsilon, double delta, double sigma) {
  for (mpfr_prec_t precision = kFirstPrecision; precision <= kLastPrecision;
       precision *= 2) {
    MpfrNumber bound(precision);
    PrivacyCurve(bound, epsilon, sigma, MPFR_RNDU);
    // A bound that is not a number would compare as equal.
    if (mpfr_nan_p(bound) != 0) return false;
    if (mpfr_cmp_d(bound, delta) <= 0) return true;
    PrivacyCurve(bound, epsilon, sigma, MPFR_RNDD);
    if (mpfr_cmp_d(bound, delta) > 0) return false;
  }
  return false;
}

double Quotient(double a, double b, mpfr_rnd_t rounding) {
  MpfrNumber quotient(64);
  mpfr_set_d(quotient, a, MPFR_RNDN);
  mpfr_div_d(quotient, quotient, b, rounding);
  return mpfr_get_d(quotient, rounding);
}

}  // namespace

double GaussianDeltaUpper(double epsilon, double sigma) {
  RequireInput(epsilon >= 0 && epsilon <= Budget::kMaxEpsilon,
               "epsilon must be from 0 to ", Budget::kMaxEpsilon, ", but is ",
               epsilon);
  RequireInput(std::isfinite(sigma) && sigma > 0,
               "sigma must be finite and positive, but is ", sigma);
  for (mpfr_prec_t precision = kFirstPrecision;; precision *= 2) {
    MpfrNumber upper(precision), gap(precision);
    PrivacyCurve(upper, epsilon, sigma, MPFR_RNDU);
    PrivacyCurve(gap, epsilon, sigma, MPFR_RNDD);
    mpfr_sub(gap, upper, gap, MPFR_RNDU);
    mpfr_mul_2ui(gap, gap, 67, MPFR_RNDU);
    // Within 2^-67 of each other, or below every double: rounding to double is
    // then the only loss. In the last precision the bound is a bound still.
    if (mpfr_cmp(gap, upper) <= 0 || mpfr_cmp_d(upper, 0x1p-1074) <= 0 ||
        precision >= kLastPrecision) {
      return std::min(1.0, mpfr_get_d(upper, MPFR_RNDU));
    }
  }
}

double GaussianDeltaOfMu(double epsilon, double mu) {
  if (mu == 0) return 0;
  MpfrNumber upper(kFirstPrecision);
  PrivacyCurve(upper, epsilon, Below(1 / mu), MPFR_RNDU);
  RequirePrivacy(mpfr_nan_p(upper) == 0, "the delta of mu ", mu, " at epsilon ",
                 epsilon, " cannot be computed");
  return std::min(1.0, mpfr_get_d(upper, MPFR_RNDU));
}

double GaussianEpsilonOfMu(double mu, double delta) {
  const auto enough = [&](double epsilon) {
    return GaussianDeltaOfMu(epsilon, mu) <= delta;
  };
  if (enough(0)) return 0;
  if (!enough(Budget::kMaxEpsilon)) {
    return std::numeric_limits<double>::infinity();
  }
  return SmallestDouble(0, Budget::kMaxEpsilon, enough);
}

double GaussianMu(const Budget& budget) {
  const auto is_private = [&](double sigma) {
    return IsPrivate(budget.epsilon(), budget.delta(), sigma);
  };
  constexpr double kLargest = std::numeric_limits<double>::max();
  RequirePrivacy(is_private(kLargest),
                 "no finite noise can be shown to give epsilon ",
                 budget.epsilon(), " and delta ", budget.delta());
  return Quotient(1, SmallestDouble(0, kLargest, is_private), MPFR_RNDD);
}

double GaussianSigma(const Budget& budget) {
  return Quotient(1, GaussianMu(budget), MPFR_RNDU);
}

double PublishedGaussianSigma(const Budget& budget) {
  return std::sqrt(2 * std::log(2 / budget.delta())) / budget.epsilon();
}

Uint128 SigmaInUnits(double sigma, Uint128 sensitivity_squared) {
  RequirePrivacy(std::isfinite(sigma) && sigma > 0,
                 "sigma must be finite and positive, but is ", sigma);
  RequirePrivacy(sensitivity_squared > 0,
                 "the sensitivity must be positive, but is 0: the exact "
                 "statistic would be released");
  // sigma = m 2^exponent with an integer m. For integers s and exponent < 0,
  //   s >= sigma Delta  <=>  s 2^-exponent >= sqrt(m^2 Delta^2)
  //                     <=>  s 2^-exponent >= ceil(sqrt(m^2 Delta^2)).
  int exponent = 0;
  const double fraction = std::frexp(sigma, &exponent);
  exponent -= 53;
  const auto m = static_cast<unsigned long>(std::ldexp(fraction, 53));
  mpz_class square = ToGmp(sensitivity_squared) * m * m;
  if (exponent > 0) square <<= 2 * static_cast<unsigned long>(exponent);
  mpz_class root = sqrt(square);
  if (root * root < square) ++root;
  if (exponent < 0) {
    mpz_cdiv_q_2exp(root.get_mpz_t(), root.get_mpz_t(),
                    static_cast<mp_bitcnt_t>(-exponent));
  }
  return FromGmp(root);
}

}  // namespace cloak
