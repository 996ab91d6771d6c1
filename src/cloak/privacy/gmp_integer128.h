#ifndef CLOAK_PRIVACY_GMP_INTEGER128_H_
#define CLOAK_PRIVACY_GMP_INTEGER128_H_

#include <gmpxx.h>

#include "cloak/base/error.h"
#include "cloak/privacy/integer128.h"

namespace cloak {

// Between 128-bit integers and GMP's integers of any length, exactly.

static_assert(sizeof(unsigned long) == 8, "GMP takes words of 64 bits");

inline mpz_class ToGmp(Uint128 value) {
  mpz_class result(static_cast<unsigned long>(value >> 64));
  result <<= 64;
  result += static_cast<unsigned long>(value);
  return result;
}

// Throws PrivacyFailure when it does not fit.
inline Uint128 FromGmp(const mpz_class& value) {
  RequirePrivacy(sgn(value) >= 0 && mpz_sizeinbase(value.get_mpz_t(), 2) <= 128,
                 "an integer of more than 128 bits would be needed; nothing "
                 "was released");
  const mpz_class high = value >> 64;
  // get_ui gives the lowest 64 bits.
  return (Uint128{high.get_ui()} << 64) | Uint128{value.get_ui()};
}

// The largest integer of which the square is at most x.
inline Uint128 RootDown(Uint128 x) { return FromGmp(sqrt(ToGmp(x))); }

}  // namespace cloak

#endif  // CLOAK_PRIVACY_GMP_INTEGER128_H_
