#include "cloak/linalg/microaggregate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
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
    // The widest on top; of those as wide, the first.
    std::priority_queue<std::pair<double, Index>> widths;
    const auto offer = [&](Index k) {
      const double width = Width(groups[static_cast<size_t>(k)]);
      if (width > 0) widths.emplace(width, -k);
    };
    offer(0);
    while (static_cast<Index>(groups.size()) < most && !widths.empty()) {
      const Index widest = -widths.top().second;
      widths.pop();
      Members second = CutOff(groups[static_cast<size_t>(widest)]);
      if (second.empty()) continue;  // cannot be cut, and is not tried again
      groups.push_back(std::move(second));
      offer(widest);
      offer(static_cast<Index>(groups.size()) - 1);
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
      const size_t cut =
          AreSingle(group) ? HalveBy(d, group) : CutEvenly(d, group);
      if (cut == 0) continue;
      Members second(group.begin() + static_cast<Index>(cut), group.end());
      group.resize(cut);
      return second;
    }
    return {};
  }

  // Each member with its number in a column, which is what takes time to look
  // up where there are many; members that are alike in it are in the order of
  // the rows.
  std::vector<std::pair<double, Index>> KeysOf(Index column,
                                               const Members& group) const {
    std::vector<std::pair<double, Index>> keys;
    keys.reserve(group.size());
    for (const Index row : group) keys.emplace_back(rows_(row, column), row);
    return keys;
  }

  static void Reorder(const std::vector<std::pair<double, Index>>& keys,
                      Members& group) {
    for (size_t k = 0; k < keys.size(); ++k) group[k] = keys[k].second;
  }

  bool AreSingle(const Members& group) const {
    return std::all_of(group.begin(), group.end(),
                       [this](Index row) { return weights_(row) == 1; });
  }

  // Has the half of the members that is lower in the column come first; returns
  // how many these are.
  size_t HalveBy(Index column, Members& group) const {
    auto keys = KeysOf(column, group);
    const size_t half = keys.size() / 2;
    std::nth_element(keys.begin(), keys.begin() + static_cast<Index>(half),
                     keys.end());
    Reorder(keys, group);
    return half;
  }

  // Sorts the members by the column. Returns how many of the first have the
  // weight nearest to half of all, such that neither part is too light; 0 where
  // there is no such cut.
  size_t CutEvenly(Index column, Members& group) const {
    auto keys = KeysOf(column, group);
    std::sort(keys.begin(), keys.end());
    Reorder(keys, group);
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

KMeansClusters Microaggregates(const DistinctRows& distinct, Index most) {
  if (distinct.weights.sum() < static_cast<double>(kLeastGroup)) {
    return {Matrix(0, distinct.rows.cols()), Vector()};
  }
  RowGroups groups = GroupRows(distinct, most, kLeastGroup);
  return {std::move(groups.centres), std::move(groups.weights)};
}

}  // namespace cloak
