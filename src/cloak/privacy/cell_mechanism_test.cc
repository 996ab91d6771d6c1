#include "cloak/privacy/cell_mechanism.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "cloak/base/error.h"
#include "tests/testing/any_number.h"
#include "tests/testing/exact_integers.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;

struct CellRows {
  Matrix X;
  Vector y;
};

NoisyCells ReleaseCells(const CellMechanism& mechanism, const CellRows& rows,
                        uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  std::vector<Secret<Vector>> inputs;
  for (Index j = 0; j < rows.X.cols(); ++j) inputs.emplace_back(rows.X.col(j));
  return mechanism.Release(inputs, Secret<Vector>(rows.y), random);
}

// The same seed leaves the same noise, which cancels.
cpp_int CellDistance(const CellMechanism& mechanism, const CellRows& a,
                     const CellRows& b) {
  return SquaredDistance(ReleaseCells(mechanism, a, 1).integers,
                         ReleaseCells(mechanism, b, 1).integers);
}

double AnyCellNumber() {
  switch (*rc::gen::inRange(0, 12)) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return std::numeric_limits<double>::infinity();
    case 2:
      return -std::numeric_limits<double>::infinity();
    case 3:
      return 1e308;
    case 4:
      return -1e308;
    case 5:
      return -0.0;
    default:
      return Uniform(-2, 3);
  }
}

CellRows AnyRows(Index rows) {
  CellRows any{Matrix(rows, 2), Vector(rows)};
  for (double& x : any.X.reshaped()) x = AnyCellNumber();
  for (double& y : any.y) y = AnyCellNumber();
  return any;
}

Grid SomeCells() { return {Vector{{0, 0}}, Vector{{1, 1}}, {3, 2}}; }

// Cells of several sizes: a grid of which any cells were cut in two.
CellTree AnyCutCells() {
  CellTree cells(SomeCells());
  const Index cuts = *rc::gen::inRange<Index>(1, 12);
  for (Index k = 0; k < cuts; ++k) {
    const Index cell = *rc::gen::inRange<Index>(0, cells.size());
    cells.Cut(cell, *rc::gen::inRange<Index>(0, 2));
  }
  return cells;
}

std::vector<OutputBounds> AnyCellBounds(Index cells) {
  std::vector<OutputBounds> bounds;
  for (Index c = 0; c < cells; ++c) {
    const double lower = Uniform(-1, 1);
    bounds.emplace_back(lower, lower + Uniform(0.01, 2));
  }
  return bounds;
}

Matrix AnyFeatures(Index cells) {
  Matrix features(*rc::gen::inRange(1, 4), cells);
  for (double& weight : features.reshaped()) {
    weight = *rc::gen::inRange(0, 6) == 0 ? 0 : Uniform(-1, 1);
  }
  features(0, 0) = 0.7;
  if (*rc::gen::inRange(0, 2) == 0) {
    for (Index c = 0; c < cells; ++c) features.col(c).normalize();
  }
  return features;
}

CellMechanism OneFeatureEach(double sigma = 2) {
  const Grid cells = SomeCells();
  return {cells, Matrix::Identity(6, 6),
          std::vector<OutputBounds>(6, OutputBounds(-1, 1)), 3, sigma};
}

RC_GTEST_PROP(CellMechanismTest, NoSubstitutionMovesItFarther, ()) {
  const Grid cells = SomeCells();
  const CellMechanism mechanism(cells, AnyFeatures(6), AnyCellBounds(6), 3, 2);
  const CellRows rows = AnyRows(3);
  CellRows other = rows;
  const CellRows substitute = AnyRows(1);
  const Index which = *rc::gen::inRange(0, 3);
  other.X.row(which) = substitute.X.row(0);
  other.y(which) = substitute.y(0);
  RC_ASSERT(CellDistance(mechanism, rows, other) <=
            Exact(mechanism.noise().sensitivity_squared()));
}

// Wherever the row is: at an edge or a corner of cells, or far from all.
RC_GTEST_PROP(CellMechanismTest, NoSubstitutionMovesItFartherInCutCells, ()) {
  const CellTree cells = AnyCutCells();
  const CellMechanism mechanism(cells, AnyFeatures(cells.size()),
                                AnyCellBounds(cells.size()), 3, 2);
  const CellRows rows = AnyRows(3);
  CellRows other = rows;
  const CellRows substitute = AnyRows(1);
  const Index which = *rc::gen::inRange(0, 3);
  other.X.row(which) = substitute.X.row(0);
  if (*rc::gen::inRange(0, 2) == 0) {
    const Index cell = *rc::gen::inRange<Index>(0, cells.size());
    other.X.row(which) = *rc::gen::inRange(0, 2) == 0
                             ? cells.boxes().lower.row(cell)
                             : cells.boxes().upper.row(cell);
  }
  other.y(which) = substitute.y(0);
  RC_ASSERT(CellDistance(mechanism, rows, other) <=
            Exact(mechanism.noise().sensitivity_squared()));
}

