#include "cloak/gp/site_inputs.h"

#include <algorithm>
#include <utility>

#include "cloak/linalg/microaggregate.h"

namespace cloak {
namespace {

// The variance of f(x) − f(y) for each row x of X and the same row y of Y.
Vector VariancesOfDifferences(const Kernel& kernel, const Matrix& X,
                              const Matrix& Y) {
  // Covariances come as matrices, of which the diagonal is wanted.
  constexpr Index kBlock = 8;
  const Threads one(1);
  Vector variances(X.rows());
  for (Index begin = 0; begin < X.rows(); begin += kBlock) {
    const Index size = std::min(kBlock, X.rows() - begin);
    const Matrix x = X.middleRows(begin, size);
    const Matrix y = Y.middleRows(begin, size);
    variances.segment(begin, size) =
        kernel.CrossCovariance(x, x, one).diagonal() +
        kernel.CrossCovariance(y, y, one).diagonal() -
        2 * kernel.CrossCovariance(x, y, one).diagonal();
  }
  return variances.cwiseMax(0);
}

// Rows that differ in the columns after the first `inputs` are apart.
DistinctRows WithColumns(const Matrix& X, const Matrix& others) {
  Matrix all(X.rows(), X.cols() + others.cols());
  all << X, others;
  return FindDistinctRows(all);
}

}  // namespace

SiteInputs SiteInputs::EachRow(const Matrix& X) {
  SiteInputs sites;
  sites.points_ = X;
  sites.weights_ = Vector::Ones(X.rows());
  sites.of_rows_ = RowSites::EachRow(X.rows());
  sites.sizes_ = sites.weights_;
  return sites;
}

SiteInputs::SiteInputs(const Matrix& X, const Matrix& others,
                       const SiteOptions& options)
    : SiteInputs() {
  DistinctRows distinct = WithColumns(X, others);
  std::vector<Index> place = std::move(distinct.of_row);  // of each row
  if (distinct.rows.rows() > options.most_points || options.least_rows > 1) {
    RowGroups groups =
        GroupRows(distinct, options.most_points, options.least_rows);
    for (Index& of_row : place) {
      of_row = groups.of_distinct[static_cast<size_t>(of_row)];
    }
    distinct.rows = std::move(groups.centres);
    distinct.weights = std::move(groups.weights);
    deviations_ = groups.deviations.leftCols(X.cols());
  }
  points_ = distinct.rows.leftCols(X.cols());
  weights_ = distinct.weights;
  sizes_ = weights_;
  if (points_.rows() > options.most_sites) {
    const RowGroups groups = GroupRows(distinct, options.most_sites, 1);
    sizes_ = groups.weights;
    for (Index& of_row : place) {
      of_row = groups.of_distinct[static_cast<size_t>(of_row)];
    }
    site_of_point_ = groups.of_distinct;
  }
  of_rows_ =
      RowSites(std::vector<int32_t>(place.begin(), place.end()), sizes_.size());
}

SiteInputs::SiteInputs(Matrix points, Vector weights, Matrix deviations,
                       std::vector<Index> site_of_point)
    : SiteInputs() {
  points_ = std::move(points);
  weights_ = std::move(weights);
  deviations_ = std::move(deviations);
  site_of_point_ = std::move(site_of_point);
  sizes_ = weights_;
  if (PointsAreSites()) return;
  const Index last =
      *std::max_element(site_of_point_.begin(), site_of_point_.end());
  sizes_ = Vector::Zero(last + 1);
  for (size_t p = 0; p < site_of_point_.size(); ++p) {
    sizes_(site_of_point_[p]) += weights_(static_cast<Index>(p));
  }
}

Matrix SiteInputs::Sum(const Matrix& of_points) const {
  if (PointsAreSites()) return of_points * weights_.asDiagonal();
  Matrix sums = Matrix::Zero(of_points.rows(), count());
  for (Index p = 0; p < of_points.cols(); ++p) {
    sums.col(site_of_point_[static_cast<size_t>(p)]) +=
        weights_(p) * of_points.col(p);
  }
  return sums;
}

Vector SiteInputs::Sum(const Vector& of_points) const {
  return Sum(Matrix(of_points.transpose())).transpose();
}

Matrix SiteInputs::Spread(const Matrix& of_sums) const {
  if (PointsAreSites()) return of_sums * weights_.asDiagonal();
  Matrix of_points(of_sums.rows(), points_.rows());
  for (Index p = 0; p < of_points.cols(); ++p) {
    of_points.col(p) =
        weights_(p) * of_sums.col(site_of_point_[static_cast<size_t>(p)]);
  }
  return of_points;
}

Vector SiteInputs::SumOfRows(const Vector& of_rows) const {
  Vector sums = Vector::Zero(count());
  for (Index i = 0; i < of_rows.size(); ++i) {
    sums(of_rows_.Of(i)) += of_rows(i);
  }
  return sums;
}

Vector SiteInputs::ResidualOfSums(const Basis& basis, const Matrix& Phi) const {
  return Sum(
      Vector(weights_.cwiseProduct(basis.ResidualVariances(points_, Phi))));
}

Vector SiteInputs::DeviationOfPoints(const Kernel& kernel) const {
  if (deviations_.size() == 0) return Vector::Zero(points_.rows());
  return VariancesOfDifferences(kernel, points_, points_ + deviations_);
}

// Var(½ f(x + δ) + ½ f(x − δ) − f(x)), from variances of differences: with a, b
// and c for the three, ½ Var(a − c) + ½ Var(b − c) − ¼ Var(a − b).
Vector SiteInputs::BendAtPoints(const Kernel& kernel) const {
  if (deviations_.size() == 0) return Vector::Zero(points_.rows());
  const Matrix above = points_ + deviations_;
  const Matrix below = points_ - deviations_;
  const Vector bend = 0.5 * VariancesOfDifferences(kernel, above, points_) +
                      0.5 * VariancesOfDifferences(kernel, below, points_) -
                      0.25 * VariancesOfDifferences(kernel, above, below);
  return bend.cwiseMax(0);
}

Vector SiteInputs::BendOfSums(const Kernel& kernel) const {
  return Sum(Vector(BendAtPoints(kernel).cwiseSqrt())).cwiseAbs2();
}

Vector SiteInputs::VarianceWithin(const Basis& basis, const Matrix& Phi) const {
  Vector within = DeviationOfPoints(basis.kernel());
  if (!PointsAreSites()) {
    const Matrix mean = Sum(Phi) * sizes_.cwiseInverse().asDiagonal();
    for (Index p = 0; p < Phi.cols(); ++p) {
      within(p) +=
          (Phi.col(p) - mean.col(site_of_point_[static_cast<size_t>(p)]))
              .squaredNorm();
    }
  }
  return Sum(within).cwiseQuotient(sizes_);
}

OutputModel SiteInputs::Model(
    const Basis& basis, const Matrix& Phi, double noise_variance,
    const std::optional<Vector>& noise_of_sums) const {
  Vector D = ResidualOfSums(basis, Phi) + BendOfSums(basis.kernel());
  D += noise_of_sums ? *noise_of_sums : Vector(noise_variance * sizes_);
  return {Sum(Phi), std::move(D)};
}

OutputModel SiteInputs::PointModel(const Basis& basis,
                                   double noise_variance) const {
  const Matrix Phi = basis.Features(points_);
  const Vector per_row =
      weights_.cwiseProduct(basis.ResidualVariances(points_, Phi)) +
      weights_.cwiseProduct(BendAtPoints(basis.kernel())) +
      Vector::Constant(points_.rows(), noise_variance);
  return {Phi * weights_.asDiagonal(), weights_.cwiseProduct(per_row)};
}

}  // namespace cloak
