#ifndef CLOAK_GP_SITE_INPUTS_H_
#define CLOAK_GP_SITE_INPUTS_H_

#include <optional>
#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/row_sites.h"

namespace cloak {

// How public rows are gathered.
struct SiteOptions {
  // As many points as there are different rows, up to this; beyond, groups of
  // rows that lie together (microaggregate.h).
  Index most_points = 4096;
  // Groups of points, where there are more of these.
  Index most_sites = 1024;
  // How many rows a point stands for at least, if there are so many: with
  // kLeastGroup, points may stand in a file.
  Index least_rows = 1;
};

// Public rows gathered into sites: a statistic weighs all outputs of a site
// alike, and it is the sum y_s of these that a model is about:
//   y_s = Σ_(i in s) f(x_i) + noise.
// The sum over rows is one over points, each with the number w_p of rows that
// it stands for:
//   Σ_(i in s) f(x_i) = Σ_(p in s) w_p f(x_p) + e_s.
// A point is where equal rows are, and then e_s = 0; or, where there are too
// many different rows for that, the mean of rows that lie together. Where f is
// straight among these, their sum is that at their mean; how f bends there is
// e_s.
class SiteInputs {
 public:
  // Every row is a point and a site of its own.
  static SiteInputs EachRow(const Matrix& X);

  // Equal rows of `X` and `others` are in one site: rows that differ in what a
  // statistic should weigh them by (the noise of an observation) are `others`.
  // The order of rows does not matter, but for that of rows().
  SiteInputs(const Matrix& X, const Matrix& others,
             const SiteOptions& options = {});

  // Points that stand for so many rows each, in sites (each in one of its own
  // where `site_of_point` is empty), of which no row is known. `deviations`:
  // root mean squares of the distances of the rows from their point; none where
  // all are 0.
  SiteInputs(Matrix points, Vector weights, Matrix deviations,
             std::vector<Index> site_of_point);

  // Returns the site of each row, where rows are known.
  const RowSites& of_rows() const { return of_rows_; }
  Index count() const { return sizes_.size(); }
  // How many rows each site has.
  const Vector& sizes() const { return sizes_; }

  const Matrix& points() const { return points_; }
  // How many rows each point stands for.
  const Vector& weights() const { return weights_; }
  const Matrix& deviations() const { return deviations_; }
  const std::vector<Index>& site_of_point() const { return site_of_point_; }
  // Whether each site is one point.
  bool PointsAreSites() const { return site_of_point_.empty(); }

  // Sums over the rows of each site what each point has as a column.
  Matrix Sum(const Matrix& of_points) const;
  // Sums over the rows of each site one number for each point.
  Vector Sum(const Vector& of_points) const;
  // The other way around: what a sum changes by for each point, if it does so
  // by the columns given for each site.
  Matrix Spread(const Matrix& of_sums) const;
  // Sums over the rows of each site one number for each row that is known.
  Vector SumOfRows(const Vector& of_rows) const;

  // The variance of the sum of what the basis leaves of f, for the features of
  // the points: one residual for all rows of a point.
  Vector ResidualOfSums(const Basis& basis, const Matrix& Phi) const;
  // The variance of Σ_i f(x_i) − Σ_p w_p f(x_p) beforehand, as if half of the
  // rows of a point lay at their deviations above it, and half below it, and as
  // if f bent the same way at all points of a site; zeros where points are
  // where the rows are. For a smooth f that is as much or more, to the fourth
  // order in distances.
  Vector BendOfSums(const Kernel& kernel) const;
  // The mean over the rows of each point of the variance of f(x_i) around f at
  // the point.
  Vector DeviationOfPoints(const Kernel& kernel) const;

  // How far f is apart among the rows of a site: the mean over its rows of the
  // prior variance of f(x_i) − f̄, f̄ the mean of f over the site.
  Vector VarianceWithin(const Basis& basis, const Matrix& Phi) const;

  // The sums in a basis, y_s = Φ_sᵀu + e_s, as a linear statistic has them,
  // where an observation has this noise, or the observations of each site have
  // that given, summed. `Phi`: features of the points.
  OutputModel Model(const Basis& basis, const Matrix& Phi,
                    double noise_variance,
                    const std::optional<Vector>& noise_of_sums) const;
  OutputModel Model(const Basis& basis, double noise_variance,
                    const std::optional<Vector>& noise_of_sums) const {
    return Model(basis, basis.Features(points_), noise_variance, noise_of_sums);
  }
  // The same of the sums over points.
  OutputModel PointModel(const Basis& basis, double noise_variance) const;

 private:
  SiteInputs() : of_rows_(RowSites::EachRow(0)) {}

  // How much the mean of f over the rows of a point varies around f there.
  Vector BendAtPoints(const Kernel& kernel) const;

  Matrix points_;      // P x inputs
  Vector weights_;     // P
  Matrix deviations_;  // P x inputs, of rows from their point; none: all 0
  std::vector<Index> site_of_point_;  // empty where each is one
  RowSites of_rows_;
  Vector sizes_;
};

}  // namespace cloak

#endif  // CLOAK_GP_SITE_INPUTS_H_
