#include "cloak/gp/bin_prior.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "cloak/base/error.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// The standard deviation of the constant, which stands for the number of rows.
constexpr double kConstant = 3;
// Eigenvalues below this fraction of the largest are left out.
constexpr double kLeastEigenvalue = 1e-8;
constexpr Index kMostPlaces = 400;

// The covariance of two places of an axis, `distance` lengthscales apart.
double CovarianceAt(double distance) {
  return 0.5 + 0.5 * std::exp(-0.5 * distance * distance);
}

Matrix CovarianceBetween(const Vector& a, const Vector& b) {
  return Matrix::NullaryExpr(a.size(), b.size(), [&](Index i, Index j) {
    return CovarianceAt(a(i) - b(j));
  });
}

// The middles of `count` equal parts of an axis, in lengthscales.
Vector PlacesOn(Index count, double lengthscale) {
  const auto n = static_cast<double>(count);
  return (Vector::LinSpaced(count, 0, n - 1).array() + 0.5) / (n * lengthscale);
}

// ½ I + ½ 1 1ᵀ: the constant, and anything orthogonal to it.
SymmetricEigen CategoryModes(Index bins) {
  const auto n = static_cast<double>(bins);
  SymmetricEigen modes{
      Vector::Constant(bins, 0.5),
      Matrix::NullaryExpr(bins, bins, [n](Index i, Index k) {
        const double angle = std::numbers::pi * static_cast<double>(k) *
                             (static_cast<double>(i) + 0.5) / n;
        return std::sqrt((k == 0 ? 1 : 2) / n) * std::cos(angle);
      })};
  modes.values(0) += n / 2;
  return modes;
}

// The functions and eigenvalues of one axis. Of a long one, those of fewer
// places, extended to all bins by the covariance with these (Nyström): what
// that leaves out is in the residual, and the time does not grow with the cube
// of the number of bins.
SymmetricEigen AxisModes(const BinAxis& axis, double lengthscale) {
  if (axis.categorical) return CategoryModes(axis.bins);
  const Vector bins = PlacesOn(axis.bins, lengthscale);
  if (axis.bins <= kMostPlaces) {
    return EigenDecomposition(CovarianceBetween(bins, bins));
  }
  const Vector places = PlacesOn(kMostPlaces, lengthscale);
  const SymmetricEigen few =
      EigenDecomposition(CovarianceBetween(places, places));
  const double least = kLeastEigenvalue * few.values.maxCoeff();
  const Index kept = (few.values.array() >= least).count();
  const double share =
      static_cast<double>(kMostPlaces) / static_cast<double>(axis.bins);
  const Vector values = few.values.tail(kept);
  return {values / share,
          CovarianceBetween(bins, places) * few.vectors.rightCols(kept) *
              (std::sqrt(share) * values.cwiseInverse()).asDiagonal()};
}

// All products of one number of each axis, the last axis fastest.
Vector Products(const std::vector<Vector>& axes) {
  Vector all = Vector::Ones(1);
  for (const Vector& axis : axes) {
    Vector next(all.size() * axis.size());
    for (Index i = 0; i < all.size(); ++i) {
      next.segment(i * axis.size(), axis.size()) = all(i) * axis;
    }
    all = std::move(next);
  }
  return all;
}

Vector Shares(const BinAxis& axis) {
  if (axis.widths.empty()) {
    return Vector::Constant(axis.bins, 1 / static_cast<double>(axis.bins));
  }
  const Vector widths = Eigen::Map<const Vector>(
      axis.widths.data(), static_cast<Index>(axis.widths.size()));
  return widths / widths.sum();
}

// The places of the largest numbers, at most `most`, largest first.
std::vector<Index> Largest(const Vector& values, Index most) {
  std::vector<Index> order(static_cast<size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto kept = static_cast<ptrdiff_t>(std::min(most, values.size()));
  std::partial_sort(
      order.begin(), order.begin() + kept, order.end(), [&](Index a, Index b) {
        return values(a) > values(b) || (values(a) == values(b) && a < b);
      });
  order.resize(static_cast<size_t>(kept));
  while (values(order.back()) < kLeastEigenvalue * values(order.front())) {
    order.pop_back();
  }
  return order;
}

}  // namespace

LogIntensityPrior PriorOfBins(const std::vector<BinAxis>& axes,
                              const BinHyperparameters& hyperparameters,
                              double rows, Index most) {
  RequireInput(
      !axes.empty() && hyperparameters.lengthscales.size() == axes.size(),
      "each axis of a histogram must have a lengthscale");
  std::vector<SymmetricEigen> eigen;
  std::vector<Vector> values;
  std::vector<Vector> shares;
  for (size_t j = 0; j < axes.size(); ++j) {
    eigen.push_back(AxisModes(axes[j], hyperparameters.lengthscales[j]));
    values.emplace_back(eigen.back().values.cwiseMax(0));
    shares.push_back(Shares(axes[j]));
  }
  const Vector all = Products(values);
  const std::vector<Index> kept = Largest(all, most);
  LogIntensityPrior prior;
  const Vector all_shares = Products(shares);
  prior.base = (rows * all_shares).array().log();
  const auto functions = static_cast<Index>(kept.size());
  prior.Phi.resize(functions + 1, all_shares.size());
  for (Index i = 0; i < functions; ++i) {
    Index place = kept[static_cast<size_t>(i)];
    std::vector<Vector> parts(axes.size());
    for (size_t j = axes.size(); j-- > 0;) {
      parts[j] = eigen[j].vectors.col(place % values[j].size());
      place /= values[j].size();
    }
    prior.Phi.row(i) = std::sqrt(hyperparameters.variance *
                                 all(kept[static_cast<size_t>(i)])) *
                       Products(parts);
  }
  prior.residual =
      (hyperparameters.variance -
       prior.Phi.topRows(functions).colwise().squaredNorm().transpose().array())
          .max(0) +
      hyperparameters.roughness;
  prior.Phi.row(functions).setConstant(kConstant);
  return prior;
}

}  // namespace cloak
