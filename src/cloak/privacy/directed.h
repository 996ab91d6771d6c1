#ifndef CLOAK_PRIVACY_DIRECTED_H_
#define CLOAK_PRIVACY_DIRECTED_H_

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

// Correctly rounded (MPFR), up or down. x is any number, y >= 0.
double ExpUp(double x);
double ExpDown(double x);
// 1 - exp(-y).
double OneMinusExpUp(double y);
double OneMinusExpDown(double y);

// The next double above: for a single operation rounded to nearest.
double Above(double x);
double Below(double x);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_DIRECTED_H_
