#include "cloak/models/row_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

std::vector<Index> NumbersBelow(Index count) {
  std::vector<Index> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  return numbers;
}

// The numbers below `count` in ascending order of what they stand for, and of
// each, how many stand for something smaller.
struct Ranking {
  std::vector<Index> order;
  std::vector<Index> ranks;
};

template <typename Less>
Ranking Rank(Index count, const Less& less) {
  Ranking ranking{NumbersBelow(count),
                  std::vector<Index>(static_cast<size_t>(count))};
  std::sort(ranking.order.begin(), ranking.order.end(), less);
  for (size_t k = 1; k < ranking.order.size(); ++k) {
    const Index before = ranking.order[k - 1];
    const Index here = ranking.order[k];
    ranking.ranks[static_cast<size_t>(here)] =
        less(before, here) ? static_cast<Index>(k)
                           : ranking.ranks[static_cast<size_t>(before)];
  }
  return ranking;
}

// Rows by their first column, then by their second, ….
Ranking RankRows(const Matrix& columns) {
  const Matrix rows = columns.transpose();
  return Rank(rows.cols(), [&rows](Index a, Index b) {
    const auto* of_a = rows.col(a).data();
    const auto* of_b = rows.col(b).data();
    return std::lexicographical_compare(of_a, of_a + rows.rows(), of_b,
                                        of_b + rows.rows());
  });
}

}  // namespace

RowOrder::RowOrder(const Matrix& X, const Vector& noise_variances,
                   const PrivacyUnits& units)
    : unit_of_row_(static_cast<size_t>(X.rows())) {
  Matrix columns(X.rows(), X.cols() + (noise_variances.size() > 0 ? 1 : 0));
  columns.leftCols(X.cols()) = X;
  if (noise_variances.size() > 0) {
    columns.rightCols(1) = noise_variances;
  }
  ranks_ = RankRows(columns).ranks;
  std::vector<std::vector<Index>> ranks_of_unit(
      static_cast<size_t>(units.count()));
  for (Index unit = 0; unit < units.count(); ++unit) {
    std::vector<Index>& ranks = ranks_of_unit[static_cast<size_t>(unit)];
    for (const Index row : units.Rows(unit)) {
      unit_of_row_[static_cast<size_t>(row)] = unit;
      ranks.push_back(ranks_[static_cast<size_t>(row)]);
    }
    std::sort(ranks.begin(), ranks.end());
    has_exchangeable_ |=
        std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end();
  }
  signatures_ = Rank(units.count(), [&ranks_of_unit](Index a, Index b) {
                  return ranks_of_unit[static_cast<size_t>(a)] <
                         ranks_of_unit[static_cast<size_t>(b)];
                }).ranks;
  std::vector<Index> sorted = signatures_;
  std::sort(sorted.begin(), sorted.end());
  has_exchangeable_ |=
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();

  rows_ = Arranged(NumbersBelow(units.count()), NumbersBelow(X.rows()));
}

Matrix RowOrder::Sorted(const Matrix& columns) const {
  return Matrix(columns(rows_, Eigen::all)).array() + 0.0;
}

Vector RowOrder::Sorted(const Vector& column) const {
  return Vector(column(rows_)).array() + 0.0;
}

PrivacyUnits RowOrder::Sorted(const PrivacyUnits& units) const {
  return units.Of(rows_);
}

std::vector<Index> RowOrder::Draw(Randomness& randomness) const {
  if (!has_exchangeable_) return rows_;
  const std::vector<Index> place_of_unit =
      RandomPermutation(static_cast<Index>(signatures_.size()), randomness);
  return Arranged(
      place_of_unit,
      RandomPermutation(static_cast<Index>(rows_.size()), randomness));
}

Secret<Vector> RowOrder::Sorted(const Secret<Vector>& outputs,
                                Randomness& randomness) const {
  // How many there are is public.
  return outputs.Map(
      [](const Vector& all, const std::vector<Index>& order) -> Vector {
        RequireInput(all.size() == static_cast<Index>(order.size()),
                     "the plan is for ", order.size(), " rows, but there are ",
                     all.size(), " outputs");
        return all(order);
      },
      Draw(randomness));
}

std::vector<Index> RowOrder::Arranged(
    const std::vector<Index>& place_of_unit,
    const std::vector<Index>& place_of_row) const {
  std::vector<Index> order = NumbersBelow(static_cast<Index>(ranks_.size()));
  const auto key = [&](Index row) {
    const auto unit = static_cast<size_t>(unit_of_row_[row]);
    return std::tuple(ranks_[row], signatures_[unit], place_of_unit[unit],
                      place_of_row[row]);
  };
  std::sort(order.begin(), order.end(),
            [&key](Index a, Index b) { return key(a) < key(b); });
  return order;
}

std::vector<Index> RandomPermutation(Index count, Randomness& randomness) {
  std::vector<Index> numbers = NumbersBelow(count);
  for (size_t left = numbers.size(); left > 1; --left) {
    std::swap(numbers[left - 1], numbers[static_cast<size_t>(randomness.Below(
                                     static_cast<uint64_t>(left)))]);
  }
  return numbers;
}

Matrix SortedPoints(const Matrix& points) {
  return Matrix(points(RankRows(points).order, Eigen::all)).array() + 0.0;
}

}  // namespace cloak
