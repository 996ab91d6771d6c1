#include "cloak/audit/row_neighbours.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/cell_mechanism.h"
#include "cloak/privacy/feature_mechanism.h"
#include "cloak/privacy/quantized_output.h"

namespace cloak {
namespace {

using CellWeights = Eigen::Matrix<int64_t, Eigen::Dynamic, Eigen::Dynamic>;

constexpr auto kHalf = Int128{kHalfOutput};  // Q

// The features as integers, of which one is worth `unit`.
CellWeights CellWeightsOf(const Matrix& features, double unit) {
  return features.unaryExpr([unit](double feature) {
    const double integer = feature / unit;
    RequirePrivacy(
        std::abs(integer) <= 0x1p31 && std::trunc(integer) == integer,
        "a feature of a cell is not a whole number of units");
    return static_cast<int64_t>(integer);
  });
}

Int128 ProductOfColumns(const CellWeights& P, Index a, Index b) {
  Int128 product = 0;
  for (Index k = 0; k < P.rows(); ++k) product += Int128{P(k, a)} * P(k, b);
  return product;
}

// One row as a mechanism sees it.
struct SeenRow {
  Index cell = 0;
  int level = 0;  // of its output: -1 and 1 at a bound, 0 in the middle
  bool missing = false;
};
struct Substitution {
  SeenRow before;
  SeenRow after;
};

// The one of the largest `size`, which is of |P_c|^2, |P_c'|^2 and P_c . P_c'.
template <typename Size>
std::pair<Index, Index> FarthestCells(const CellWeights& P, const Size& size) {
  std::vector<Int128> squares;
  for (Index c = 0; c < P.cols(); ++c) {
    squares.push_back(ProductOfColumns(P, c, c));
  }
  std::pair<Index, Index> farthest;
  Int128 largest = 0;
  const auto consider = [&](Index a, Index b, Int128 product) {
    const Int128 moved = size(squares[static_cast<size_t>(a)],
                              squares[static_cast<size_t>(b)], product);
    if (moved <= largest) return;
    largest = moved;
    farthest = {a, b};
  };
  for (Index a = 0; a < P.cols(); ++a) {
    for (Index b = 0; b <= a; ++b) {
      const Int128 product = ProductOfColumns(P, a, b);
      consider(a, b, product);
      consider(b, a, product);
    }
  }
  RequirePrivacy(largest > 0,
                 "no row moves the statistic: there is nothing to audit");
  return farthest;
}

// Computes anew what a CellMechanism publishes.
class CellNumbers {
 public:
  explicit CellNumbers(const CellMechanism& mechanism)
      : Q_(static_cast<double>(kHalfOutput)),
        P_(CellWeightsOf(mechanism.features(), mechanism.noise().step() * Q_)),
        count_factor_(Rounded(mechanism.count_weight() * Q_)),
        square_factor_(Rounded(mechanism.square_weight() /
                               (mechanism.noise().step() * Q_))),
        present_factor_(
            Rounded(mechanism.present_weight() / mechanism.noise().step())) {}

  // The distance between rows with outputs at bounds of opposite sign or the
  // same, whichever is farther.
  Substitution AtBounds() const {
    const auto [a, b] = FarthestCells(P_, [&](Int128 aa, Int128 bb, Int128 ab) {
      return kHalf * kHalf * (aa + bb + 2 * (ab < 0 ? -ab : ab)) +
             Counts(aa, bb, ab);
    });
    return {{a, -1}, {b, ProductOfColumns(P_, a, b) < 0 ? -1 : 1}};
  }
  Substitution FromTheMiddle() const {
    const auto [a, b] = FarthestCells(P_, [&](Int128 aa, Int128 bb, Int128 ab) {
      return kHalf * kHalf * aa + Counts(aa, bb, ab);
    });
    return {{a, 1}, {b, 0}};
  }

  // The row that adds most is no longer there.
  Substitution GoneMissing() const {
    const auto [a, b] = FarthestCells(
        P_, [](Int128 aa, Int128 /*bb*/, Int128 /*ab*/) { return aa; });
    return {{a, 1}, {b, 0, true}};
  }