RC_GTEST_PROP(CellMechanismTest, TheOrderOfRowsLeavesNoTraceInCutCells, ()) {
  const CellTree cells = AnyCutCells();
  const CellMechanism mechanism(cells, AnyFeatures(cells.size()),
                                AnyCellBounds(cells.size()), 5, 2);
  const CellRows rows = AnyRows(5);
  const CellRows reversed{rows.X.colwise().reverse(), rows.y.reverse()};
  RC_ASSERT(CellDistance(mechanism, rows, reversed) == 0);
}

// Every pair of cells and a grid of outputs, so that no corner is missed.
RC_GTEST_PROP(CellMechanismTest, NoPairOfRowsIsFartherApart, ()) {
  const Grid cells = SomeCells();
  const CellMechanism mechanism(
      cells, AnyFeatures(6), std::vector<OutputBounds>(6, OutputBounds(-1, 1)),
      1, 2);
  const Matrix centres = cells.Centres();
  std::vector<NoisyCells> all;
  for (Index c = 0; c < 6; ++c) {
    for (const double y : {-1.0, -0.7, -0.01, 0.0, 0.4, 1.0, double{NAN}}) {
      all.push_back(
          ReleaseCells(mechanism, {centres.row(c), Vector::Constant(1, y)}, 1));
    }
  }
  for (const NoisyCells& a : all) {
    for (const NoisyCells& b : all) {
      cpp_int squared = 0;
      for (size_t k = 0; k < a.integers.size(); ++k) {
        const cpp_int difference = Exact(a.integers[k]) - Exact(b.integers[k]);
        squared += difference * difference;
      }
      RC_ASSERT(squared <= Exact(mechanism.noise().sensitivity_squared()));
    }
  }
}

TEST(CellMechanismTest, AnOutputBetweenItsBoundsNearlyAttainsIt) {
  const CellMechanism mechanism = OneFeatureEach();
  const CellRows low{Matrix::Constant(3, 2, 0.1), Vector{{0.3, -1, 0.2}}};
  CellRows high = low;
  high.y(1) = 1;
  const double attained = std::sqrt(
      static_cast<double>(CellDistance(mechanism, low, high)) /
      static_cast<double>(Exact(mechanism.noise().sensitivity_squared())));
  EXPECT_LE(attained, 1);
  EXPECT_GT(attained, 0.97);
}

TEST(CellMechanismTest, MovingToAnotherCellNearlyAttainsItToo) {
  const CellMechanism mechanism = OneFeatureEach();
  const CellRows here{Matrix::Constant(3, 2, 0.1), Vector{{0.3, 1, 0.2}}};
  CellRows there = here;
  there.X(1, 0) = 0.9;
  const double attained = std::sqrt(
      static_cast<double>(CellDistance(mechanism, here, there)) /
      static_cast<double>(Exact(mechanism.noise().sensitivity_squared())));
  EXPECT_LE(attained, 1);
  EXPECT_GT(attained, 0.97);
}

// Features orthogonal: rows are counted as if outputs were alone.
TEST(CellMechanismTest, CountsAreFree) {
  const CellMechanism mechanism = OneFeatureEach();
  EXPECT_NEAR(mechanism.noise().sensitivity(), 2, 0.05);
  EXPECT_NEAR(mechanism.count_weight(), 1, 0.05);
  EXPECT_NEAR(mechanism.square_weight(), std::sqrt(0.5), 0.01);
  EXPECT_LE(mechanism.noise().mu(), 0.5);
  EXPECT_NEAR(mechanism.noise().mu(), 0.5, 1e-6);
}

