#include "cloak/gp/statistic_likelihood.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"

namespace cloak {
namespace {

constexpr Index kBlock = 512;
// How many points tell the mean residual variance.
constexpr Index kSomePoints = 512;

Matrix EveryFew(const Matrix& X, Index most) {
  const Index stride = (X.rows() + most - 1) / most;
  return X(Eigen::seq(0, Eigen::last, stride), Eigen::all);
}

}  // namespace

StatisticLikelihood::StatisticLikelihood(
    SiteInputs sites, const Matrix& Z, const Matrix& R,
    const std::optional<Vector>& noise_of_sums, double s, const Vector& w,
    const Threads& threads)
    : sites_(std::move(sites)),
      Z_(Z),
      R_(R),
      s_(s),
      w_(w),
      threads_(threads),
      of_noise_(WeightedGram(R, noise_of_sums ? *noise_of_sums : sites_.sizes(),
                             threads)),
      noise_is_known_(noise_of_sums.has_value()),
      some_points_(EveryFew(sites_.points(), kSomePoints)),
      pattern_(WeightedGram(R, sites_.sizes(), threads)),
      deviation_(Matrix::Zero(R.rows(), R.rows())) {}

void StatisticLikelihood::Recentre(const Kernel& kernel) {
  const Basis basis(kernel, Z_, threads_);
  const Vector d =
      sites_.ResidualOfSums(basis, basis.Features(sites_.points()));
  const double mean =
      basis.ResidualVariances(some_points_, basis.Features(some_points_))
          .mean();
  // With nothing left, what there is elsewhere is taken to be everywhere.
  const bool nothing = !(mean > 1e-9 * kernel.Variances(some_points_).mean());
  mean_pattern_ = nothing ? 1 : mean;
  pattern_ = WeightedGram(R_, nothing ? sites_.sizes() : d, threads_);
  deviation_ = WeightedGram(R_, sites_.BendOfSums(kernel), threads_);
}

Matrix StatisticLikelihood::ProjectedCovariance(const Kernel& kernel) const {
  const Matrix& X = sites_.points();
  if (!sites_.PointsAreSites()) {
    return ProductTransposed(
        R_, sites_.Sum(kernel.CrossCovariance(Z_, X, threads_)), threads_);
  }
  std::vector<Matrix> partial((X.rows() + kBlock - 1) / kBlock);
  threads_.ForBlocks(X.rows(), kBlock, [&](Index begin, Index end) {
    const Index size = end - begin;
    partial[begin / kBlock].noalias() =
        R_.middleCols(begin, size) *
        (sites_.weights().segment(begin, size).asDiagonal() *
         kernel.CrossCovariance(X.middleRows(begin, size), Z_, Threads(1)));
  });
  Matrix G = Matrix::Zero(R_.rows(), Z_.rows());
  for (const Matrix& part : partial) G += part;
  return G;
}

double StatisticLikelihood::LogDensity(const Kernel& kernel,
                                       double noise_variance,
                                       Gradient* gradient) const {
  const Basis basis(kernel, Z_, threads_);
  const Matrix H =
      basis.WhitenValues(ProjectedCovariance(kernel).transpose()).transpose();
  const Matrix Phi = basis.Features(some_points_);
  const double rho =
      basis.ResidualVariances(some_points_, Phi).mean() / mean_pattern_;
  Matrix A = H * H.transpose() + rho * pattern_;
  A += deviation_ + (noise_is_known_ ? 1 : noise_variance) * of_noise_;
  A.diagonal().array() += s_ * s_;
  const Cholesky cholesky =
      FactorExactly(std::move(A), threads_, "the covariance of the statistic");
  const double density =
      -0.5 *
      (cholesky.SolveLower(w_).squaredNorm() + cholesky.LogDeterminant() +
       static_cast<double>(w_.size()) * std::log(2 * std::numbers::pi));
  if (gradient != nullptr) {
    // ∂ log p/∂A.
    const Vector alpha = cholesky.Solve(w_);
    const Matrix A_bar =
        0.5 * (alpha * alpha.transpose() -
               cholesky.Solve(Matrix::Identity(w_.size(), w_.size())));
    gradient->kernel = GradientOf(basis, H, A_bar, Phi);
    gradient->noise_variance =
        noise_is_known_ ? 0 : A_bar.cwiseProduct(of_noise_).sum();
  }
  return density;
}

// Reverse mode. With E = G K_Z⁻¹ = H L_Z⁻¹,
//   ∂/∂G = 2 Ā E,  ∂/∂K = Rᵀ 2 Ā E,  ∂/∂K_Z = −Eᵀ Ā E,
// and for the mean over some points of d_i = k_ii − k_iᵀK_Z⁻¹k_i, which stands
// in A with the derivative c = tr(Ā pattern)/(mean_pattern · rows), with
// B = K(X, Z) K_Z⁻¹ there:
//   ∂/∂k_ii = c,  ∂/∂K(X, Z) = −2 c B,  ∂/∂K_Z = c BᵀB.
Vector StatisticLikelihood::GradientOf(const Basis& basis, const Matrix& H,
                                       const Matrix& A_bar,
                                       const Matrix& Phi) const {
  const Kernel& kernel = basis.kernel();
  const Matrix E = basis.FoldIntoCovariance(H.transpose());
  const Matrix AE = A_bar * E;
  const double c = A_bar.cwiseProduct(pattern_).sum() /
                   (mean_pattern_ * static_cast<double>(some_points_.rows()));
  const Matrix B = basis.FoldIntoCovariance(Phi);

  const Matrix& X = sites_.points();
  const Matrix of_sums = 2 * (AE.transpose() * R_);
  const Matrix weights = sites_.Spread(of_sums).transpose();
  const Index blocks = (X.rows() + kBlock - 1) / kBlock;
  Matrix partial(static_cast<Index>(kernel.Parameters().size()), blocks);
  threads_.ForBlocks(X.rows(), kBlock, [&](Index begin, Index end) {
    partial.col(begin / kBlock) = kernel.CrossGradient(
        X.middleRows(begin, end - begin), Z_,
        weights.middleRows(begin, end - begin), Threads(1));
  });
  return partial.rowwise().sum() +
         kernel.CrossGradient(some_points_, Z_, -2 * c * B, threads_) +
         kernel.Gradient(Z_, c * (B.transpose() * B) - E.transpose() * AE,
                         threads_) +
         kernel.VariancesGradient(some_points_,
                                  Vector::Constant(some_points_.rows(), c));
}

}  // namespace cloak
