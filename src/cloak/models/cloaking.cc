#include "cloak/models/cloaking.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/gp/basis.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// Rows of `table` that belong to the rows of X that are chosen as Z.
Matrix RowsAt(const Matrix& Z, const Matrix& X, const Matrix& table) {
  Matrix rows(Z.rows(), table.cols());
  for (Index k = 0; k < Z.rows(); ++k) {
    Index i = 0;
    while (X.row(i) != Z.row(k)) ++i;
    rows.row(k) = table.row(i);
  }
  return rows;
}

}  // namespace

CloakedPredictions::CloakedPredictions(const ExactGp& gp,
                                       const Hyperparameters& theta,
                                       const Matrix& query_points,
                                       const NoiseDesign& design,
                                       const Threads& threads)
    : theta_(theta),
      Z_(SelectBasisPoints(theta.kernel, query_points, threads,
                           {.tolerance = 1e-6 * theta.noise_variance})) {
  const Basis basis(theta_.kernel, Z_, threads);
  jitter_ = basis.jitter();
  decoder_in_basis_ =
      basis.WhitenValues(RowsAt(Z_, query_points, design.decoder)).transpose();
  // I − Cov(L⁻¹ f(Z) | y): what the outputs explain, without privacy.
  const Matrix prior = theta_.kernel.Covariance(Z_, threads);
  const Matrix explained = prior - gp.PosteriorCovariance(Z_);
  const SymmetricEigen eigen = EigenDecomposition(
      basis.WhitenValues(basis.WhitenValues(explained).transpose()));
  explained_ = eigen.values.cwiseMax(0).cwiseMin(1).cwiseSqrt().asDiagonal() *
               eigen.vectors.transpose();
  mean_posterior_variance_ = gp.PosteriorVariances(query_points).mean();
  mean_noise_gain_ = design.decoder.rowwise().squaredNorm().mean();
}

double CloakedPredictions::ExpectedSd(double s) const {
  return std::sqrt(mean_posterior_variance_ + s * s * mean_noise_gain_);
}

Posterior CloakedPredictions::Decode(const Vector& w, double s) const {
  Posterior posterior;
  posterior.kernel = theta_.kernel;
  posterior.noise_variance = theta_.noise_variance;
  posterior.jitter = jitter_;
  posterior.mean = decoder_in_basis_.transpose() * w;
  posterior.explained = explained_;
  posterior.noise = s * decoder_in_basis_;
  return posterior;
}

}  // namespace cloak
