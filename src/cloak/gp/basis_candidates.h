#ifndef CLOAK_GP_BASIS_CANDIDATES_H_
#define CLOAK_GP_BASIS_CANDIDATES_H_

#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/linalg/kmeans.h"

namespace cloak {

// Points that can stand in a release although the rows of X cannot: whoever
// publishes a row as it is publishes a person's values, where any points that
// span the process will do. They are
// - means of groups of rows that lie together (microaggregate.h),
// - rows that at least kLeastGroup rows are like,
// - points spread evenly over the box of rounded ranges (rounded_range.h).
// None of them is a row that fewer than kLeastGroup rows are like. X is public,
// and the order of its rows does not matter.
class BasisCandidates {
 public:
  explicit BasisCandidates(const Matrix& X);

  const Matrix& points() const { return points_; }
  // What a basis has to span, and how many rows each place stands for: the
  // different rows or, where these are too many, the means of groups of them
  // that lie together. They are for computing with, not for a release.
  const DistinctRows& places() const { return places_; }

  // Whether a point is a row that fewer than kLeastGroup rows are like.
  bool IsSomebodys(const Eigen::RowVectorXd& point) const;

  // The candidate nearest to a place, in units of the box, among those that
  // `taken` does not mark; marks it.
  Index TakeNearest(const Eigen::RowVectorXd& place,
                    std::vector<bool>& taken) const;

 private:
  DistinctRows rows_;
  DistinctRows places_;
  Matrix points_;
  Vector scale_;  // 1/width of the box; 0 where it has none
};

// Candidates that span the process at the places of the rows: a Cholesky factor
// of their covariance that takes at each step the candidate which takes most
// off the residual variances at the places, all together. Ends where none of
// these is above the tolerance, or where no candidate takes as much off all of
// them. Throws InvalidInput when the kernel connects no row with any other.
Matrix SelectBasisPoints(const Kernel& kernel,
                         const BasisCandidates& candidates,
                         const Threads& threads,
                         const BasisSelectionOptions& options);

}  // namespace cloak

#endif  // CLOAK_GP_BASIS_CANDIDATES_H_
