#ifndef CLOAK_LINALG_SYMMETRIC_EIGEN_H_
#define CLOAK_LINALG_SYMMETRIC_EIGEN_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// A = vectors · diag(values) · vectorsᵀ, values in ascending order.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;
};

// LAPACK's divide and conquer on the lower triangle of `A`. Throws Error when
// A is not finite or the iteration does not converge.
SymmetricEigen EigenDecomposition(Matrix A);

// The largest eigenvalue alone.
double LargestEigenvalue(Matrix A);

}  // namespace cloak

#endif  // CLOAK_LINALG_SYMMETRIC_EIGEN_H_
