#include "cloak/gp/basis_candidates.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/linalg/microaggregate.h"
#include "cloak/linalg/rounded_range.h"
#include "cloak/linalg/spread_points.h"

namespace cloak {
namespace {

constexpr Index kMostSpannedPlaces = 4096;
constexpr Index kMostGroups = 500;
constexpr Index kMostSharedRows = 500;
constexpr Index kSpreadCandidates = 1000;
// So many of the places stand for all where candidates are compared.
constexpr Index kMostComparedPlaces = 500;

// Returns as many as `most` of them, evenly spaced.
std::vector<Index> EvenChoice(const std::vector<Index>& all, Index most) {
  const auto size = static_cast<Index>(all.size());
  if (size <= most) return all;
  std::vector<Index> chosen;
  for (Index k = 0; k < most; ++k) {
    chosen.push_back(all[static_cast<size_t>(k * size / most)]);
  }
  return chosen;
}

std::vector<Index> AllOf(Index count) {
  std::vector<Index> all(static_cast<size_t>(count));
  for (Index i = 0; i < count; ++i) all[static_cast<size_t>(i)] = i;
  return all;
}

bool ComesBefore(const Eigen::RowVectorXd& a, const Eigen::RowVectorXd& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

// Whether a point is a row that few others are like. Rows are in order.
bool IsARowOfFew(const Eigen::RowVectorXd& point, const DistinctRows& rows) {
  Index begin = 0;
  Index end = rows.rows.rows();
  while (begin < end) {
    const Index middle = begin + (end - begin) / 2;
    if (ComesBefore(rows.rows.row(middle), point)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin < rows.rows.rows() && rows.rows.row(begin) == point &&
         rows.weights(begin) < static_cast<double>(kLeastGroup);
}

std::vector<Index> SharedRows(const DistinctRows& rows) {
  std::vector<Index> shared;
  for (Index i = 0; i < rows.weights.size(); ++i) {
    if (rows.weights(i) >= static_cast<double>(kLeastGroup)) {
      shared.push_back(i);
    }
  }
  return EvenChoice(shared, kMostSharedRows);
}

Matrix WithoutRowsOfFew(const Matrix& points, const DistinctRows& rows) {
  std::vector<Index> kept;
  for (Index i = 0; i < points.rows(); ++i) {
    if (!IsARowOfFew(points.row(i), rows)) kept.push_back(i);
  }
  return points(kept, Eigen::all);
}

// The selection as it goes: of places, then of candidates.
class Selection {
 public:
  Selection(const Kernel& kernel, const BasisCandidates& candidates,
            const Threads& threads, Index most)
      : kernel_(kernel),
        threads_(threads),
        places_(candidates.places().rows.rows()),
        compared_(EvenChoice(AllOf(places_), kMostComparedPlaces)),
        roots_(candidates.places().weights(compared_).cwiseSqrt()),
        all_(places_ + candidates.points().rows(), candidates.points().cols()),
        factor_(all_.rows(), most) {
    all_ << candidates.places().rows, candidates.points();
    residual_ = SharedVariances(kernel, all_);
    floor_ = kLeastRelativeResidual * residual_.maxCoeff();
    weighted_ =
        roots_.asDiagonal() *
        kernel.CrossCovariance(candidates.places().rows(compared_, Eigen::all),
                               candidates.points(), threads);
  }

  // Below it, residuals are rounding errors.
  double floor() const { return floor_; }
  double LargestResidual() const { return residual_.head(places_).maxCoeff(); }

  // The candidate that takes most off all places, and how much that is.
  std::pair<Index, double> Best() const {
    const auto of_candidates = residual_.tail(weighted_.cols()).array();
    const Eigen::ArrayXd gains =
        (of_candidates > floor_)
            .select(weighted_.colwise().squaredNorm().transpose().array() /
                        of_candidates.max(floor_),
                    -1.0);
    Index best = 0;
    const double gain = gains.maxCoeff(&best);
    return {best, gain};
  }

  void Take(Index candidate) {
    const Index taken = places_ + candidate;
    Vector column = kernel_.CrossCovariance(all_, all_.row(taken), threads_);
    column.noalias() -= factor_.leftCols(taken_) *
                        factor_.leftCols(taken_).row(taken).transpose();
    column /= std::sqrt(residual_(taken));
    residual_ = (residual_ - column.cwiseAbs2()).cwiseMax(0);
    residual_(taken) = 0;
    const Vector of_compared = roots_.cwiseProduct(column(compared_));
    weighted_.noalias() -=
        of_compared * column.tail(weighted_.cols()).transpose();
    factor_.col(taken_++) = column;
  }

 private:
  const Kernel& kernel_;
  const Threads& threads_;
  Index places_;
  std::vector<Index> compared_;
  Vector roots_;  // √weight of the places that are compared
  Matrix all_;    // places, then candidates
  Vector residual_;
  double floor_ = 0;
  // Residual covariances of the places that are compared, times roots_, with
  // the candidates.
  Matrix weighted_;
  Matrix factor_;  // its first taken_ columns
  Index taken_ = 0;
};

}  // namespace

BasisCandidates::BasisCandidates(const Matrix& X)
    : rows_(FindDistinctRows(X)), places_{rows_.rows, rows_.weights} {
  if (rows_.rows.rows() > kMostSpannedPlaces) {
    RowGroups groups = GroupRows(rows_, kMostSpannedPlaces, 1);
    places_ = {std::move(groups.centres), std::move(groups.weights)};
  }
  const RoundedBox box = RoundBox(X);
  const Vector width = box.upper - box.lower;
  scale_ = (width.array() > 0).select(width.cwiseInverse(), 0);
  const Matrix groups = Microaggregates(places_, kMostGroups).centres;
  const std::vector<Index> shared = SharedRows(rows_);
  const Matrix spread = SpreadPoints(box.lower, box.upper, kSpreadCandidates);
  Matrix all(groups.rows() + static_cast<Index>(shared.size()) + spread.rows(),
             X.cols());
  all << groups, rows_.rows(shared, Eigen::all), spread;
  points_ = WithoutRowsOfFew(all, rows_);
}

bool BasisCandidates::IsSomebodys(const Eigen::RowVectorXd& point) const {
  return IsARowOfFew(point, rows_);
}

Index BasisCandidates::TakeNearest(const Eigen::RowVectorXd& place,
                                   std::vector<bool>& taken) const {
  const Vector squared = ((points_.rowwise() - place) * scale_.asDiagonal())
                             .rowwise()
                             .squaredNorm();
  Index nearest = -1;
  for (Index i = 0; i < squared.size(); ++i) {
    if (taken[static_cast<size_t>(i)]) continue;
    if (nearest < 0 || squared(i) < squared(nearest)) nearest = i;
  }
  RequireInput(nearest >= 0,
               "there are not so many points that are nobody's; take fewer");
  taken[static_cast<size_t>(nearest)] = true;
  return nearest;
}

Matrix SelectBasisPoints(const Kernel& kernel,
                         const BasisCandidates& candidates,
                         const Threads& threads,
                         const BasisSelectionOptions& options) {
  const Index most = std::min(candidates.points().rows(), options.max_size);
  Selection selection(kernel, candidates, threads, most);
  const double stop = std::max(options.tolerance, selection.floor());
  std::vector<Index> chosen;
  while (static_cast<Index>(chosen.size()) < most &&
         selection.LargestResidual() > stop) {
    const auto [best, gain] = selection.Best();
    // The first is taken even where it is far from all places.
    if (gain < 0 || (!chosen.empty() && gain <= stop)) break;
    selection.Take(best);
    chosen.push_back(best);
  }
  RequireConnectedRows(!chosen.empty());
  return candidates.points()(chosen, Eigen::all);
}

}  // namespace cloak
