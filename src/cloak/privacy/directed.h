#ifndef CLOAK_PRIVACY_DIRECTED_H_
#define CLOAK_PRIVACY_DIRECTED_H_

#include <bit>
#include <cstdint>

#include "cloak/privacy/integer128.h"

namespace cloak {

// Doubles with a known direction of error, for bounds that must hold.

// An upper bound of a result x >= 0 of at most six operations on numbers that
// are not negative, each rounded to nearest, none of which underflows: they err
// by at most 2^-53 each, and so does this product. 0 stays 0.
inline double Up(double x) { return x * (1 + 0x1p-50); }
// The same after at most `roundings` operations, up to 2^40.
inline double Up(double x, double roundings) {
  return x * (1 + (roundings + 4) * 0x1p-52);
}

// An upper bound of a + b, both at least 0; exact when one is 0.
inline double SumUp(double a, double b) {
  return a == 0 ? b : (b == 0 ? a : Up(a + b));
}
// An upper bound of times * x, x >= 0; exact for once.
inline double TimesUp(double times, double x) {
  return times == 1 ? x : Up(times * x);
}

// An upper bound of x^2, which may underflow.
inline double SquareUp(double x) { return Up(x * x) + 0x1p-1000; }

// At least √squared times factor >= 0, and hardly more.
double RootUp(Uint128 squared, double factor);

// Correctly rounded (MPFR), up or down. x is any number, y >= 0.
double ExpUp(double x);
double ExpDown(double x);
// 1 - exp(-y).
double OneMinusExpUp(double y);
double OneMinusExpDown(double y);

// The smallest x > low, up to high, at which `enough` holds, given that it
// holds at high and not at low >= 0, and once it holds keeps holding. Positive
// doubles are ordered as their bits are, so that 64 questions do.
template <typename Enough>
double SmallestDouble(double low, double high, const Enough& enough) {
  uint64_t too_little = std::bit_cast<uint64_t>(low);
  uint64_t most = std::bit_cast<uint64_t>(high);
  while (most - too_little > 1) {
    const uint64_t middle = too_little + (most - too_little) / 2;
    (enough(std::bit_cast<double>(middle)) ? most : too_little) = middle;
  }
  return std::bit_cast<double>(most);
}

// The next double above: for a single operation rounded to nearest.
double Above(double x);
double Below(double x);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_DIRECTED_H_
