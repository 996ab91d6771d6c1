#include "cloak/privacy/directed.h"

#include <cmath>

#include "cloak/base/special_values.h"
#include "cloak/privacy/mpfr_number.h"

namespace cloak {
namespace {

constexpr mpfr_prec_t kDouble = 53;

double Exp(double x, mpfr_rnd_t rounding) {
  MpfrNumber result(kDouble);
  mpfr_set_d(result, x, MPFR_RNDN);
  mpfr_exp(result, result, rounding);
  return mpfr_get_d(result, rounding);
}

// -expm1(-y): the sign turns the direction round.
double OneMinusExp(double y, mpfr_rnd_t opposite) {
  MpfrNumber result(kDouble);
  mpfr_set_d(result, -y, MPFR_RNDN);
  mpfr_expm1(result, result, opposite);
  return -mpfr_get_d(result, opposite);
}

}  // namespace

double RootUp(Uint128 squared, double factor) {
  MpfrNumber root(128);
  root.Set(squared, MPFR_RNDU);
  mpfr_sqrt(root, root, MPFR_RNDU);
  mpfr_mul_d(root, root, factor, MPFR_RNDU);
  return mpfr_get_d(root, MPFR_RNDU);
}

double ExpUp(double x) { return Exp(x, MPFR_RNDU); }
double ExpDown(double x) { return Exp(x, MPFR_RNDD); }
double OneMinusExpUp(double y) { return OneMinusExp(y, MPFR_RNDD); }
double OneMinusExpDown(double y) { return OneMinusExp(y, MPFR_RNDU); }

double Above(double x) { return std::nextafter(x, kInfinity); }
double Below(double x) { return std::nextafter(x, -kInfinity); }

}  // namespace cloak
