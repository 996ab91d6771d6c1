#ifndef CLOAK_DESIGN_ROW_SPACE_H_
#define CLOAK_DESIGN_ROW_SPACE_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// C = basis · coordinates, coordinates with orthonormal rows, on the numerical
// range of C. A smooth process has a C of rank 10 to 100 whatever its size;
// what lies outside is projected away from what is released. (A
// pseudo-inverse of the noise covariance would hide those components from the
// noise, and publish them.)
struct RowSpace {
  Matrix basis;        // P x r
  Matrix coordinates;  // r x N
};

// Throws InvalidInput when C is zero: nothing to release.
RowSpace NumericalRowSpace(const Matrix& C);

}  // namespace cloak

#endif  // CLOAK_DESIGN_ROW_SPACE_H_
