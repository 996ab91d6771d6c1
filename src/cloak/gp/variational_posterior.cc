#include "cloak/gp/variational_posterior.h"

#include <cmath>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// Equation (13).
double Regularisation(Index points, double noise_variance, double b_sd,
                      double rho) {
  const auto M = static_cast<double>(points);
  return b_sd / noise_variance * std::sqrt(M * std::log(2 * M * M / rho)) *
         (M + 1) / (2 * M);
}

// Σ̃⁻¹, factored.
Cholesky FactorPrecision(Matrix precision, double lambda) {
  const Threads one(1);
  precision.diagonal().array() += lambda;
  Cholesky factor(precision, one, {.jitter_tries = 0});
  if (factor.outcome() == Cholesky::kFailed) {
    const double smallest = EigenDecomposition(precision).values(0);
    // Relative to the largest, a Cholesky factor needs some room for rounding.
    const double room =
        std::max(lambda, 1e-12 * precision.diagonal().cwiseAbs().sum());
    precision.diagonal().array() += room - smallest;
    factor = Cholesky(std::move(precision), one, {.jitter_tries = 0});
  }
  if (factor.outcome() == Cholesky::kFailed) {
    throw Error("the precision of the inducing points cannot be factored: " +
                factor.message());
  }
  return factor;
}

class Inference {
 public:
  Inference(const Basis& basis, double noise_variance,
            const VariationalMoments& moments, double rho)
      : noise_variance_(noise_variance),
        moments_(moments),
        K_(Covariance(basis)),
        L_(basis.WhitenValues(K_).transpose()),
        factor_(FactorPrecision(
            K_ + moments.B / noise_variance,
            Regularisation(basis.size(), noise_variance, moments.b_sd, rho))),
        SigmaL_(factor_.Solve(L_)) {}

  const Cholesky& factor() const { return factor_; }
  const Matrix& L() const { return L_; }

  VariationalPosterior Posterior(const Vector& squared_w) const {
    VariationalPosterior posterior;
    posterior.mean = SigmaL_.transpose() * moments_.A / noise_variance_;
    const double s2 = noise_variance_;
    const double a = std::pow(moments_.a_sd / s2, 2);
    const double b = std::pow(moments_.b_sd / (s2 * s2), 2) / 2;
    const Vector scale = (a + b * (squared_w.array() + squared_w.sum())).sqrt();
    AppendPrior(scale.asDiagonal() * SigmaL_, posterior);
    return posterior;
  }

 private:
  static Matrix Covariance(const Basis& basis) {
    Matrix K = basis.kernel().Covariance(basis.points(), Threads(1));
    K.diagonal().array() += basis.jitter();
    return K;
  }

  // Splits I − L'Σ̃L in what is positive and what is not.
  void AppendPrior(const Matrix& noise, VariationalPosterior& posterior) const {
    const Matrix T = factor_.SolveLower(L_);
    const SymmetricEigen eigen = EigenDecomposition(
        Matrix::Identity(T.cols(), T.cols()) - T.transpose() * T);
    const Matrix rows = eigen.values.cwiseAbs().cwiseSqrt().asDiagonal() *
                        eigen.vectors.transpose();
    const Index negative = (eigen.values.array() < 0).count();
    posterior.explained = rows.bottomRows(rows.rows() - negative);
    posterior.noise.resize(noise.rows() + negative, noise.cols());
    posterior.noise << noise, rows.topRows(negative);
  }

  double noise_variance_;
  const VariationalMoments& moments_;
  Matrix K_;
  Matrix L_;
  Cholesky factor_;
  Matrix SigmaL_;  // Σ̃ L
};

}  // namespace

VariationalPosterior InferVariational(const Basis& basis, double noise_variance,
                                      const VariationalMoments& moments,
                                      double rho) {
  const Inference inference(basis, noise_variance, moments, rho);
  const Vector w = inference.factor().Solve(moments.A);
  return inference.Posterior(w.cwiseAbs2());
}

// A = K_ZX y + noise has covariance B K⁻¹ B + σ² B + a_sd² I when the values at
// Z say all there is to say of the rows.
VariationalPosterior ExpectVariational(const Basis& basis,
                                       double noise_variance,
                                       const VariationalMoments& moments,
                                       double rho) {
  VariationalMoments expected = moments;
  expected.A = Vector::Zero(basis.size());
  const Inference inference(basis, noise_variance, expected, rho);
  const Matrix whitened = basis.WhitenValues(moments.B);
  Matrix covariance =
      whitened.transpose() * whitened + noise_variance * moments.B;
  covariance.diagonal().array() += moments.a_sd * moments.a_sd;
  const Matrix half = inference.factor().Solve(covariance);
  const Vector squared_w =
      inference.factor().Solve(half.transpose()).diagonal().cwiseMax(0);
  return inference.Posterior(squared_w);
}

}  // namespace cloak
