#include "cloak/privacy/integer128.h"

#include <algorithm>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// Not RequirePrivacy, which would build its message on every sum.
void RefuseOverflow(bool overflow) {
  if (overflow) {
    throw PrivacyFailure(
        "an integer of more than 128 bits would be needed; nothing was "
        "released");
  }
}

}  // namespace

Int128 CheckedAdd(Int128 a, Int128 b) {
  Int128 sum = 0;
  RefuseOverflow(__builtin_add_overflow(a, b, &sum));
  return sum;
}

Uint128 CheckedAdd(Uint128 a, Uint128 b) {
  Uint128 sum = 0;
  RefuseOverflow(__builtin_add_overflow(a, b, &sum));
  return sum;
}

Int128 CheckedMultiply(Int128 a, Int128 b) {
  Int128 product = 0;
  RefuseOverflow(__builtin_mul_overflow(a, b, &product));
  return product;
}

Uint128 CheckedMultiply(Uint128 a, Uint128 b) {
  Uint128 product = 0;
  RefuseOverflow(__builtin_mul_overflow(a, b, &product));
  return product;
}

std::string DecimalText(Uint128 value) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string DecimalText(Int128 value) {
  // The absolute value of the smallest Int128 fits only an unsigned.
  if (value < 0) return Text('-', DecimalText(Uint128{0} - Uint128(value)));
  return DecimalText(Uint128(value));
}

Uint128 ParseUint128(std::string_view text, std::string_view what) {
  Uint128 value = 0;
  bool valid = !text.empty();
  for (const char c : text) {
    valid =
        valid && c >= '0' && c <= '9' &&
        !__builtin_mul_overflow(value, Uint128{10}, &value) &&
        !__builtin_add_overflow(value, static_cast<Uint128>(c - '0'), &value);
  }
  RequireInput(valid, what, " must be a whole number of at most 128 bits",
               ", but is '", text, "'");
  return value;
}

Int128 ParseInt128(std::string_view text, std::string_view what) {
  const bool negative = text.starts_with('-');
  const Uint128 magnitude =
      ParseUint128(negative ? text.substr(1) : text, what);
  const Uint128 limit = Uint128(kMaxInt128) + (negative ? 1 : 0);
  RequireInput(magnitude <= limit, what, " must fit in 128 bits, but is '",
               text, "'");
  return static_cast<Int128>(negative ? Uint128{0} - magnitude : magnitude);
}

}  // namespace cloak
