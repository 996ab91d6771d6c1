#include "cloak/design/row_space.h"

#include "cloak/base/error.h"
#include "cloak/linalg/svd.h"

namespace cloak {
namespace {

// Relative to the largest singular value.
constexpr double kRankTolerance = 1e-7;

}  // namespace

RowSpace NumericalRowSpace(const Matrix& C) {
  RequireInput(C.allFinite() && (C.array() != 0).any(),
               "the predictions do not depend on the outputs (the matrix C is "
               "zero or not finite), so there is nothing to release: the "
               "query points may be too far from the data for this kernel");
  Svd svd = ThinSvd(C, kRankTolerance);
  return {svd.U * svd.values.asDiagonal(), std::move(svd.Vt)};
}

}  // namespace cloak
