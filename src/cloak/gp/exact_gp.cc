#include "cloak/gp/exact_gp.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

Matrix NoisyCovariance(const Kernel& kernel, const Vector& noise_variances,
                       const Matrix& X, const Threads& threads) {
  RequireInput(noise_variances.size() == X.rows(),
               "there must be a noise variance for each of the ", X.rows(),
               " rows, but there are ", noise_variances.size());
  for (const double variance : noise_variances) {
    RequireInput(std::isfinite(variance) && variance > 0,
                 "the noise variance must be finite and positive, but is ",
                 variance);
  }
  Matrix K = kernel.Covariance(X, threads);
  K.diagonal() += noise_variances;
  return K;
}

}  // namespace

ExactGp::ExactGp(const Kernel& kernel, double noise_variance, const Matrix& X,
                 const Threads& threads)
    : ExactGp(kernel, Vector::Constant(X.rows(), noise_variance), X, threads) {}

ExactGp::ExactGp(const Kernel& kernel, const Vector& noise_variances, Matrix X,
                 const Threads& threads)
    : threads_(threads),
      kernel_(kernel),
      X_(std::move(X)),
      cholesky_(NoisyCovariance(kernel, noise_variances, X_, threads),
                threads) {
  RequireInput(cholesky_.outcome() != Cholesky::kFailed,
               "the covariance of the ", X_.rows(),
               " rows cannot be factored: ", cholesky_.message(),
               "; try a larger noise variance");
}

Matrix ExactGp::CloakingMatrix(const Matrix& Xs) const {
  return cholesky_.Solve(kernel_.CrossCovariance(X_, Xs, threads_)).transpose();
}

Vector ExactGp::PosteriorMean(const Matrix& Xs, const Vector& y) const {
  return kernel_.CrossCovariance(Xs, X_, threads_) * cholesky_.Solve(y);
}

Vector ExactGp::PosteriorVariances(const Matrix& Xs) const {
  const Matrix half =
      cholesky_.SolveLower(kernel_.CrossCovariance(X_, Xs, threads_));
  return (kernel_.Variances(Xs) - half.colwise().squaredNorm().transpose())
      .cwiseMax(0);
}

Matrix ExactGp::PosteriorCovariance(const Matrix& Xs) const {
  const Matrix half =
      cholesky_.SolveLower(kernel_.CrossCovariance(X_, Xs, threads_));
  return kernel_.Covariance(Xs, threads_) - half.transpose() * half;
}

double ExactGp::LogMarginalLikelihood(const Vector& y) const {
  const auto n = static_cast<double>(X_.rows());
  return -0.5 *
         (cholesky_.SolveLower(y).squaredNorm() + cholesky_.LogDeterminant() +
          n * std::log(2 * std::numbers::pi));
}

ExactGp::LikelihoodGradient ExactGp::LogMarginalLikelihoodGradient(
    const Vector& y) const {
  const Index n = X_.rows();
  const Vector alpha = cholesky_.Solve(y);
  const Matrix A = 0.5 * (alpha * alpha.transpose() -
                          cholesky_.Solve(Matrix::Identity(n, n)));
  return {kernel_.Gradient(X_, A, threads_), A.trace()};
}

}  // namespace cloak
