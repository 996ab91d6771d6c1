#include "cloak/gp/linear_posterior.h"

#include <cmath>
#include <numbers>

#include "cloak/base/error.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

SymmetricEigen DecomposeStatisticCovariance(const Matrix& H, const Matrix& V0,
                                            double s) {
  Matrix A = H * H.transpose() + V0;
  A.diagonal().array() += s * s;
  SymmetricEigen eigen = EigenDecomposition(A);
  // No eigenvalue is below s², but for rounding, which is large where what is
  // released is large beside the noise.
  const bool finite = eigen.values.allFinite();
  eigen.values = eigen.values.cwiseMax(s * s);
  if (!(finite && eigen.values(0) > 0)) {
    throw Error("the covariance of the statistic is not positive definite");
  }
  return eigen;
}

double LogDensity(const SymmetricEigen& eigen, const Vector& Qtw) {
  return -0.5 * (Qtw.array().square() / eigen.values.array() +
                 eigen.values.array().log() + std::log(2 * std::numbers::pi))
                    .sum();
}

}  // namespace

LinearPosterior InferWeights(const Matrix& H, const Matrix& V0, double s,
                             const Vector& w) {
  // In the eigenbasis of A all the factors are rows of QᵀH, scaled.
  const SymmetricEigen eigen = DecomposeStatisticCovariance(H, V0, s);
  const Matrix QtH = eigen.vectors.transpose() * H;
  const Vector Qtw = eigen.vectors.transpose() * w;
  const Eigen::ArrayXd lambda = eigen.values.array();
  const Vector explained_scale = (lambda + s * s).sqrt() / lambda;
  const Vector noise_scale = s / lambda;
  LinearPosterior posterior;
  posterior.mean = QtH.transpose() * (Qtw.array() / lambda).matrix();
  posterior.explained = explained_scale.asDiagonal() * QtH;
  posterior.noise = noise_scale.asDiagonal() * QtH;
  posterior.log_likelihood = LogDensity(eigen, Qtw);
  return posterior;
}

Matrix WeightsFromStatistic(const Matrix& H, const Matrix& V0, double s) {
  const SymmetricEigen eigen = DecomposeStatisticCovariance(H, V0, s);
  const Matrix QtH = eigen.vectors.transpose() * H;
  return QtH.transpose() *
         (eigen.values.cwiseInverse().asDiagonal() * eigen.vectors.transpose());
}

double StatisticLogLikelihood(const Matrix& H, const Matrix& V0, double s,
                              const Vector& w) {
  const SymmetricEigen eigen = DecomposeStatisticCovariance(H, V0, s);
  return LogDensity(eigen, eigen.vectors.transpose() * w);
}

Matrix PosteriorFeatures(const LinearPosterior& posterior, const Matrix& Phi) {
  Matrix S = posterior.noise.transpose() * posterior.noise -
             posterior.explained.transpose() * posterior.explained;
  S.diagonal().array() += 1;
  const SymmetricEigen eigen = EigenDecomposition(S);
  return eigen.values.cwiseMax(0).cwiseSqrt().asDiagonal() *
         (eigen.vectors.transpose() * Phi);
}

}  // namespace cloak
