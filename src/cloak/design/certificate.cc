#include "cloak/design/certificate.h"

#include <algorithm>
#include <cmath>

#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

Matrix StatisticCovariance(const DesignPrior& prior, const Matrix& H, double s,
                           const Matrix& R, const Threads& threads) {
  Matrix A = H * H.transpose() +
             ProductTransposed(R * prior.D.asDiagonal(), R, threads);
  A.diagonal().array() += s * s;
  return A;
}

// Q = root · rootᵀ.
Matrix RootOf(const Matrix& Q) {
  const SymmetricEigen eigen = EigenDecomposition(Q);
  return eigen.vectors * eigen.values.cwiseMax(0).cwiseSqrt().asDiagonal();
}

// Y with B = Y Yᵀ/s²: for each prior √weight (I − K_yRᵀA⁻¹R) Φᵀ Q^½, side by
// side, where K_yRᵀ = ΦᵀHᵀ + D Rᵀ. Returned transposed.
Matrix GradientFactor(const std::vector<DesignPrior>& priors, double s,
                      const Matrix& R, const Threads& threads) {
  Index rows = 0;
  for (const DesignPrior& prior : priors) rows += prior.Phi.rows();
  Matrix Yt(rows, R.cols());
  Index first = 0;
  for (const DesignPrior& prior : priors) {
    const Index m = prior.Phi.rows();
    const Matrix H = ProductTransposed(R, prior.Phi, threads);
    const Cholesky A(StatisticCovariance(prior, H, s, R, threads), threads);
    const Matrix gain = A.Solve(H);  // A⁻¹H
    const Matrix root = std::sqrt(prior.weight) * RootOf(prior.Q);
    const Matrix S = Matrix::Identity(m, m) - H.transpose() * gain;
    Yt.middleRows(first, m) =
        Product(root.transpose() * S, prior.Phi, threads) -
        Product(root.transpose() * gain.transpose(), R, threads) *
            prior.D.asDiagonal();
    first += m;
  }
  return Yt;
}

}  // namespace

double ExplainedVariance(const std::vector<DesignPrior>& priors, double s,
                         const Matrix& R, const Threads& threads) {
  double explained = 0;
  for (const DesignPrior& prior : priors) {
    const Matrix H = ProductTransposed(R, prior.Phi, threads);
    const Cholesky A(StatisticCovariance(prior, H, s, R, threads), threads);
    explained += prior.weight * (A.Solve(H).cwiseProduct(H * prior.Q)).sum();
  }
  return explained;
}

double ExplainedVarianceGap(const std::vector<DesignPrior>& priors, double s,
                            const Matrix& R, const Threads& threads) {
  const Matrix Yt = GradientFactor(priors, s, R, threads) / s;
  // diag(BG)_i = (Y (R Y)ᵀ)_i · R_i.
  const Matrix RY = ProductTransposed(R, Yt, threads);
  const Vector multipliers =
      Product(RY, Yt, threads).cwiseProduct(R).colwise().sum();
  const double used = multipliers.sum();
  const Vector base = multipliers.cwiseMax(0);
  const double mean = used / static_cast<double>(R.cols());
  const auto bound = [&](double floor) {
    const Vector lambda = base.array() + floor * mean;
    const Matrix scaled = Yt * lambda.cwiseInverse().cwiseSqrt().asDiagonal();
    // The margin is far above the rounding of the eigenvalue.
    const double scale =
        LargestEigenvalue(ProductTransposed(scaled, scaled, threads)) *
        (1 + 1e-9);
    return scale * lambda.sum();
  };
  // Every floor gives a bound; with a good R the best one is small.
  const double first = 1e-3;
  double smallest = bound(first);
  for (const double factor : {0.1, 10.0}) {
    bool better = false;
    for (double next = first * factor; next > 1e-10 && next < 1;
         next *= factor) {
      const double sum = bound(next);
      if (sum >= smallest) break;
      smallest = sum;
      better = true;
    }
    if (better) break;
  }
  return std::max(0.0, smallest - used);
}

}  // namespace cloak
