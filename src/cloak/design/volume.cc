#include "cloak/design/volume.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/row_space.h"
#include "cloak/linalg/cholesky.h"

namespace cloak {
namespace {

// Weights λ on the points (columns of V), M = Σ λ v vᵀ kept as its inverse,
// and ω_i = v_iᵀM⁻¹v_i.
class EnclosingEllipsoid {
 public:
  explicit EnclosingEllipsoid(const Matrix& V)
      : V_(V),
        weights_(Vector::Constant(V.cols(), 1 / static_cast<double>(V.cols()))),
        rank_(static_cast<double>(V.rows())) {
    Refresh();
  }

  double Gap() const { return omega_.maxCoeff() / rank_ - 1; }

  // Moves weight towards the farthest point or away from the nearest one of
  // the support, whichever is more wrong, by the exact line search.
  void Step() {
    Index far = 0;
    Index near = 0;
    const double largest = omega_.maxCoeff(&far);
    const double smallest =
        (weights_.array() > 0).select(omega_, largest).minCoeff(&near);
    const bool towards = largest / rank_ - 1 >= 1 - smallest / rank_;
    const Index j = towards ? far : near;
    const double omega = omega_(j);
    double step = (omega / rank_ - 1) / (omega - 1);
    bool drop = false;
    if (!towards) {
      const double most = -weights_(j) / (1 - weights_(j));
      // ω ≤ 1 means that M shrinks without bound along the way: drop it.
      drop = omega <= 1 || step <= most;
      if (drop) step = most;
    }
    Move(j, step, drop);
    if (++since_refresh_ == 500) Refresh();
  }

  // M · max ω = L Lᵀ, by a fresh factorisation, so that what is returned does
  // not carry the rounding of the updates. Returns max ω as well.
  std::pair<Matrix, double> Factor() {
    Refresh();
    return {factor_ * std::sqrt(omega_.maxCoeff()), omega_.maxCoeff()};
  }

 private:
  void Move(Index j, double step, bool drop) {
    const Vector direction = inverse_ * V_.col(j);
    const Vector cross = V_.transpose() * direction;
    const double shrink = step / (1 - step + step * omega_(j));
    omega_ = (omega_ - shrink * cross.cwiseAbs2()) / (1 - step);
    inverse_ =
        (inverse_ - shrink * direction * direction.transpose()) / (1 - step);
    weights_ *= 1 - step;
    weights_(j) = drop ? 0 : weights_(j) + step;
  }

  void Refresh() {
    since_refresh_ = 0;
    weights_ /= weights_.sum();
    const Cholesky cholesky(V_ * weights_.asDiagonal() * V_.transpose(),
                            Threads(1), {.jitter_tries = 0});
    if (cholesky.outcome() == Cholesky::kFailed) {
      throw Error("the enclosing ellipsoid degenerated: " + cholesky.message());
    }
    factor_ = cholesky.L();
    inverse_ = cholesky.Solve(Matrix::Identity(V_.rows(), V_.rows()));
    omega_ = cholesky.SolveLower(V_).colwise().squaredNorm();
  }

  const Matrix& V_;
  Vector weights_;
  double rank_;
  Matrix factor_;
  Matrix inverse_;
  Vector omega_;
  int since_refresh_ = 0;
};

// An interval is its own smallest ellipsoid.
NoiseDesign OneDimensional(const RowSpace& space) {
  const double half = space.coordinates.cwiseAbs().maxCoeff();
  NoiseDesign design;
  design.R = space.coordinates / half;
  design.decoder = space.basis * half;
  design.objective = 2 * std::log(half * space.basis.norm());
  return design;
}

}  // namespace

NoiseDesign VolumeDesign(const Matrix& C, const VolumeOptions& options) {
  const RowSpace space = NumericalRowSpace(C);
  if (space.coordinates.rows() == 1) return OneDimensional(space);
  EnclosingEllipsoid ellipsoid(space.coordinates);
  NoiseDesign design;
  while (ellipsoid.Gap() > options.tolerance) {
    if (++design.iterations > options.max_iterations) {
      throw Error(Text("the volume design is not certified: gap ",
                       ellipsoid.Gap(), " after ", options.max_iterations,
                       " iterations, wanted ", options.tolerance));
    }
    ellipsoid.Step();
  }
  const auto [L, largest] = ellipsoid.Factor();
  design.gap = std::max(0.0, largest / static_cast<double>(L.rows()) - 1);
  design.R = L.triangularView<Eigen::Lower>().solve(space.coordinates);
  design.decoder = space.basis * L;
  // log det in orthonormal coordinates of the range of C.
  design.objective = 2 * L.diagonal().array().log().sum() +
                     2 * space.basis.colwise().norm().array().log().sum();
  return design;
}

}  // namespace cloak
