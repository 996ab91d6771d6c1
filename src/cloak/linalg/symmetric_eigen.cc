#include "cloak/linalg/symmetric_eigen.h"

#include <lapacke.h>

#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// job 'N': values only; 'V': vectors overwrite A.
Vector Decompose(Matrix& A, char job) {
  if (!A.allFinite()) {
    throw Error("an eigendecomposition needs a finite matrix");
  }
  Vector values(A.rows());
  const auto n = static_cast<lapack_int>(A.rows());
  const auto stride = static_cast<lapack_int>(A.outerStride());
  const int info = n == 0 ? 0
                          : LAPACKE_dsyevd(LAPACK_COL_MAJOR, job, 'L', n,
                                           A.data(), stride, values.data());
  if (info != 0) {
    throw Error(Text("the eigendecomposition of a ", A.rows(), " x ", A.cols(),
                     " matrix did not converge (LAPACK dsyevd: ", info, ")"));
  }
  return values;
}

}  // namespace

SymmetricEigen EigenDecomposition(Matrix A) {
  Vector values = Decompose(A, 'V');
  return {std::move(values), std::move(A)};
}

double LargestEigenvalue(Matrix A) { return Decompose(A, 'N')(A.rows() - 1); }

}  // namespace cloak
