#ifndef CLOAK_AUDIT_NOISE_GRID_H_
#define CLOAK_AUDIT_NOISE_GRID_H_

#include <vector>

#include "cloak/privacy/integer128.h"

namespace cloak {

// Does noise that should be round(s N), N exact normals, leave out integers?
// Noise made of doubles does (Mironov 2012): it lies on a grid that is coarser
// than the units, so that a published number is possible from one table and
// impossible from its neighbour, and the privacy loss is infinite however
// large the noise is.
//
// Returns the smallest of kGridTests p-values:
// - their differences have no common divisor: that of n exact normals has one
//   with probability below 2^(2-n), so this p-value is 0 or 1. It sees noise
//   that is all on one grid;
// - the remainders by 2^8 are uniform (chi-square). For an exact normal they
//   are, up to 2 exp(-2 pi^2 s^2/2^16), by Poisson's summation formula. It sees
//   noise whose larger part is on a grid, as sums of doubles are;
// - no value comes back more often than those of n exact normals, of which
//   n^2/(4 s sqrt(pi)) pairs coincide on average (Poisson). It sees grids of
//   any kind with fewer than about n^2 points.
//
// Throws InvalidInput unless there are at least 10^4 numbers and s >= 2^12.
double NoiseGridPValue(std::vector<Int128> noise, double s);

inline constexpr int kGridTests = 3;

}  // namespace cloak

#endif  // CLOAK_AUDIT_NOISE_GRID_H_
