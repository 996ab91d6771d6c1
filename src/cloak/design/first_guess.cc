#include "cloak/design/first_guess.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// The least weight of a direction, as a fraction of equal shares.
constexpr double kLeastShare = 0.1;

// How the squared norm of the columns, 1, is best divided between independent
// components, when a row of R for one of them with a share p explains
// a p q/(b p + s²) for signal a = λ N² in noise b = a + D N: at
//   p = max(0, √(q a) ν s − s²)/b
// for the ν that spends all of it. Returns ν.
double SpendingAll(const Eigen::ArrayXd& root_qa, const Eigen::ArrayXd& b,
                   double s) {
  const auto spent = [&](double nu) {
    return ((root_qa * (nu * s) - s * s).cwiseMax(0) / b).sum();
  };
  double low = 0;
  double high = s / root_qa.maxCoeff();
  while (spent(high) < 1) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const double nu = (low + high) / 2;
    (spent(nu) < 1 ? low : high) = nu;
  }
  return high;
}

}  // namespace

DesignPrior Condensed(const DesignPrior& prior, double s,
                      const Threads& threads) {
  // Directions are kept down to this fraction of what is worth a share.
  constexpr double kMargin = 0.15;
  const auto n = static_cast<double>(prior.Phi.cols());
  const SymmetricEigen eigen =
      EigenDecomposition(ProductTransposed(prior.Phi, prior.Phi, threads) / n);
  const Eigen::ArrayXd variance =
      eigen.values.cwiseMax(1e-14 * eigen.values.maxCoeff());
  const Eigen::ArrayXd importance = (eigen.vectors.transpose() * prior.Q)
                                        .cwiseProduct(eigen.vectors.transpose())
                                        .rowwise()
                                        .sum()
                                        .cwiseMax(0);
  const Eigen::ArrayXd root_qa = n * (importance * variance).sqrt();
  if (!(root_qa.maxCoeff() > 0)) return prior;
  const double nu =
      SpendingAll(root_qa, variance * (n * n) + prior.D.mean() * n, s);
  std::vector<Index> kept;
  for (Index k = 0; k < root_qa.size(); ++k) {
    if (root_qa(k) * nu > kMargin * s) kept.push_back(k);
  }
  const Matrix U = eigen.vectors(Eigen::all, kept);
  Matrix Phi = Product(U.transpose(), prior.Phi, threads);
  Vector D = prior.D +
             (prior.Phi.colwise().squaredNorm() - Phi.colwise().squaredNorm())
                 .cwiseMax(0)
                 .transpose();
  return {prior.weight, std::move(Phi), std::move(D),
          U.transpose() * prior.Q * U};
}

Matrix FirstGuess(const std::vector<DesignPrior>& priors, double s,
                  Index max_rank, const Threads& threads) {
  const auto n = static_cast<double>(priors[0].Phi.cols());
  Index rows = 0;
  double noise = 0;
  for (const DesignPrior& prior : priors) {
    rows += prior.Phi.rows();
    noise += prior.weight * prior.D.mean();
  }
  Matrix Phi(rows, priors[0].Phi.cols());
  rows = 0;
  for (const DesignPrior& prior : priors) {
    Phi.middleRows(rows, prior.Phi.rows()) =
        std::sqrt(prior.weight) * prior.Phi;
    rows += prior.Phi.rows();
  }
  const SymmetricEigen eigen =
      EigenDecomposition(ProductTransposed(Phi, Phi, threads) / n);
  const Vector variance = eigen.values.cwiseMax(1e-14 * eigen.values(rows - 1));
  const Eigen::ArrayXd root_qa = variance.array() * n;
  const Eigen::ArrayXd b = variance.array() * (n * n) + noise * n;
  const double nu = SpendingAll(root_qa, b, s);
  const Eigen::ArrayXd share = (root_qa * (nu * s) - s * s).cwiseMax(0) / b;
  Index rank = 1;
  while (rank < rows && share(rows - 1 - rank) > 0) ++rank;
  // A few more than that, as the best design has: to begin with them takes
  // fewer steps than to find them one after the other.
  rank = std::min({rows, max_rank, rank + 3 * rank / 10 + 1});
  const double least = kLeastShare / static_cast<double>(rank);
  const Vector scale =
      (share.tail(rank).max(least) / variance.tail(rank).array()).sqrt();
  return Product(scale.asDiagonal() * eigen.vectors.rightCols(rank).transpose(),
                 Phi, threads);
}

}  // namespace cloak