TEST(CellMechanismTest, PublishesSumsCountsAndSquares) {
  const Grid cells = SomeCells();
  Matrix features(2, 6);
  features << 1, 0, 0, 0.5, 0, 0, 0, 1, 0, 0.5, 0, 1;
  std::vector<OutputBounds> bounds(6, OutputBounds(-1, 1));
  bounds[0] = OutputBounds(0, 4);
  // Hardly any noise, so that the mean over many releases is not needed.
  const CellMechanism mechanism(cells, features, bounds, 4, 1e-4);
  // Cells 0, 0, 1 and 5; the last output is clipped.
  const CellRows rows{Matrix{{0.1, 0.2}, {0.2, 0.1}, {0.5, 0.4}, {5, 5}},
                      Vector{{3, 2.5, -0.25, 7}}};
  const NoisyCells noisy = ReleaseCells(mechanism, rows, 7);
  ASSERT_EQ(noisy.integers.size(), 6);
  EXPECT_NEAR(noisy.sums(0), 0.5 + 0.25, 0.01);
  EXPECT_NEAR(noisy.sums(1), -0.25 + 1, 0.01);
  EXPECT_NEAR(noisy.counts(0) / mechanism.count_weight(), 2, 0.01);
  EXPECT_NEAR(noisy.counts(1) / mechanism.count_weight(), 2, 0.01);
  EXPECT_NEAR(noisy.squares / mechanism.square_weight(),
              0.25 + 0.0625 + 0.0625 + 1, 0.01);
  EXPECT_NEAR(noisy.present / mechanism.present_weight(), 4, 0.01);
  EXPECT_EQ(mechanism.features(), features);
}

// A row of which any cell is missing is nowhere: as if there were fewer rows.
TEST(CellMechanismTest, ARowWithAMissingCellAddsNothing) {
  const CellMechanism mechanism = OneFeatureEach(1e-4);
  const Vector whole{{0.1, 0.4, 0.5}};
  const CellRows one{Matrix{{0.1, 0.4}, {NAN, NAN}, {NAN, NAN}},
                     Vector{{0.5, NAN, NAN}}};
  for (Index cell = 0; cell < 3; ++cell) {
    Vector row = whole;
    row(cell) = NAN;
    CellRows rows = one;
    rows.X.row(1) = row.head(2).transpose();
    rows.y(1) = row(2);
    EXPECT_EQ(CellDistance(mechanism, one, rows), 0) << cell;
  }
  const NoisyCells noisy = ReleaseCells(mechanism, one, 7);
  EXPECT_NEAR(noisy.present / mechanism.present_weight(), 1, 0.01);
  // Free, and worth more than the sum of one output.
  EXPECT_GT(mechanism.present_weight(), 1);
}

TEST(CellMechanismTest, NoiseHasTheStandardDeviationStated) {
  const CellMechanism mechanism = OneFeatureEach();
  const CellRows rows{Matrix::Constant(3, 2, 0.1), Vector::Zero(3)};
  double squared = 0;
  constexpr int kDraws = 400;
  for (int draw = 0; draw < kDraws; ++draw) {
    const NoisyCells noisy =
        ReleaseCells(mechanism, rows, static_cast<uint64_t>(draw));
    squared += noisy.sums.squaredNorm() / 6;
  }
  EXPECT_NEAR(std::sqrt(squared / kDraws) / mechanism.noise().sd(), 1, 0.06);
}

TEST(CellMechanismTest, RefusesWhatDoesNotFit) {
  const Grid cells = SomeCells();
  const std::vector<OutputBounds> bounds(6, OutputBounds(-1, 1));
  EXPECT_THROW(CellMechanism(cells, Matrix::Zero(2, 6), bounds, 3, 1),
               PrivacyFailure);
  EXPECT_THROW(CellMechanism(cells, Matrix::Constant(2, 6, NAN), bounds, 3, 1),
               PrivacyFailure);
  EXPECT_THROW(CellMechanism(cells, Matrix::Ones(2, 5), bounds, 3, 1),
               InvalidInput);
  EXPECT_THROW(CellMechanism(cells, Matrix::Ones(2, 6), {bounds[0]}, 3, 1),
               InvalidInput);
  EXPECT_THROW(CellMechanism(cells, Matrix::Ones(2, 6), bounds, 0, 1),
               InvalidInput);
  EXPECT_THROW(CellMechanism(cells, Matrix::Ones(2, 6), bounds, 3, 0),
               PrivacyFailure);
  const CellMechanism mechanism = OneFeatureEach();
  Randomness random = RandomnessForTesting::Seeded(1);
  const Secret<Vector> three(Vector::Zero(3));
  const Secret<Vector> four(Vector::Zero(4));
  EXPECT_THROW(mechanism.Release({three}, three, random), InvalidInput);
  EXPECT_THROW(mechanism.Release({three, four}, three, random), InvalidInput);
  EXPECT_THROW(mechanism.Release({three, three}, four, random), InvalidInput);
}

}  // namespace
}  // namespace cloak
