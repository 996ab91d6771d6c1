#ifndef CLOAK_MODELS_ROWS_LARGEST_SUM_H_
#define CLOAK_MODELS_ROWS_LARGEST_SUM_H_

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// max Σ_j k(x, z_j)² over lower ≤ x ≤ upper, up to rounding, or a little more:
// at most a thousandth, unless there are so many points or inputs that this
// would take long. For a kernel that decreases with the distance in every
// input (KernelShape).
//
// Branch and bound: over a box of x, each term is at most its value at the
// point of the box that is nearest to z_j, input by input, because k decreases
// with the distance in each; so their sum is an upper bound for the box, and
// the sum at its middle a lower bound of the maximum. Boxes are halved, those
// with the largest bound first.
double LargestSquaredNorm(const Kernel& kernel, const Matrix& Z,
                          const Vector& lower, const Vector& upper);

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_LARGEST_SUM_H_
