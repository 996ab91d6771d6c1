#include "cloak/design/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// Q = root · rootᵀ.
Matrix SymmetricRoot(const Matrix& Q) {
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
    const Matrix root = std::sqrt(prior.weight) * SymmetricRoot(prior.Q);
    const Matrix S = Matrix::Identity(m, m) - H.transpose() * gain;
    Yt.middleRows(first, m) =
        Product(root.transpose() * S, prior.Phi, threads) -
        Product(root.transpose() * gain.transpose(), R, threads) *
            prior.D.asDiagonal();
    first += m;
  }
  return Yt;
}

// Points that are left out may add this share of the allowed gap to it.
constexpr double kNegligible = 0.02;

// Rotates the columns of Y (the rows of Yt) until they are orthogonal and
// leaves out those of squared length at most `negligible`. Returns the largest
// left out.
double RotateAndTrim(Matrix& Yt, double negligible, const Threads& threads) {
  const SymmetricEigen eigen =
      EigenDecomposition(ProductTransposed(Yt, Yt, threads));
  Index dropped = 0;
  while (dropped + 1 < Yt.rows() && eigen.values(dropped) <= negligible) {
    ++dropped;
  }
  Yt = Product(eigen.vectors.rightCols(Yt.rows() - dropped).transpose(), Yt,
               threads);
  return dropped == 0 ? 0 : std::max(0.0, eigen.values(dropped - 1));
}

// The block diagonal Λ_g = μ_g ((1 − α_g) C_g + α_g I) that minimises
// Σ μ_g + tr(Z YᵀΛ⁻¹Y), Z = rootᵀ·root: with W = Y_g Z Y_gᵀ, μ² = tr(W
// ((1 − α)C + αI)⁻¹), and the best α of a few.
class Multipliers {
 public:
  Multipliers(const PrivacyUnits& units, const std::vector<Matrix>& moments,
              const Matrix& root, const Matrix& Yt, const Threads& threads)
      : units_(units), threads_(threads), mu_(units.count()) {
    const Matrix U = Product(root, Yt, threads);
    inverse_roots_.resize(moments.size());
    threads.ForBlocks(units.count(), kBlock, [&](Index begin, Index end) {
      for (Index unit = begin; unit < end; ++unit) {
        const auto rows = units.Rows(unit);
        if (rows.size() == 1) {
          mu_(unit) = U.col(rows[0]).norm();
        } else {
          Fit(unit, U(Eigen::all, rows), moments[static_cast<size_t>(unit)]);
        }
      }
    });
    mu_.array() += 1e-9 * mu_.mean();
  }

  double sum() const { return mu_.sum(); }

  // A Λ^(−½).
  Matrix TimesInverseRoot(const Matrix& A) const {
    Matrix product(A.rows(), A.cols());
    threads_.ForBlocks(units_.count(), kBlock, [&](Index begin, Index end) {
      for (Index unit = begin; unit < end; ++unit) {
        const auto rows = units_.Rows(unit);
        const double scale = 1 / std::sqrt(mu_(unit));
        if (rows.size() == 1) {
          product.col(rows[0]) = scale * A.col(rows[0]);
        } else {
          product(Eigen::all, rows) = scale * A(Eigen::all, rows) *
                                      inverse_roots_[static_cast<size_t>(unit)];
        }
      }
    });
    return product;
  }

 private:
  static constexpr Index kBlock = 256;  // units

  void Fit(Index unit, const Matrix& U, const Matrix& C) {
    const SymmetricEigen eigen = EigenDecomposition(C);
    // W in the coordinates in which C is diagonal.
    const Vector w = (U * eigen.vectors).colwise().squaredNorm();
    double best = std::numeric_limits<double>::infinity();
    for (const double alpha : {1e-5, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1.0}) {
      const Vector values =
          (1 - alpha) * eigen.values.cwiseMax(0).array() + alpha;
      const double squared = w.cwiseQuotient(values).sum();
      if (!(squared < best)) continue;
      best = squared;
      inverse_roots_[static_cast<size_t>(unit)] =
          eigen.vectors * values.cwiseSqrt().cwiseInverse().asDiagonal() *
          eigen.vectors.transpose();
    }
    mu_(unit) = std::sqrt(best);
  }

  const PrivacyUnits& units_;
  Threads threads_;
  Vector mu_;
  std::vector<Matrix> inverse_roots_;  // of (1 − α)C + αI
};

}  // namespace

Matrix StatisticCovariance(const DesignPrior& prior, const Matrix& H, double s,
                           const Matrix& R, const Threads& threads) {
  Matrix A = H * H.transpose() + WeightedGram(R, prior.D, threads);
  A.diagonal().array() += s * s;
  return A;
}

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

ExplainedVarianceBound BoundExplainedVariance(
    const std::vector<DesignPrior>& priors, const PrivacyUnits& units,
    const std::vector<Matrix>& moments, double s, const Matrix& R,
    const Threads& threads, const BoundOptions& options) {
  const auto count = static_cast<double>(units.count());
  Matrix Yt = GradientFactor(priors, s, R, threads) / s;
  const double used = ProductTransposed(R, Yt, threads).squaredNorm();
  const double tail =
      RotateAndTrim(Yt, kNegligible * options.enough / count, threads);
  const Index kept = Yt.rows();
  const Matrix RY = ProductTransposed(R, Yt, threads);
  const Matrix Z = RY.transpose() * RY;

  ExplainedVarianceBound best{std::numeric_limits<double>::infinity(), {}, {}};
  // Whether Z plus so much in all directions gives a better bound.
  const auto better = [&](double floor) {
    Matrix padded = Z;
    padded.diagonal().array() += floor * Z.trace() / static_cast<double>(kept);
    const Multipliers multipliers(
        units, moments, Cholesky(std::move(padded), threads).L().transpose(),
        Yt, threads);
    const Matrix scaled = multipliers.TimesInverseRoot(Yt);
    const SymmetricEigen P =
        EigenDecomposition(ProductTransposed(scaled, scaled, threads));
    // The margin is far above the rounding of an eigenvalue.
    constexpr double kMargin = 1 + 1e-9;
    const double gap =
        kMargin * (P.values(kept - 1) * multipliers.sum() + count * tail) -
        used;
    if (best.escape.size() == 0) {
      const double largest = P.values(kept - 1);
      const double violated = 1 + (largest - 1) / 10;
      Index rows = 0;
      while (largest > 1 && rows < std::min(options.escapes, kept) &&
             P.values(kept - 1 - rows) >= violated) {
        ++rows;
      }
      const Matrix directions = P.vectors.rightCols(rows).rowwise().reverse();
      best.escape = multipliers.TimesInverseRoot(
          Product(directions.transpose(), scaled, threads));
      best.value = P.values.tail(rows).reverse();
    }
    if (!(gap < best.gap)) return false;
    best.gap = std::max(0.0, gap);
    return true;
  };
  constexpr double kFirst = 1e-5;
  better(kFirst);
  for (const double factor : {10.0, 0.1}) {
    double floor = kFirst * factor;
    while (best.gap > options.enough && floor < 1 && floor > 1e-12 &&
           better(floor)) {
      floor *= factor;
    }
  }
  return best;
}

}  // namespace cloak
