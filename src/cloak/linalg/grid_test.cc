#include "cloak/linalg/grid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"

namespace cloak {
namespace {

Grid SixCells() { return {Vector{{0, 10}}, Vector{{3, 30}}, {3, 2}}; }

TEST(GridTest, CentresAreInTheirOwnCells) {
  const Grid cells = SixCells();
  const Matrix centres = cells.Centres();
  ASSERT_EQ(centres.rows(), 6);
  for (Index c = 0; c < 6; ++c) {
    EXPECT_EQ(cells.IntervalOf(0, centres(c, 0)) +
                  3 * cells.IntervalOf(1, centres(c, 1)),
              c);
    EXPECT_EQ(cells.CellOf(centres.row(c)), c);
    EXPECT_EQ(cells.CellsOf(centres)[static_cast<size_t>(c)], c);
  }
  EXPECT_EQ(centres(0, 0), 0.5);
  EXPECT_EQ(centres(3, 1), 25);
}

TEST(GridTest, BoxesReachFromEdgeToEdge) {
  const Boxes boxes = SixCells().BoxesOf({4, 0, 5});
  EXPECT_EQ(boxes.lower, (Matrix{{1, 20}, {0, 10}, {2, 20}}));
  EXPECT_EQ(boxes.upper, (Matrix{{2, 30}, {1, 20}, {3, 30}}));
  // The last edge is the upper bound exactly, whatever rounding does.
  const Grid tenths(Vector{{0.1}}, Vector{{0.7}}, {7});
  EXPECT_EQ(tenths.BoxesOf({6}).upper(0, 0), 0.7);
}

TEST(GridTest, EveryNumberIsInSomeInterval) {
  const Grid cells = SixCells();
  EXPECT_EQ(cells.IntervalOf(0, -kInfinity), 0);
  EXPECT_EQ(cells.IntervalOf(0, -1e308), 0);
  EXPECT_EQ(cells.IntervalOf(0, 0), 0);
  EXPECT_EQ(cells.IntervalOf(0, 1), 1);
  EXPECT_EQ(cells.IntervalOf(0, 0.999), 0);
  EXPECT_EQ(cells.IntervalOf(0, 3), 2);
  EXPECT_EQ(cells.IntervalOf(0, kInfinity), 2);
  EXPECT_EQ(cells.IntervalOf(0, std::nan("")), 0);
}

TEST(GridTest, RefusesWhatIsNoBox) {
  EXPECT_THROW(Grid(Vector{{0}}, Vector{{0}}, {1}), InvalidInput);
  EXPECT_THROW(Grid(Vector{{0}}, Vector{{kInfinity}}, {1}), InvalidInput);
  EXPECT_THROW(Grid(Vector{{std::nan("")}}, Vector{{1}}, {1}), InvalidInput);
  EXPECT_THROW(Grid(Vector{{-1e308}}, Vector{{1e308}}, {1}), InvalidInput);
  EXPECT_THROW(Grid(Vector{{0}}, Vector{{1}}, {0}), InvalidInput);
  EXPECT_THROW(Grid(Vector{{0}}, Vector{{1}}, {1, 2}), InvalidInput);
  EXPECT_THROW(Grid(Vector(), Vector(), {}), InvalidInput);
  EXPECT_THROW(Grid(Vector::Zero(9), Vector::Ones(9),
                    std::vector<Index>(9, Index{1} << 10)),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
