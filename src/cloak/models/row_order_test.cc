#include "cloak/models/row_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "cloak/base/error.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

// A table with many rows that are alike.
struct PublicRows {
  Matrix X;
  Vector noise;
  std::vector<std::string> persons;

  PrivacyUnits units() const {
    return PrivacyUnits::FromLabels(persons, "persons");
  }
  RowOrder order() const { return {X, noise, units()}; }

  PublicRows Permuted(const std::vector<Index>& rows) const {
    PublicRows permuted{X(rows, Eigen::all), noise(rows), {}};
    for (const Index row : rows) {
      permuted.persons.push_back(persons[static_cast<size_t>(row)]);
    }
    return permuted;
  }
};

PublicRows AnyRows() {
  const Index rows = *rc::gen::inRange(1, 13);
  const Index persons = *rc::gen::inRange<Index>(1, rows + 1);
  PublicRows table{Matrix(rows, 2), Vector(rows), {}};
  for (Index i = 0; i < rows; ++i) {
    table.X(i, 0) = *rc::gen::inRange(-1, 2);
    table.X(i, 1) = *rc::gen::inRange(0, 2);
    table.noise(i) = *rc::gen::inRange(1, 3);
    table.persons.push_back(
        std::to_string(*rc::gen::inRange<Index>(0, persons)));
  }
  return table;
}

std::vector<Index> AnyOrder(Index rows) {
  Randomness random =
      RandomnessForTesting::Seeded(*rc::gen::arbitrary<uint64_t>());
  return RandomPermutation(rows, random);
}

std::vector<std::vector<Index>> PartitionOf(const PrivacyUnits& units) {
  std::vector<std::vector<Index>> parts;
  for (Index unit = 0; unit < units.count(); ++unit) {
    parts.emplace_back(units.Rows(unit).begin(), units.Rows(unit).end());
  }
  return parts;
}

std::vector<Index> Drawn(const RowOrder& order, uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  return order.Draw(random);
}

RC_GTEST_PROP(RowOrder, IsTheSameInWhateverOrderTheTableIs, ()) {
  const PublicRows table = AnyRows();
  const PublicRows other = table.Permuted(AnyOrder(table.X.rows()));
  const RowOrder order = table.order();
  const RowOrder of_other = other.order();
  RC_ASSERT(order.Sorted(table.X) == of_other.Sorted(other.X));
  RC_ASSERT(order.Sorted(table.noise) == of_other.Sorted(other.noise));
  RC_ASSERT(PartitionOf(order.Sorted(table.units())) ==
            PartitionOf(of_other.Sorted(other.units())));
}

RC_GTEST_PROP(RowOrder, LeavesOutputsWithTheirRowsAndUnits, ()) {
  const PublicRows table = AnyRows();
  const Index rows = table.X.rows();
  const RowOrder order = table.order();
  const Matrix X = order.Sorted(table.X);
  const Vector noise = order.Sorted(table.noise);
  const std::vector<Index> drawn =
      Drawn(order, *rc::gen::arbitrary<uint64_t>());
  RC_ASSERT(std::set<Index>(drawn.begin(), drawn.end()).size() ==
            static_cast<size_t>(rows));
  for (Index i = 0; i < rows; ++i) {
    const Index row = drawn[static_cast<size_t>(i)];
    RC_ASSERT(X.row(i) == table.X.row(row));
    RC_ASSERT(noise(i) == table.noise(row));
  }
  const PrivacyUnits units = order.Sorted(table.units());
  for (Index unit = 0; unit < units.count(); ++unit) {
    std::set<std::string> persons;
    for (const Index i : units.Rows(unit)) {
      persons.insert(
          table.persons[static_cast<size_t>(drawn[static_cast<size_t>(i)])]);
    }
    RC_ASSERT(persons.size() == 1U);
  }
}

TEST(RowOrder, DrawsExchangeableRowsInEveryOrderAlike) {
  // Three persons with the same two rows each, and one with two rows alike.
  PublicRows table{Matrix::Zero(8, 1), Vector::Ones(8), {}};
  table.X.col(0) << 1, 2, 1, 2, 1, 2, 3, 3;
  table.persons = {"a", "a", "b", "b", "c", "c", "d", "d"};
  const RowOrder order = table.order();
  std::map<std::vector<Index>, int> seen;
  constexpr int kDraws = 12'000;
  for (uint64_t seed = 0; seed < kDraws; ++seed) {
    ++seen[Drawn(order, seed)];
  }
  // 3! orders of the persons times 2! of the last one's rows.
  EXPECT_EQ(seen.size(), 12U);
  double chi_square = 0;
  for (const auto& [drawn, count] : seen) {
    chi_square += std::pow(count - 1000.0, 2) / 1000;
    // A person is in the same place among those who have a 1 and a 2.
    for (int k = 0; k < 3; ++k) EXPECT_EQ(drawn[k] + 1, drawn[k + 3]);
  }
  // 11 degrees of freedom: exceeded once in 10^5 times.
  EXPECT_LT(chi_square, 44);
}

TEST(RowOrder, NeedsNoRandomnessWhereAllRowsDiffer) {
  const RowOrder order(Matrix{{3}, {1}, {2}}, Vector(),
                       PrivacyUnits::EachRow(3));
  EXPECT_EQ(order.rows(), (std::vector<Index>{1, 2, 0}));
  Randomness random = RandomnessForTesting::Seeded(5);
  Randomness same = RandomnessForTesting::Seeded(5);
  EXPECT_EQ(order.Draw(random), order.rows());
  EXPECT_EQ(random.Bits64(), same.Bits64());
}

TEST(RowOrder, DoesNotTellTwoZerosApart) {
  const Matrix sorted =
      RowOrder(Matrix{{0.0}, {-0.0}}, Vector(), PrivacyUnits::EachRow(2))
          .Sorted(Matrix{{0.0}, {-0.0}});
  EXPECT_FALSE(std::signbit(sorted(0, 0)) || std::signbit(sorted(1, 0)));
  const Matrix points = SortedPoints(Matrix{{1, 2}, {-0.0, 5}, {1, -1}});
  EXPECT_EQ(points, (Matrix{{0, 5}, {1, -1}, {1, 2}}));
  EXPECT_FALSE(std::signbit(points(0, 0)));
}

TEST(RowOrder, RefusesOutputsOfAnotherTable) {
  const RowOrder order(Matrix{{3}, {1}}, Vector(), PrivacyUnits::EachRow(2));
  Randomness random = RandomnessForTesting::Seeded(5);
  EXPECT_THROW(order.Sorted(Secret<Vector>(Vector::Zero(3)), random),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
