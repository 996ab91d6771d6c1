#ifndef CLOAK_LINALG_SVD_H_
#define CLOAK_LINALG_SVD_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// A = U · diag(values) · Vt, values in descending order, keeping only those
// above `tolerance` times the largest: the numerical range of A.
struct Svd {
  Matrix U;
  Vector values;
  Matrix Vt;
};

// Throws Error when A is not finite, is zero, or LAPACK does not converge.
Svd ThinSvd(Matrix A, double tolerance);

// The left singular vectors and the values of an A with at least as many
// columns as rows, all of them. Quick when there are many more columns.
struct LeftSvd {
  Matrix U;
  Vector values;
};
LeftSvd LeftSingular(Matrix A);

}  // namespace cloak

#endif  // CLOAK_LINALG_SVD_H_
