#include "cloak/linalg/cells.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"

namespace cloak {
namespace {

Cells SixCells() { return {Vector{{0, 10}}, Vector{{3, 30}}, {3, 2}}; }

TEST(CellsTest, CentresAreInTheirOwnCells) {
  const Cells cells = SixCells();
  const Matrix centres = cells.Centres();
  ASSERT_EQ(centres.rows(), 6);
  for (Index c = 0; c < 6; ++c) {
    EXPECT_EQ(cells.IntervalOf(0, centres(c, 0)) +
                  3 * cells.IntervalOf(1, centres(c, 1)),
              c);
  }
  EXPECT_EQ(centres(0, 0), 0.5);
  EXPECT_EQ(centres(3, 1), 25);
}

TEST(CellsTest, EveryNumberIsInSomeInterval) {
  const Cells cells = SixCells();
  EXPECT_EQ(cells.IntervalOf(0, -kInfinity), 0);
  EXPECT_EQ(cells.IntervalOf(0, -1e308), 0);
  EXPECT_EQ(cells.IntervalOf(0, 0), 0);
  EXPECT_EQ(cells.IntervalOf(0, 1), 1);
  EXPECT_EQ(cells.IntervalOf(0, 0.999), 0);
  EXPECT_EQ(cells.IntervalOf(0, 3), 2);
  EXPECT_EQ(cells.IntervalOf(0, kInfinity), 2);
  EXPECT_EQ(cells.IntervalOf(0, std::nan("")), 0);
}

TEST(CellsTest, RefusesWhatIsNoBox) {
  EXPECT_THROW(Cells(Vector{{0}}, Vector{{0}}, {1}), InvalidInput);
  EXPECT_THROW(Cells(Vector{{0}}, Vector{{kInfinity}}, {1}), InvalidInput);
  EXPECT_THROW(Cells(Vector{{std::nan("")}}, Vector{{1}}, {1}), InvalidInput);
  EXPECT_THROW(Cells(Vector{{-1e308}}, Vector{{1e308}}, {1}), InvalidInput);
  EXPECT_THROW(Cells(Vector{{0}}, Vector{{1}}, {0}), InvalidInput);
  EXPECT_THROW(Cells(Vector{{0}}, Vector{{1}}, {1, 2}), InvalidInput);
  EXPECT_THROW(Cells(Vector(), Vector(), {}), InvalidInput);
  EXPECT_THROW(Cells(Vector::Zero(9), Vector::Ones(9),
                     std::vector<Index>(9, Index{1} << 10)),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
