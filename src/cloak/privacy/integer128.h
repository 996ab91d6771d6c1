#ifndef CLOAK_PRIVACY_INTEGER128_H_
#define CLOAK_PRIVACY_INTEGER128_H_

#include <string>
#include <string_view>

namespace cloak {

// The privacy-critical arithmetic is done in integers of this width.
// (__extension__: they are not ISO C++, but every compiler we support has
// them.)
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

constexpr Uint128 kMaxUint128 = ~Uint128{0};
constexpr Int128 kMaxInt128 = static_cast<Int128>(kMaxUint128 >> 1);
constexpr Int128 kMinInt128 = -kMaxInt128 - 1;

// Exact sums and products. Throw PrivacyFailure when the exact result does not
// fit: wrapping round would silently break the bound that is being computed.
Int128 CheckedAdd(Int128 a, Int128 b);
Uint128 CheckedAdd(Uint128 a, Uint128 b);
Int128 CheckedMultiply(Int128 a, Int128 b);
Uint128 CheckedMultiply(Uint128 a, Uint128 b);

// Decimal digits, with a '-' in front when negative.
std::string DecimalText(Int128 value);
std::string DecimalText(Uint128 value);

// Reads the whole of `text`, an optional '-' and decimal digits; throws
// InvalidInput that begins with `what` when it is anything else or does not
// fit in 128 bits.
Int128 ParseInt128(std::string_view text, std::string_view what);
Uint128 ParseUint128(std::string_view text, std::string_view what);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_INTEGER128_H_
