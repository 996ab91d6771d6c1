#ifndef CLOAK_LINALG_SPREAD_POINTS_H_
#define CLOAK_LINALG_SPREAD_POINTS_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// Points spread evenly over a box: multiples of irrational numbers, the powers
// of the root of g^(D+1) = g + 1 (Roberts 2018).
Matrix SpreadPoints(const Vector& lower, const Vector& upper, Index count);

}  // namespace cloak

#endif  // CLOAK_LINALG_SPREAD_POINTS_H_
