#include "cloak/design/certificate.h"

#include <algorithm>
#include <cmath>
#include <functional>

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

// The smallest x ≥ 0 (to 0.1 %) with feasible(x) true, which it is for all
// large x.
double SmallestFeasible(double scale,
                        const std::function<bool(double)>& feasible) {
  if (feasible(0)) return 0;
  double high = scale;
  while (!feasible(high)) high *= 4;
  double low = 0;
  while (high - low > 1e-3 * high) {
    const double middle = low > 0 ? std::sqrt(low * high) : high / 16;
    (feasible(middle) ? high : low) = middle;
    if (high < 1e-12 * scale) break;
  }
  return high;
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
  const auto feasible = [&](const Vector& lambda) {
    const Matrix scaled = Yt * lambda.cwiseInverse().cwiseSqrt().asDiagonal();
    // Rounding in the eigenvalue is far below this margin.
    return LargestEigenvalue(ProductTransposed(scaled, scaled, threads)) <=
           1 - 1e-9;
  };
  const double tiny = 1e-9 * mean;
  const double shift = SmallestFeasible(mean, [&](double t) {
    return feasible((base.array() + std::max(t, tiny)).matrix());
  });
  const double shifted =
      base.sum() + std::max(shift, tiny) * static_cast<double>(R.cols());
  // Scaling alone, from a floor that keeps rows that are hardly listened to.
  const Vector floored = base.cwiseMax(0.01 * shift + tiny);
  const double scale = SmallestFeasible(
      1, [&](double t) { return feasible(floored * (1 + t)); });
  return std::max(0.0, std::min(shifted, floored.sum() * (1 + scale)) - used);
}

}  // namespace cloak
