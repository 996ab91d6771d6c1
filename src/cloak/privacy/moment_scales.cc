#include "cloak/privacy/moment_scales.h"

#include <gmpxx.h>

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/exact_normal.h"
#include "cloak/privacy/gmp_integer128.h"
#include "cloak/privacy/mpfr_number.h"

namespace cloak {
namespace {

// Far above the errors of the floating-point formulas that propose scales, and
// far below anything that matters.
constexpr double kScaleMargin = 1 + 0x1p-40;

Uint128 RoundUpScale(double scale) {
  const double rounded = std::ceil(scale);
  RequirePrivacy(
      rounded >= 1 && rounded <= static_cast<double>(ExactNormal::kMaxSigma),
      "noise of ", scale,
      " units would be needed, and it must be from 1 to 2^100; choose a "
      "larger budget, or a ratio of the noise of A and B nearer to 1; "
      "nothing was released");
  return static_cast<Uint128>(rounded);
}

// The smallest o with 2 o^2 >= b^2.
Uint128 OverRootTwo(Uint128 b) {
  const mpz_class half = (ToGmp(b) * ToGmp(b) + 1) / 2;
  mpz_class root = sqrt(half);
  if (root * root < half) ++root;
  return FromGmp(root);
}

mpq_class Ratio(const mpz_class& numerator, const mpz_class& denominator) {
  mpq_class ratio(numerator, denominator);
  ratio.canonicalize();
  return ratio;
}

}  // namespace

double MomentMu(Uint128 K, Uint128 Q, const MomentScales& scales) {
  const mpz_class a = ToGmp(scales.first);
  const mpz_class b = ToGmp(scales.diagonal);
  const mpz_class o = ToGmp(scales.off_diagonal);
  RequirePrivacy(K > 0 && Q > 0 && a > 0 && b > 0 && 2 * o * o >= b * b,
                 "the noise off the diagonal of B is less than that on it "
                 "over the root of two; nothing was released");
  const mpz_class K2 = ToGmp(K) * ToGmp(K);
  const mpz_class Q2 = ToGmp(Q) * ToGmp(Q);
  const mpz_class a2 = a * a;
  const mpz_class b2 = b * b;
  const bool top_is_beyond = Q2 * b2 >= 2 * K2 * a2;
  const mpq_class squared =
      top_is_beyond
          ? Ratio(4 * Q2 * K2, a2)
          : mpq_class(Ratio(2 * Q2 * K2, a2) + Ratio(2 * K2 * K2, b2) +
                      Ratio(Q2 * Q2 * b2, 2 * a2 * a2));
  MpfrNumber mu(128);
  mpfr_set_q(mu, squared.get_mpq_t(), MPFR_RNDU);
  mpfr_sqrt(mu, mu, MPFR_RNDU);
  return mpfr_get_d(mu, MPFR_RNDU);
}

double MomentSensitivity(double K, double Q, double ratio, MomentBound bound) {
  const double c = ratio * ratio;
  const double K2 = K * K;
  const double Q2 = Q * Q;
  const double published = 2 * Q2 * K2 + 2 * c * K2 * K2 + Q2 * Q2 / (2 * c);
  const bool top_is_beyond = Q2 >= 2 * c * K2;
  const double exact = top_is_beyond ? 4 * Q2 * K2 : published;
  RequirePrivacy(published >= exact * (1 - 0x1p-40),
                 "the published sensitivity is less than the exact one; "
                 "nothing was released");
  return std::sqrt(bound == MomentBound::kExact ? exact : published);
}

MomentScales CalibrateMoments(Uint128 K, Uint128 Q, double ratio, double sigma,
                              MomentBound bound) {
  RequirePrivacy(
      std::isfinite(ratio) && ratio > 0 && std::isfinite(sigma) && sigma > 0,
      "the ratio of the noise of A and B and the noise must be "
      "finite and positive, but are ",
      ratio, " and ", sigma);
  const double first =
      sigma * MomentSensitivity(static_cast<double>(K), static_cast<double>(Q),
                                ratio, bound);
  MomentScales scales;
  scales.first = RoundUpScale(first * kScaleMargin);
  scales.diagonal = RoundUpScale(first / ratio * kScaleMargin);
  scales.off_diagonal = OverRootTwo(scales.diagonal);
  MpfrNumber budget(128);
  mpfr_set_ui(budget, 1, MPFR_RNDN);
  mpfr_div_d(budget, budget, sigma, MPFR_RNDD);
  RequirePrivacy(
      MomentMu(K, Q, scales) <= mpfr_get_d(budget, MPFR_RNDD),
      "the noise of the moments could not be certified; nothing was released");
  return scales;
}

}  // namespace cloak
