#include "cloak/linalg/microaggregate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace cloak {
namespace {

using Members = std::vector<Index>;  // numbers of different rows

// Groups of different rows with their numbers of copies as weights.
class Cutter {
 public:
  Cutter(const DistinctRows& distinct, double least)
      : rows_(distinct.rows), weights_(distinct.weights), least_(least) {
    for (const auto column : rows_.colwise()) {
      // Divided by the largest first, so that squares do not overflow.
      const double size = column.cwiseAbs().maxCoeff();
      const Eigen::ArrayXd x = column.array() / (size > 0 ? size : 1);
      const double mean = weights_.dot(x.matrix()) / weights_.sum();
      const double sd = std::sqrt(weights_.dot((x - mean).square().matrix()) /
                                  weights_.sum());
      scales_.push_back(sd > 0 ? size * sd : 0);
    }
  }

  // Cuts the group that is widest, all its rows counted, as long as there are
  // fewer than `most`.
  std::vector<Members> Groups(Index most) const {
    Members all(static_cast<size_t>(rows_.rows()));
    std::iota(all.begin(), all.end(), Index{0});
    std::vector<Members> groups{std::move(all)};
    std::vector<double> widths{Width(groups.front())};
    while (static_cast<Index>(groups.size()) < most) {
      const auto widest = static_cast<size_t>(
          std::max_element(widths.begin(), widths.end()) - widths.begin());
      if (!(widths[widest] > 0)) break;
      Members second = CutOff(groups[widest]);
      // What cannot be cut is not tried again.
      widths[widest] = second.empty() ? 0 : Width(groups[widest]);
      if (second.empty()) continue;
      widths.push_back(Width(second));
      groups.push_back(std::move(second));
    }
    return groups;
  }

 private:
  // The sum of squared distances from the mean, in standard deviations.
  double Width(const Members& group) const {
    const Vector weights = weights_(group);
    double width = 0;
    for (Index d = 0; d < rows_.cols(); ++d) {
      const double scale = scales_[static_cast<size_t>(d)];
      if (!(scale > 0)) continue;
      const Eigen::ArrayXd x = rows_(group, d).array() / scale;
      const double mean = weights.dot(x.matrix()) / weights.sum();
      width += weights.dot((x - mean).square().matrix());
    }
    return width;
  }

  // Takes a part off the group; none where it cannot be cut.
  Members CutOff(Members& group) const {
    if (WeightOf(group) < 2 * least_) return {};
    std::vector<std::pair<double, Index>> widths;
    for (Index d = 0; d < rows_.cols(); ++d) {
      const Vector x = rows_(group, d);
      const double scale = scales_[static_cast<size_t>(d)];
      if (!(scale > 0) || x.minCoeff() == x.maxCoeff()) continue;
      widths.emplace_back((x.minCoeff() - x.maxCoeff()) / scale, d);
    }
    std::sort(widths.begin(), widths.end());  // the widest first
    for (const auto& [width, d] : widths) {
      std::stable_sort(
          group.begin(), group.end(),
          [&, d = d](Index i, Index j) { return rows_(i, d) < rows_(j, d); });
      const size_t cut = EvenestCut(group);
      if (cut == 0) continue;
      Members second(group.begin() + static_cast<Index>(cut), group.end());
      group.resize(cut);
      return second;
    }
    return {};
  }

  // How many of the first members have the weight nearest to half of all, such
  // that neither part is too light; 0 where there is no such cut.
  size_t EvenestCut(const Members& group) const {
    const double total = WeightOf(group);
    double before = 0;
    size_t best = 0;
    double least_excess = total;
    for (size_t k = 1; k < group.size(); ++k) {
      before += weights_(group[k - 1]);
      if (before < least_ || total - before < least_) continue;
      const double excess = std::abs(total - 2 * before);
      if (excess >= least_excess) continue;
      least_excess = excess;
      best = k;
    }
    return best;
  }

  double WeightOf(const Members& group) const { return weights_(group).sum(); }

  const Matrix& rows_;
  const Vector& weights_;
  double least_;
  std::vector<double> scales_;
};

}  // namespace

RowGroups GroupRows(const DistinctRows& distinct, Index most, Index least) {
  std::vector<Members> groups =
      Cutter(distinct, static_cast<double>(least)).Groups(most);
  const auto count = static_cast<Index>(groups.size());
  const Index columns = distinct.rows.cols();
  RowGroups found{
      Matrix(count, columns), Vector(count), Matrix(count, columns),
      std::vector<Index>(static_cast<size_t>(distinct.rows.rows()))};
  for (Index k = 0; k < count; ++k) {
    Members& group = groups[static_cast<size_t>(k)];
    std::sort(group.begin(), group.end());
    const Vector weights = distinct.weights(group);
    // From differences to one of the rows: a group of rows that are alike has
    // them as its mean, bit for bit.
    const Eigen::RowVectorXd first = distinct.rows.row(group.front());
    const Matrix apart = distinct.rows(group, Eigen::all).rowwise() - first;
    found.weights(k) = weights.sum();
    const Eigen::RowVectorXd mean =
        weights.transpose() * apart / found.weights(k);
    found.centres.row(k) = first + mean;
    found.deviations.row(k) =
        (weights.transpose() * (apart.rowwise() - mean).cwiseAbs2() /
         found.weights(k))
            .cwiseSqrt();
    for (const Index row : group) {
      found.of_distinct[static_cast<size_t>(row)] = k;
    }
  }
  return found;
}

KMeansClusters Microaggregates(const Matrix& X, Index most) {
  if (X.rows() < kLeastGroup) return {Matrix(0, X.cols()), Vector()};
  RowGroups groups = GroupRows(FindDistinctRows(X), most, kLeastGroup);
  return {std::move(groups.centres), std::move(groups.weights)};
}

}  // namespace cloak
