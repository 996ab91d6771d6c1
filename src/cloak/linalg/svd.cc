#include "cloak/linalg/svd.h"

#include <lapacke.h>

#include <algorithm>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

Svd ThinSvd(Matrix A, double tolerance) {
  if (!A.allFinite()) {
    throw Error("a singular value decomposition needs a finite matrix");
  }
  const Index k = std::min(A.rows(), A.cols());
  Svd svd{Matrix(A.rows(), k), Vector(k), Matrix(k, A.cols())};
  const auto rows = static_cast<lapack_int>(A.rows());
  const auto cols = static_cast<lapack_int>(A.cols());
  const int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', rows, cols, A.data(),
                                  rows, svd.values.data(), svd.U.data(), rows,
                                  svd.Vt.data(), static_cast<lapack_int>(k));
  if (info != 0) {
    throw Error(Text("the singular values of a ", rows, " x ", cols,
                     " matrix did not converge (LAPACK dgesdd: ", info, ")"));
  }
  const double threshold = tolerance * svd.values(0);
  const Index rank = (svd.values.array() > threshold).count();
  if (rank == 0) throw Error("the matrix is zero");
  svd.U.conservativeResize(Eigen::NoChange, rank);
  svd.values.conservativeResize(rank);
  svd.Vt.conservativeResize(rank, Eigen::NoChange);
  return svd;
}

LeftSvd LeftSingular(Matrix A) {
  const auto rows = static_cast<lapack_int>(A.rows());
  const auto cols = static_cast<lapack_int>(A.cols());
  // A = L Q has the left singular vectors and the values of L.
  Vector reflections(rows);
  const int info = LAPACKE_dgelqf(LAPACK_COL_MAJOR, rows, cols, A.data(), rows,
                                  reflections.data());
  if (info != 0) {
    throw Error(Text("a ", rows, " x ", cols,
                     " matrix could not be reduced (LAPACK dgelqf: ", info,
                     ")"));
  }
  Matrix L = A.leftCols(rows).triangularView<Eigen::Lower>();
  Svd svd = ThinSvd(std::move(L), -1);
  return {std::move(svd.U), std::move(svd.values)};
}

}  // namespace cloak
