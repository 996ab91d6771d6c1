#include "cloak/models/rows/row_cells.h"

#include <gtest/gtest.h>

#include "cloak/base/error.h"
#include "cloak/models/rows/row_statistic.h"

namespace cloak {
namespace {

TEST(RowCellsTest, FirstCellsAreEvenWhereNothingSpeaksForAnythingElse) {
  const CellTree cells =
      FirstCells(Vector{{0, 10}}, Vector{{8, 14}}, Kernel::Eq(1, {4.0, 2.0}));
  ASSERT_EQ(cells.size(), 16);
  const Matrix widths = cells.boxes().upper - cells.boxes().lower;
  EXPECT_TRUE((widths.col(0).array() == 2).all());
  EXPECT_TRUE((widths.col(1).array() == 1).all());
}

TEST(RowCellsTest, AnInputThatDoesNotMatterIsNotCut) {
  const CellTree cells =
      FirstCells(Vector{{0, 0}}, Vector{{1, 1}}, Kernel::Eq(1, {0.2, 1e6}));
  const Matrix widths = cells.boxes().upper - cells.boxes().lower;
  EXPECT_TRUE((widths.col(0).array() == 1.0 / 16).all());
  EXPECT_TRUE((widths.col(1).array() == 1).all());
}

TEST(RowCellsTest, CellsAreCutWhereRowsAre) {
  const Kernel kernel = Kernel::Eq(1, 0.5);
  CellTree cells(Grid(Vector{{0}}, Vector{{1}}, {2}));
  Vector rows{{10, 990}};
  CutCells(kernel, {.most_cells = 20}, cells, rows);
  ASSERT_EQ(cells.size(), 20);
  EXPECT_DOUBLE_EQ(rows.sum(), 1000);
  Index right = 0;
  for (Index c = 0; c < 20; ++c) right += cells.boxes().lower(c, 0) >= 0.5;
  EXPECT_GT(right, 14);
  // Cells keep their rows: the left half has ten.
  double left = 0;
  for (Index c = 0; c < 20; ++c) {
    if (cells.boxes().lower(c, 0) < 0.5) left += rows(c);
  }
  EXPECT_DOUBLE_EQ(left, 10);
}

TEST(RowCellsTest, NothingIsCutInVain) {
  CellTree cells(Vector{{0}}, Vector{{1}});
  Vector rows{{100}};
  CutCells(Kernel::Eq(1, 0.5), {.most_cells = 1000, .least_variance = 0.01},
           cells, rows);
  EXPECT_LT(cells.size(), 10);
  EXPECT_GT(cells.size(), 1);
  // A function that is the same everywhere.
  CellTree one(Vector{{0}}, Vector{{1}});
  Vector all{{100}};
  CutCells(Kernel::Bias(4), {.most_cells = 1000}, one, all);
  EXPECT_EQ(one.size(), 1);
}

// What was published is the same function of the rows, whatever their cells
// are cut into.
TEST(RowCellsTest, SumsOverPartsAreTheSumsThatWerePublished) {
  CellTree cells(Grid(Vector{{0, 0}}, Vector{{1, 1}}, {2, 2}));
  PublishedSums round;
  round.features = Matrix{{0.1, -0.4, 0.7, 0.2}, {0.3, 0.3, -0.6, 0.5}};
  round.half_width = Vector{{1, 2, 3, 4}};
  round.centre = Vector{{-1, 0, 1, 2}};
  for (const Index cell : {0, 3, 4, 2, 0}) cells.Cut(cell, cell % 2);
  const std::vector<Index> ancestors = cells.AncestorsAmong(4);
  const PublishedSums parts = OverParts(round, ancestors);
  const Vector per_part = Vector::LinSpaced(cells.size(), 3, 40);
  Vector per_cell = Vector::Zero(4);
  for (Index c = 0; c < cells.size(); ++c) {
    const Index ancestor = ancestors[static_cast<size_t>(c)];
    per_cell(ancestor) += per_part(c);
    EXPECT_EQ(parts.half_width(c), round.half_width(ancestor));
    EXPECT_EQ(parts.centre(c), round.centre(ancestor));
  }
  EXPECT_TRUE(
      (parts.features * per_part).isApprox(round.features * per_cell, 1e-12));
}

TEST(RowCellsTest, TheCustodiansCellsAreTaken) {
  EXPECT_EQ(EvenCells(Vector{{0, 0}}, Vector{{1, 1}}, {{3, 5}}).size(), 15);
  EXPECT_THROW(EvenCells(Vector{{0, 0}}, Vector{{1, 1}}, {{1000, 1000}}),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