  // Adds to t what `count` rows that are the same add to the numbers.
  void Add(const SeenRow& row, Int128 count, std::vector<Int128>& t) const {
    const Index rank = P_.rows();
    t.resize(static_cast<size_t>(2 * rank + 2));
    if (row.missing) return;
    const Int128 q = row.level * kHalf;
    for (Index k = 0; k < rank; ++k) {
      const Int128 weight = P_(k, row.cell);
      t[static_cast<size_t>(k)] += weight * q * count;
      t[static_cast<size_t>(rank + k)] += weight * count_factor_ * count;
    }
    Int128& squares = t[static_cast<size_t>(2 * rank)];
    squares = CheckedAdd(
        squares,
        CheckedMultiply(square_factor_, (row.level == 0 ? 0 : kHalf) * count));
    t.back() = CheckedAdd(t.back(), CheckedMultiply(present_factor_, count));
  }

 private:
  static Int128 Rounded(double value) {
    return static_cast<Int128>(std::round(value));
  }
  Int128 Counts(Int128 aa, Int128 bb, Int128 ab) const {
    return count_factor_ * count_factor_ * (aa + bb - 2 * ab);
  }

  double Q_;
  CellWeights P_;
  Int128 count_factor_;    // G
  Int128 square_factor_;   // W
  Int128 present_factor_;  // T
};

double OutputAt(const OutputBounds& bounds, int level) {
  if (level == 0) return bounds.middle();
  return level < 0 ? bounds.lower() : bounds.upper();
}

// All rows but the first are the same in both tables, and like it before it is
// substituted.
NeighbouringTables Substituted(const ObservedCells& release,
                               const CellNumbers& numbers,
                               const Substitution& substitution, Index rows) {
  const Matrix centres = release.mechanism->cells().Centres();
  const auto output = [&](const SeenRow& row) {
    if (row.missing) return kNan;
    return OutputAt(release.bounds[static_cast<size_t>(row.cell)], row.level);
  };
  const SeenRow& before = substitution.before;
  const SeenRow& after = substitution.after;
  NeighbouringTables found;
  found.table.inputs = centres.row(before.cell).replicate(rows, 1);
  found.table.outputs = Vector::Constant(rows, output(before));
  found.other = found.table;
  found.other.inputs.row(0) = centres.row(after.cell);
  found.other.outputs(0) = output(after);
  numbers.Add(before, rows, found.statistic);
  numbers.Add(before, rows - 1, found.other_statistic);
  numbers.Add(after, 1, found.other_statistic);
  found.distance_squared =
      DistanceSquared(found.statistic, found.other_statistic);
  return found;
}

}  // namespace

std::vector<NeighbouringTables> CellNeighbours(const ObservedCells& release,
                                               Index rows) {
  const CellNumbers numbers(*release.mechanism);
  return {Substituted(release, numbers, numbers.AtBounds(), rows),
          Substituted(release, numbers, numbers.FromTheMiddle(), rows),
          Substituted(release, numbers, numbers.GoneMissing(), rows)};
}

std::vector<NeighbouringTables> FeatureNeighbours(
    const ObservedFeatures& release, Index rows) {
  const FeatureMechanism& mechanism = *release.mechanism;
  const CellWeights P =
      CellWeightsOf(mechanism.features(), mechanism.noise().step());
  const Matrix centres = mechanism.cells().Centres();
  // The first of rows in cell a is in cell b instead, or missing.
  const auto substituted = [&](Index a, Index b, bool missing) {
    NeighbouringTables found;
    found.table.inputs = centres.row(a).replicate(rows, 1);
    found.other = found.table;
    found.other.inputs.row(0) = centres.row(b);
    if (missing) found.other.inputs.row(0).setConstant(kNan);
    for (Index k = 0; k < P.rows(); ++k) {
      found.statistic.push_back(Int128{P(k, a)} * rows);
      found.other_statistic.push_back(found.statistic.back() - P(k, a) +
                                      (missing ? 0 : P(k, b)));
    }
    found.distance_squared =
        DistanceSquared(found.statistic, found.other_statistic);
    return found;
  };
  const auto [a, b] = FarthestCells(
      P, [](Int128 aa, Int128 bb, Int128 ab) { return aa + bb - 2 * ab; });
  const auto [longest, any] = FarthestCells(
      P, [](Int128 aa, Int128 /*bb*/, Int128 /*ab*/) { return aa; });
  return {substituted(a, b, false), substituted(longest, any, true)};
}

}  // namespace cloak
