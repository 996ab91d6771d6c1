#ifndef CLOAK_PRIVACY_MPFR_NUMBER_H_
#define CLOAK_PRIVACY_MPFR_NUMBER_H_

// mpfr.h declares its functions of uintmax_t only after this header.
#include <cstdint>
#define MPFR_USE_INTMAX_T 1
#include <mpfr.h>

#include "cloak/privacy/integer128.h"

namespace cloak {

// Owns one MPFR number. It converts to mpfr_ptr, so that MPFR's functions are
// called directly: each names the direction in which it rounds, which an
// operator could not.
class MpfrNumber {
 public:
  explicit MpfrNumber(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  ~MpfrNumber() { mpfr_clear(value_); }
  MpfrNumber(const MpfrNumber&) = delete;
  MpfrNumber& operator=(const MpfrNumber&) = delete;

  operator mpfr_ptr() { return value_; }           // NOLINT: see above
  operator mpfr_srcptr() const { return value_; }  // NOLINT: see above

  bool negative() const { return mpfr_signbit(value_) != 0; }

  // Exact when the precision is at least 128 bits.
  void Set(Uint128 value, mpfr_rnd_t rounding) {
    mpfr_set_uj_2exp(value_, static_cast<uintmax_t>(value >> 64), 64, rounding);
    MpfrNumber low(64);
    mpfr_set_uj(low, static_cast<uintmax_t>(value), rounding);
    mpfr_add(value_, value_, low, rounding);
  }

 private:
  mpfr_t value_{};
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_MPFR_NUMBER_H_
