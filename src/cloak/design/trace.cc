#include "cloak/design/trace.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/row_space.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// S^½ of S = Σ λ a aᵀ, and what follows from it.
struct Root {
  Matrix vectors;
  Vector values;  // eigenvalues of S^½
  Vector g;       // a_iᵀ S^(−½) a_i

  double Trace() const { return values.sum(); }
};

Root RootOf(const Matrix& A, const Vector& weights) {
  const SymmetricEigen eigen =
      EigenDecomposition(A * weights.asDiagonal() * A.transpose());
  const double floor = 1e-30 * eigen.values.maxCoeff();
  Root root;
  root.values = eigen.values.cwiseMax(floor).cwiseSqrt();
  root.g = (root.values.cwiseInverse().cwiseSqrt().asDiagonal() *
            (eigen.vectors.transpose() * A))
               .colwise()
               .squaredNorm();
  root.vectors = eigen.vectors;
  return root;
}

}  // namespace

NoiseDesign TraceDesign(const Matrix& C, const Vector& weights,
                        const TraceOptions& options) {
  RequireInput(weights.size() == C.rows() && (weights.array() > 0).all() &&
                   weights.allFinite(),
               Text("the trace design needs a positive weight for each of the ",
                    C.rows(), " query points"));
  const Vector scale = weights.cwiseSqrt();
  const RowSpace space = NumericalRowSpace(scale.asDiagonal() * C);
  // Orthonormal coordinates of the range: basis = U · diag(singular values).
  const Vector singular = space.basis.colwise().norm();
  const Matrix A = singular.asDiagonal() * space.coordinates;
  const Matrix U = space.basis * singular.cwiseInverse().asDiagonal();

  Vector lambda = A.colwise().norm();
  lambda /= lambda.sum();
  NoiseDesign design;
  Root root;
  for (;;) {
    root = RootOf(A, lambda);
    design.gap = root.g.maxCoeff() / root.Trace() - 1;
    if (design.gap <= options.tolerance) break;
    if (++design.iterations > options.max_iterations) {
      throw Error(Text("the trace design is not certified: gap ", design.gap,
                       " after ", options.max_iterations,
                       " iterations, wanted ", options.tolerance));
    }
    lambda = lambda.cwiseProduct(root.g);
    lambda /= lambda.sum();
  }
  // M = max g · S^½ = (U Q D)(U Q D)ᵀ with D = (max g · root)^½.
  const Vector noise_sd =
      (root.g.maxCoeff() * root.values.array()).sqrt().matrix();
  design.R =
      noise_sd.cwiseInverse().asDiagonal() * (root.vectors.transpose() * A);
  design.decoder = scale.cwiseInverse().asDiagonal() *
                   (U * (root.vectors * noise_sd.asDiagonal()));
  design.objective = root.g.maxCoeff() * root.Trace();
  design.gap = std::max(0.0, design.gap);
  return design;
}

}  // namespace cloak
