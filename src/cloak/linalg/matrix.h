#ifndef CLOAK_LINALG_MATRIX_H_
#define CLOAK_LINALG_MATRIX_H_

// Dense algebra is Eigen's; products of Eigen expressions go to OpenBLAS
// (EIGEN_USE_BLAS, set for every target that links this layer).
#include <Eigen/Core>

namespace cloak {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// Rows are observations or query points, columns are inputs, everywhere that
// a matrix is called X or Z.

}  // namespace cloak

#endif  // CLOAK_LINALG_MATRIX_H_
