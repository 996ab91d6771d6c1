#include "cloak/linalg/cell_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"

namespace cloak {
namespace {

Grid CellsOfAGrid() { return {Vector{{0, 10}}, Vector{{3, 30}}, {3, 2}}; }

// The unit square, cut at 1/2, the right half again, and so on.
CellTree CutTree(int cuts) {
  std::mt19937 random(5);
  CellTree cells(Vector::Zero(2), Vector::Ones(2));
  for (int k = 0; k < cuts; ++k) {
    const Index cell = static_cast<Index>(random() % cells.size());
    cells.Cut(cell, static_cast<Index>(random() % 2));
  }
  return cells;
}

bool IsIn(const Boxes& boxes, Index cell, const Vector& x) {
  return (boxes.lower.row(cell).transpose().array() <= x.array()).all() &&
         (x.array() < boxes.upper.row(cell).transpose().array()).all();
}

TEST(CellTreeTest, AGridKeepsItsNumbersAndEdges) {
  const Grid grid = CellsOfAGrid();
  const CellTree cells(grid);
  ASSERT_EQ(cells.size(), 6);
  EXPECT_EQ(cells.Centres(), grid.Centres());
  for (const double a : {-1e308, -1.0, 0.0, 0.999, 1.0, 2.0, 3.0, 1e308}) {
    for (const double b : {-kInfinity, 10.0, 19.999, 20.0, 30.0, kInfinity}) {
      const Vector row{{a, b}};
      EXPECT_EQ(cells.CellOf(row), grid.CellOf(row)) << a << ", " << b;
    }
  }
}

TEST(CellTreeTest, EveryRowIsInExactlyOneCellAndThatIsWhereItLies) {
  const CellTree cells = CutTree(60);
  ASSERT_EQ(cells.size(), 61);
  EXPECT_NEAR(cells.Shares().sum(), 1, 1e-12);
  const Matrix centres = cells.Centres();
  for (Index c = 0; c < cells.size(); ++c) {
    EXPECT_EQ(cells.CellOf(centres.row(c)), c);
    // An edge belongs to the cell above it.
    EXPECT_EQ(cells.CellOf(cells.boxes().lower.row(c)), c);
  }
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector x{{uniform(random), uniform(random)}};
    const Index cell = cells.CellOf(x);
    for (Index c = 0; c < cells.size(); ++c) {
      EXPECT_EQ(IsIn(cells.boxes(), c, x), c == cell);
    }
  }
}

TEST(CellTreeTest, WhatLiesOutsideIsInTheNearestCell) {
  const CellTree cells = CutTree(60);
  for (const double inside : {0.0, 0.3, 0.5, 1.0}) {
    for (const double below : {-kInfinity, -1e308, -5e-324, -0.0}) {
      EXPECT_EQ(cells.CellOf(Vector{{below, inside}}),
                cells.CellOf(Vector{{0, inside}}));
    }
    for (const double above : {kInfinity, 1e308, 1.1}) {
      EXPECT_EQ(cells.CellOf(Vector{{inside, above}}),
                cells.CellOf(Vector{{inside, 1}}));
    }
    // Not a number, too, is in some cell, and always in the same.
    const Index cell = cells.CellOf(Vector{{kNan, inside}});
    EXPECT_EQ(cell, cells.CellOf(Vector{{kInfinity, inside}}));
  }
}

TEST(CellTreeTest, ACellKnowsWhatItWasCutFrom) {
  CellTree cells = CutTree(20);
  const CellTree before = cells;
  for (Index cell = 0; cell < 15; ++cell) cells.Cut(cell, cell % 2);
  cells.Cut(before.size(), 0);
  const std::vector<Index> ancestors = cells.AncestorsAmong(before.size());
  ASSERT_EQ(static_cast<Index>(ancestors.size()), cells.size());
  const Matrix centres = cells.Centres();
  Vector shares = Vector::Zero(before.size());
  for (Index c = 0; c < cells.size(); ++c) {
    const Index ancestor = ancestors[static_cast<size_t>(c)];
    EXPECT_EQ(before.CellOf(centres.row(c)), ancestor);
    shares(ancestor) += cells.Shares()(c);
  }
  EXPECT_TRUE(shares.isApprox(before.Shares(), 1e-12));
}

TEST(CellTreeTest, RefusesToCutBetweenNeighbouringNumbers) {
  const double next = std::nextafter(1, 2);
  CellTree cells(Vector{{1, 0}}, Vector{{next, 1}});
  EXPECT_FALSE(cells.CanBeCut(0, 0));
  EXPECT_TRUE(cells.CanBeCut(0, 1));
  EXPECT_THROW(cells.Cut(0, 0), Error);
  EXPECT_EQ(cells.size(), 1);
}

TEST(CellTreeTest, RefusesWhatIsNoBox) {
  EXPECT_THROW(CellTree(Vector{{0}}, Vector{{0}}), InvalidInput);
  EXPECT_THROW(CellTree(Vector{{0}}, Vector{{kInfinity}}), InvalidInput);
  EXPECT_THROW(CellTree(Vector(), Vector()), InvalidInput);
}

}  // namespace
}  // namespace cloak
