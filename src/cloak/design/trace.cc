#include "cloak/design/trace.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/row_space.h"
#include "cloak/design/unit_weights.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/svd.h"

namespace cloak {
namespace {

// S^½ = U · diag(values) · Uᵀ, of S = Σ λ a aᵀ. From the singular values of the
// points, not from the eigenvalues of S: the smallest of those, where C is
// nearly singular, would be lost in rounding. Points of next to no length keep
// S from being singular.
LeftSvd RootOfSupport(const Matrix& support, const Vector& weights) {
  const Index r = support.rows();
  Matrix points(r, support.cols() + r);
  points.leftCols(support.cols()) = support * weights.cwiseSqrt().asDiagonal();
  points.rightCols(r).setIdentity();
  points.rightCols(r) *= 1e-12 * points.leftCols(support.cols()).norm();
  return LeftSingular(std::move(points));
}

// ψ = 2 tr S^½: ∂ψ/∂λ_i = a_iᵀS^(−½)a_i, and in the eigenbasis of S^½, with
// its eigenvalues σ,
//   −∂²ψ/∂λ_i∂λ_j = Σ_kl (a_i a_iᵀ)_kl (a_j a_jᵀ)_kl / (σ_k σ_l (σ_k + σ_l)).
class TraceOfRoot : public DesignCriterion {
 public:
  explicit TraceOfRoot(const Threads& threads) : threads_(threads) {}

  Vector Gradient(const Matrix& points, const Matrix& support,
                  const Vector& weights) const override {
    const LeftSvd& root = RootOfLast(support, weights);
    return (root.values.cwiseInverse().cwiseSqrt().asDiagonal() *
            (root.U.transpose() * points))
        .colwise()
        .squaredNorm();
  }

  Matrix Whitened(const Matrix& points, const Matrix& support,
                  const Vector& weights) const override {
    const LeftSvd& root = RootOfLast(support, weights);
    return root.values.cwiseInverse().cwiseSqrt().asDiagonal() *
           (root.U.transpose() * points);
  }

  Matrix Curvature(const Matrix& support,
                   const Vector& weights) const override {
    const LeftSvd& root = RootOfLast(support, weights);
    const Index r = support.rows();
    const Matrix a = (root.U.transpose() * support).transpose();
    // One column for each pair k ≤ l, so that the sum is a product.
    Matrix pairs(support.cols(), r * (r + 1) / 2);
    Index column = 0;
    for (Index k = 0; k < r; ++k) {
      for (Index l = 0; l <= k; ++l) {
        const double sk = root.values(k);
        const double sl = root.values(l);
        const double scale =
            std::sqrt((k == l ? 1 : 2) / (sk * sl * (sk + sl)));
        pairs.col(column++) = scale * a.col(k).cwiseProduct(a.col(l));
      }
    }
    return Gram(pairs, threads_);
  }

  double Gap(double largest_gradient, const Matrix& support,
             const Vector& weights) const override {
    return largest_gradient * weights.sum() /
               RootOfLast(support, weights).values.sum() -
           1;
  }

 private:
  // The same weights are asked about several times in turn.
  const LeftSvd& RootOfLast(const Matrix& support,
                            const Vector& weights) const {
    if (weights.size() != weights_.size() || weights != weights_ ||
        support.cols() != support_.cols() || support != support_) {
      root_ = RootOfSupport(support, weights);
      support_ = support;
      weights_ = weights;
    }
    return root_;
  }

  Threads threads_;
  mutable Matrix support_;
  mutable Vector weights_;
  mutable LeftSvd root_;
};

}  // namespace

NoiseDesign TraceDesign(const Matrix& C, const Vector& weights,
                        const Threads& threads,
                        const InteriorPointOptions& options) {
  return TraceDesign(C, PrivacyUnits::EachRow(C.cols()), weights, threads,
                     options);
}

NoiseDesign TraceDesign(const Matrix& C, const PrivacyUnits& units,
                        const Vector& weights, const Threads& threads,
                        const InteriorPointOptions& options) {
  RequireInput(weights.size() == C.rows() && (weights.array() > 0).all() &&
                   weights.allFinite(),
               "the trace design needs a positive weight for each of the ",
               C.rows(), " query points");
  const Vector scale = weights.cwiseSqrt();
  const RowSpace space = NumericalRowSpace(scale.asDiagonal() * C);
  // Orthonormal coordinates of the range: basis = U · diag(singular values).
  const Vector singular = space.basis.colwise().norm();
  const Matrix A = singular.asDiagonal() * space.coordinates;
  const Matrix U = space.basis * singular.cwiseInverse().asDiagonal();
  const DesignWeights found =
      OptimizeForUnits(TraceOfRoot(threads), A, units, options);

  // M = largest · S^½ = (U Q D)(U Q D)ᵀ with D = (largest · σ)^½.
  const LeftSvd root = RootOfSupport(found.points, found.weights);
  const Vector noise_sd = (found.largest * root.values.array()).sqrt().matrix();
  NoiseDesign design;
  design.R = noise_sd.cwiseInverse().asDiagonal() * (root.U.transpose() * A);
  design.decoder = scale.cwiseInverse().asDiagonal() *
                   (U * (root.U * noise_sd.asDiagonal()));
  design.objective = noise_sd.squaredNorm();
  design.gap = std::max(0.0, found.gap);
  design.iterations = found.iterations;
  return design;
}

}  // namespace cloak
