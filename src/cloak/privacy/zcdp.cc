#include "cloak/privacy/zcdp.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/mpfr_number.h"

namespace cloak {
namespace {

constexpr mpfr_prec_t kZcdpPrecision = 256;

// The a = alpha - 1 for which (1) is smallest: where the derivative of its
// logarithm, (2a + 1) rho - epsilon + log(a/(a + 1)), which increases, is 0.
// It need not be accurate: (1) holds for every alpha.
double BestOrder(double rho, double epsilon) {
  double low = -700;
  double high = 700;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    const double a = std::exp(middle);
    const double slope = (2 * a + 1) * rho - epsilon - std::log1p(1 / a);
    (slope < 0 ? low : high) = middle;
  }
  return std::exp(low);
}

// log of (1) with a = alpha - 1, rounded up:
//   a (a + 1) rho + a log(a) - a epsilon - (a + 1) log(a + 1).
void LogDelta(MpfrNumber& result, double a, double rho, double epsilon) {
  MpfrNumber up(kZcdpPrecision), down(kZcdpPrecision), term(kZcdpPrecision);
  mpfr_set_d(up, a, MPFR_RNDU);
  mpfr_add_ui(up, up, 1, MPFR_RNDU);
  mpfr_mul_d(up, up, a, MPFR_RNDU);
  mpfr_mul_d(result, up, rho, MPFR_RNDU);

  mpfr_set_d(term, a, MPFR_RNDU);
  mpfr_log(term, term, MPFR_RNDU);
  mpfr_mul_d(term, term, a, MPFR_RNDU);
  mpfr_add(result, result, term, MPFR_RNDU);

  mpfr_set_d(term, a, MPFR_RNDD);
  mpfr_mul_d(term, term, epsilon, MPFR_RNDD);
  mpfr_sub(result, result, term, MPFR_RNDU);

  mpfr_set_d(down, a, MPFR_RNDD);
  mpfr_add_ui(down, down, 1, MPFR_RNDD);
  mpfr_log(term, down, MPFR_RNDD);
  mpfr_mul(term, term, down, MPFR_RNDD);
  mpfr_sub(result, result, term, MPFR_RNDU);
}

}  // namespace

double ZcdpDeltaUpper(double rho, double epsilon) {
  RequireInput(std::isfinite(rho) && rho > 0,
               "rho must be finite and positive, but is ", rho);
  RequireInput(epsilon > 0 && epsilon <= Budget::kMaxEpsilon,
               "epsilon must be positive and at most ", Budget::kMaxEpsilon,
               ", but is ", epsilon);
  MpfrNumber delta(kZcdpPrecision);
  LogDelta(delta, BestOrder(rho, epsilon), rho, epsilon);
  mpfr_exp(delta, delta, MPFR_RNDU);
  const double upper = mpfr_get_d(delta, MPFR_RNDU);
  // What is not a number bounds nothing.
  return std::isnan(upper) ? 1 : std::min(1.0, upper);
}

double ZcdpRho(const Budget& budget) {
  // Positive doubles are ordered as their bits are. Invariant: `enough` is
  // certified.
  const auto is_private = [&](uint64_t bits) {
    return ZcdpDeltaUpper(std::bit_cast<double>(bits), budget.epsilon()) <=
           budget.delta();
  };
  uint64_t enough = std::bit_cast<uint64_t>(std::numeric_limits<double>::min());
  uint64_t too_much =
      std::bit_cast<uint64_t>(std::numeric_limits<double>::max());
  RequirePrivacy(is_private(enough), "no rho can be shown to give epsilon ",
                 budget.epsilon(), " and delta ", budget.delta());
  while (too_much - enough > 1) {
    const uint64_t middle = enough + (too_much - enough) / 2;
    (is_private(middle) ? enough : too_much) = middle;
  }
  return std::bit_cast<double>(enough);
}

}  // namespace cloak
