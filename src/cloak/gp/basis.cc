#include "cloak/gp/basis.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr double kRelativeJitter = 1e-10;

Cholesky FactorCovariance(const Kernel& kernel, const Matrix& Z, double jitter,
                          const Threads& threads) {
  Matrix K = kernel.Covariance(Z, threads);
  K.diagonal().array() += jitter;
  Cholesky cholesky(std::move(K), threads, {.jitter_tries = 0});
  RequireInput(cholesky.outcome() != Cholesky::kFailed,
               "the covariance of the ", Z.rows(),
               " basis points cannot be factored: ", cholesky.message());
  return cholesky;
}

}  // namespace

Basis::Basis(const Kernel& kernel, const Matrix& Z, const Threads& threads)
    : Basis(kernel, Z, kRelativeJitter * kernel.Variances(Z).mean(), threads) {}

Basis::Basis(const Kernel& kernel, Matrix Z, double jitter,
             const Threads& threads)
    : threads_(threads),
      kernel_(kernel),
      Z_(std::move(Z)),
      jitter_(jitter),
      cholesky_(FactorCovariance(kernel, Z_, jitter, threads)) {}

Matrix Basis::Features(const Matrix& X) const {
  return cholesky_.SolveLower(kernel_.CrossCovariance(Z_, X, threads_));
}

Vector Basis::ResidualVariances(const Matrix& X, const Matrix& Phi) const {
  return (kernel_.Variances(X) - Phi.colwise().squaredNorm().transpose())
      .cwiseMax(0);
}

Matrix Basis::WhitenValues(Matrix B) const {
  return cholesky_.SolveLower(std::move(B));
}

Matrix Basis::FoldIntoCovariance(const Matrix& A) const {
  return cholesky_.SolveUpper(A).transpose();
}

Vector SharedVariances(const Kernel& kernel, const Matrix& X) {
  const Threads one(1);
  Vector variances(X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    const Matrix x = X.row(i);
    variances(i) = kernel.CrossCovariance(x, x, one)(0, 0);
  }
  return variances;
}

void RequireConnectedRows(bool connected) {
  RequireInput(connected,
               "the kernel connects no row with any other (a white kernel "
               "alone does not), so nothing can be learned with it");
}

Matrix SelectBasisPoints(const Kernel& kernel, const Matrix& X,
                         const Threads& threads,
                         const BasisSelectionOptions& options) {
  return SelectBasisPoints(kernel, X, Vector::Ones(X.rows()), threads, options);
}

Matrix SelectBasisPoints(const Kernel& kernel, const Matrix& X,
                         const Vector& weights, const Threads& threads,
                         const BasisSelectionOptions& options) {
  const Index n = X.rows();
  const Index most = std::min(n, options.max_size);
  Vector residual = SharedVariances(kernel, X);
  // Below the second, residuals are rounding errors.
  const double stop =
      std::max(options.tolerance, kLeastRelativeResidual * residual.maxCoeff());
  Matrix rows(n, most);  // row j of the pivoted factor, as column j
  std::vector<Index> chosen;
  while (static_cast<Index>(chosen.size()) < most) {
    Index pivot = 0;
    if (!(residual.cwiseProduct(weights).maxCoeff(&pivot) > stop)) break;
    const double largest = residual(pivot);
    const auto j = static_cast<Index>(chosen.size());
    Vector row = kernel.CrossCovariance(X, X.row(pivot), threads);
    row.noalias() -= rows.leftCols(j) * rows.leftCols(j).row(pivot).transpose();
    row /= std::sqrt(largest);
    residual = (residual - row.cwiseAbs2()).cwiseMax(0);
    residual(pivot) = 0;
    rows.col(j) = row;
    chosen.push_back(pivot);
  }
  RequireConnectedRows(!chosen.empty());
  Matrix Z(static_cast<Index>(chosen.size()), X.cols());
  for (size_t j = 0; j < chosen.size(); ++j) {
    Z.row(static_cast<Index>(j)) = X.row(chosen[j]);
  }
  return Z;
}

}  // namespace cloak
