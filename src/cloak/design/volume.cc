#include "cloak/design/volume.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/design/row_space.h"
#include "cloak/design/unit_weights.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"

namespace cloak {
namespace {

// M = Σ λ v vᵀ, factored.
Cholesky FactorOf(const Matrix& support, const Vector& weights) {
  Cholesky cholesky(support * weights.asDiagonal() * support.transpose(),
                    Threads(1), {.jitter_tries = 0});
  if (cholesky.outcome() == Cholesky::kFailed) {
    throw Error("the enclosing ellipsoid degenerated: " + cholesky.message());
  }
  return cholesky;
}

// ψ = log det S: ∂ψ/∂λ_i = ω_i, −∂²ψ/∂λ_i∂λ_j = (v_iᵀS⁻¹v_j)².
class LogDeterminant : public DesignCriterion {
 public:
  explicit LogDeterminant(const Threads& threads) : threads_(threads) {}

  Vector Gradient(const Matrix& points, const Matrix& support,
                  const Vector& weights) const override {
    return Whitened(points, support, weights).colwise().squaredNorm();
  }

  Matrix Whitened(const Matrix& points, const Matrix& support,
                  const Vector& weights) const override {
    return FactorOf(support, weights).SolveLower(points);
  }

  Matrix Curvature(const Matrix& support,
                   const Vector& weights) const override {
    const Matrix half = FactorOf(support, weights).SolveLower(support);
    return Gram(half.transpose(), threads_).cwiseAbs2();
  }

  double Gap(double largest_gradient, const Matrix& support,
             const Vector& weights) const override {
    return largest_gradient * weights.sum() /
               static_cast<double>(support.rows()) -
           1;
  }

 private:
  Threads threads_;
};

}  // namespace

NoiseDesign VolumeDesign(const Matrix& C, const Threads& threads,
                         const InteriorPointOptions& options) {
  return VolumeDesign(C, PrivacyUnits::EachRow(C.cols()), threads, options);
}

NoiseDesign VolumeDesign(const Matrix& C, const PrivacyUnits& units,
                         const Threads& threads,
                         const InteriorPointOptions& options) {
  const RowSpace space = NumericalRowSpace(C);
  const Matrix& V = space.coordinates;
  const DesignWeights found =
      OptimizeForUnits(LogDeterminant(threads), V, units, options);
  // Scaled so that the farthest point lies on the ellipsoid.
  const Cholesky cholesky = FactorOf(found.points, found.weights);
  const double farthest = std::sqrt(found.largest);
  const Matrix L = farthest * cholesky.L();
  NoiseDesign design;
  design.R = cholesky.SolveLower(V) / farthest;
  design.decoder = space.basis * L;
  // log det in orthonormal coordinates of the range of C.
  design.objective = 2 * L.diagonal().array().log().sum() +
                     2 * space.basis.colwise().norm().array().log().sum();
  design.gap = std::max(0.0, found.gap);
  design.iterations = found.iterations;
  return design;
}

}  // namespace cloak
