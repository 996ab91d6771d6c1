#include "cloak/gp/statistic_likelihood.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"

namespace cloak {
namespace {

constexpr Index kBlock = 512;
// How many rows tell the mean residual variance.
constexpr Index kSomeRows = 512;

Matrix EveryFew(const Matrix& X, Index most) {
  const Index stride = (X.rows() + most - 1) / most;
  return X(Eigen::seq(0, Eigen::last, stride), Eigen::all);
}

}  // namespace

StatisticLikelihood::StatisticLikelihood(
    const Matrix& X, const Matrix& Z, const Matrix& R,
    const std::optional<Vector>& row_noise_variances, double s, const Vector& w,
    const Threads& threads)
    : X_(X),
      Z_(Z),
      R_(R),
      s_(s),
      w_(w),
      threads_(threads),
      RRt_(WeightedGram(R, Vector::Ones(R.cols()), threads)),
      some_rows_(EveryFew(X, kSomeRows)),
      pattern_(RRt_) {
  if (row_noise_variances) {
    row_noise_ = WeightedGram(R, *row_noise_variances, threads);
  }
}

void StatisticLikelihood::Recentre(const Kernel& kernel) {
  const Basis basis(kernel, Z_, threads_);
  const Vector d = basis.ResidualVariances(X_, basis.Features(X_));
  const double mean =
      basis.ResidualVariances(some_rows_, basis.Features(some_rows_)).mean();
  // With nothing left, what there is elsewhere is taken to be everywhere.
  const bool nothing = !(mean > 1e-9 * kernel.Variances(some_rows_).mean());
  mean_pattern_ = nothing ? 1 : mean;
  pattern_ = nothing ? RRt_ : WeightedGram(R_, d, threads_);
}

Matrix StatisticLikelihood::ProjectedCovariance(const Kernel& kernel) const {
  std::vector<Matrix> partial((X_.rows() + kBlock - 1) / kBlock);
  threads_.ForBlocks(X_.rows(), kBlock, [&](Index begin, Index end) {
    const Matrix rows = X_.middleRows(begin, end - begin);
    partial[begin / kBlock].noalias() =
        R_.middleCols(begin, end - begin) *
        kernel.CrossCovariance(rows, Z_, Threads(1));
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
  const Matrix Phi = basis.Features(some_rows_);
  const double rho =
      basis.ResidualVariances(some_rows_, Phi).mean() / mean_pattern_;
  Matrix A = H * H.transpose() + rho * pattern_;
  A += row_noise_ ? *row_noise_ : noise_variance * RRt_;
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
    gradient->noise_variance = row_noise_ ? 0 : A_bar.cwiseProduct(RRt_).sum();
  }
  return density;
}

// Reverse mode. With E = G K_Z⁻¹ = H L_Z⁻¹,
//   ∂/∂G = 2 Ā E,  ∂/∂K(X, Z) = Rᵀ 2 Ā E,  ∂/∂K_Z = −Eᵀ Ā E,
// and for the mean over some rows of d_i = k_ii − k_iᵀK_Z⁻¹k_i, which stands
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
                   (mean_pattern_ * static_cast<double>(some_rows_.rows()));
  const Matrix B = basis.FoldIntoCovariance(Phi);

  const Index blocks = (X_.rows() + kBlock - 1) / kBlock;
  Matrix partial(static_cast<Index>(kernel.Parameters().size()), blocks);
  threads_.ForBlocks(X_.rows(), kBlock, [&](Index begin, Index end) {
    const Matrix rows = X_.middleRows(begin, end - begin);
    const Matrix weights =
        2 * (R_.middleCols(begin, end - begin).transpose() * AE);
    partial.col(begin / kBlock) =
        kernel.CrossGradient(rows, Z_, weights, Threads(1));
  });
  return partial.rowwise().sum() +
         kernel.CrossGradient(some_rows_, Z_, -2 * c * B, threads_) +
         kernel.Gradient(Z_, c * (B.transpose() * B) - E.transpose() * AE,
                         threads_) +
         kernel.VariancesGradient(some_rows_,
                                  Vector::Constant(some_rows_.rows(), c));
}

}  // namespace cloak
