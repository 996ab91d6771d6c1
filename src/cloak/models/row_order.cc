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
  const Index count = columns.rows();
  Ranking ranking{{}, std::vector<Index>(static_cast<size_t>(count))};
  // The first column decides about most rows: it lies beside their numbers.
  std::vector<std::pair<double, Index>> rows;
  rows.reserve(static_cast<size_t>(count));
  for (Index i = 0; i < count; ++i)
    rows.emplace_back(columns.cols() > 0 ? columns(i, 0) : 0, i);
  const auto compare = [&columns](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first ? -1 : 1;
    for (Index j = 1; j < columns.cols(); ++j) {
      const double of_a = columns(a.second, j);
      const double of_b = columns(b.second, j);
      if (of_a != of_b) return of_a < of_b ? -1 : 1;
    }
    return 0;
  };
  std::sort(rows.begin(), rows.end(),
            [&](const auto& a, const auto& b) { return compare(a, b) < 0; });
  ranking.order.reserve(rows.size());
  for (size_t k = 0; k < rows.size(); ++k) {
    const auto here = static_cast<size_t>(rows[k].second);
    ranking.order.push_back(rows[k].second);
    ranking.ranks[here] =
        k > 0 && compare(rows[k - 1], rows[k]) == 0
            ? ranking.ranks[static_cast<size_t>(rows[k - 1].second)]
            : static_cast<Index>(k);
  }
  return ranking;
}

bool HasEqual(const Ranking& ranking) {
  for (size_t k = 0; k < ranking.order.size(); ++k) {
    const auto i = static_cast<size_t>(ranking.order[k]);
    if (ranking.ranks[i] != static_cast<Index>(k)) return true;
  }
  return false;
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
  Ranking ranking = RankRows(columns);
  has_equal_rows_ = HasEqual(ranking);
  ranks_ = std::move(ranking.ranks);
  signatures_ = SignaturesOf(units);
  for (Index unit = 0; unit < units.count(); ++unit) {
    for (const Index row : units.Rows(unit)) {
      unit_of_row_[static_cast<size_t>(row)] = unit;
    }
  }
  rows_ = has_equal_rows_
              ? Arranged(NumbersBelow(units.count()), NumbersBelow(X.rows()))
              : std::move(ranking.order);
}

std::vector<Index> RowOrder::SignaturesOf(const PrivacyUnits& units) const {
  if (units.IsEachRow()) {
    std::vector<Index> signatures;
    for (Index unit = 0; unit < units.count(); ++unit) {
      signatures.push_back(
          ranks_[static_cast<size_t>(units.Rows(unit).front())]);
    }
    return signatures;
  }
  std::vector<std::vector<Index>> ranks_of_unit(
      static_cast<size_t>(units.count()));
  for (Index unit = 0; unit < units.count(); ++unit) {
    std::vector<Index>& ranks = ranks_of_unit[static_cast<size_t>(unit)];
    for (const Index row : units.Rows(unit)) {
      ranks.push_back(ranks_[static_cast<size_t>(row)]);
    }
    std::sort(ranks.begin(), ranks.end());
  }
  return Rank(units.count(),
              [&ranks_of_unit](Index a, Index b) {
                return ranks_of_unit[static_cast<size_t>(a)] <
                       ranks_of_unit[static_cast<size_t>(b)];
              })
      .ranks;
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
  if (!has_equal_rows_) return rows_;
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
  using Key = std::tuple<Index, Index, Index, Index, Index>;
  std::vector<Key> keys;
  keys.reserve(ranks_.size());
  for (size_t row = 0; row < ranks_.size(); ++row) {
    const auto unit = static_cast<size_t>(unit_of_row_[row]);
    keys.emplace_back(ranks_[row], signatures_[unit], place_of_unit[unit],
                      place_of_row[row], static_cast<Index>(row));
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Index> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(std::get<4>(key));
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
