#include "cloak/linalg/microaggregate.h"

#include <gtest/gtest.h>

#include <random>

namespace cloak {
namespace {

Matrix RandomRows(Index rows, Index columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Matrix result(rows, columns);
  for (double& entry : result.reshaped()) entry = normal(random);
  return result;
}

TEST(Microaggregates, AreOfAtLeastTenRowsEachAndOfAllTogether) {
  for (const Index rows : {10, 19, 20, 57, 400, 3001}) {
    const Matrix X = RandomRows(rows, 3, 8);
    const KMeansClusters groups = Microaggregates(FindDistinctRows(X), 1000);
    EXPECT_GE(groups.weights.minCoeff(), 10);
    EXPECT_LT(groups.weights.maxCoeff(), 20);
    EXPECT_EQ(groups.weights.sum(), static_cast<double>(rows));
    // Together they have the mean of all.
    EXPECT_LT(
        (groups.weights.transpose() * groups.centres / groups.weights.sum() -
         X.colwise().mean())
            .norm(),
        1e-12);
  }
  EXPECT_EQ(Microaggregates(FindDistinctRows(RandomRows(9, 2, 1)), 1000)
                .centres.rows(),
            0);
}

TEST(Microaggregates, AreNoMoreThanAskedForAndLieWhereTheRowsDo) {
  Matrix X = RandomRows(4000, 2, 3);
  X.col(1) = 5 * X.col(0) + 0.01 * X.col(1);
  const KMeansClusters groups = Microaggregates(FindDistinctRows(X), 100);
  EXPECT_EQ(groups.centres.rows(), 100);
  EXPECT_LT(
      (groups.centres.col(1) - 5 * groups.centres.col(0)).cwiseAbs().maxCoeff(),
      0.02);
}

TEST(Microaggregates, DoNotDependOnTheOrderOfRows) {
  Matrix X = RandomRows(300, 2, 4);
  X.col(0) = X.col(0).array().round();
  const KMeansClusters one = Microaggregates(FindDistinctRows(X), 1000);
  const KMeansClusters two =
      Microaggregates(FindDistinctRows(X.colwise().reverse()), 1000);
  EXPECT_EQ(one.centres, two.centres);
  EXPECT_EQ(one.weights, two.weights);
}

TEST(Microaggregates, KeepRowsThatAreAlikeTogether) {
  Matrix X(43, 1);
  X << Vector::Constant(30, 0.1), Vector::Constant(13, 7.3);
  const KMeansClusters groups = Microaggregates(FindDistinctRows(X), 1000);
  EXPECT_EQ(groups.centres, (Matrix{{0.1}, {7.3}}));
  EXPECT_EQ(groups.weights, (Vector{{30, 13}}));
}

}  // namespace
}  // namespace cloak
