#ifndef CLOAK_LINALG_BOXES_H_
#define CLOAK_LINALG_BOXES_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// Products of intervals, one in each row: lower ≤ x ≤ upper in every input.
// Where the two are equal it is a point.
struct Boxes {
  Matrix lower;
  Matrix upper;
};

}  // namespace cloak

#endif  // CLOAK_LINALG_BOXES_H_
