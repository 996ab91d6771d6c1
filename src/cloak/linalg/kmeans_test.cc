#include "cloak/linalg/kmeans.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <vector>

#include "cloak/base/error.h"

namespace cloak {
namespace {

using testing::HasSubstr;

Matrix NormalMatrix(Index rows, Index columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Matrix result(rows, columns);
  for (double& entry : result.reshaped()) entry = normal(random);
  return result;
}

// Σ_i min_k |x_i − c_k|², inputs as they are.
double Loss(const Matrix& X, const Matrix& centres) {
  double loss = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    loss += (centres.rowwise() - X.row(i)).rowwise().squaredNorm().minCoeff();
  }
  return loss;
}

TEST(KMeansTest, FindsClustersThatAreFarApart) {
  // 400 points around the corners of a square, sides 1 apart, noise 0.01.
  Matrix X = 0.01 * NormalMatrix(400, 2, 5);
  for (Index i = 0; i < X.rows(); ++i) {
    X(i, 0) += static_cast<double>(i % 2);
    X(i, 1) += static_cast<double>(i % 4 / 2);
  }
  const KMeansClusters found = KMeans(X, 4, Threads(1));
  EXPECT_EQ(found.weights, Vector::Constant(4, 100));
  const Matrix corners{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  for (Index c = 0; c < 4; ++c) {
    EXPECT_LT(
        (found.centres.rowwise() - corners.row(c)).rowwise().norm().minCoeff(),
        0.01);
  }
}

TEST(KMeansTest, AsManyCentresAsDifferentRowsAreThoseRows) {
  const Matrix X{{0.1, 3}, {0.3, 1}, {0.1, 3}, {1e9, -2}, {0.1, 3}, {0.3, 2}};
  const DistinctRows distinct = FindDistinctRows(X);
  EXPECT_EQ(distinct.rows, (Matrix{{0.1, 3}, {0.3, 1}, {0.3, 2}, {1e9, -2}}));
  EXPECT_EQ(distinct.weights, (Vector{{3, 1, 1, 1}}));

  KMeansClusters found = KMeans(X, 4, Threads(1));
  EXPECT_EQ(FindDistinctRows(found.centres).rows, distinct.rows);
  EXPECT_EQ(found.weights.sum(), 6);
}

TEST(KMeansTest, EachCentreIsTheMeanOfTheRowsThatAreNearestToIt) {
  const Matrix X = NormalMatrix(500, 1, 8);
  const KMeansClusters found = KMeans(X, 7, Threads(1), {.max_steps = 1000});
  Matrix sums = Matrix::Zero(7, 1);
  Vector counts = Vector::Zero(7);
  for (Index i = 0; i < X.rows(); ++i) {
    Index nearest = 0;
    (found.centres.rowwise() - X.row(i)).rowwise().norm().minCoeff(&nearest);
    sums.row(nearest) += X.row(i);
    ++counts(nearest);
  }
  EXPECT_EQ(counts, found.weights);
  const Matrix means = counts.cwiseInverse().asDiagonal() * sums;
  EXPECT_LT((means - found.centres).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(KMeansTest, IsMuchBetterThanCentresAtRandomRows) {
  const Matrix X = NormalMatrix(2000, 2, 11);
  const double found = Loss(X, KMeans(X, 50, Threads(1)).centres);
  // The best quantiser of a plane is the hexagonal one (Zador 1982):
  // 5/(18√3) · (∫√p)² · N/50 = 0.1604 · 8π · 40 = 161 as N and K grow.
  EXPECT_LT(found, 1.1 * 161);
  EXPECT_LT(found, 0.7 * Loss(X, X.topRows(50)));
}

TEST(KMeansTest, DependsNeitherOnUnitsNorOnThreadsNorOnTheOrderOfRows) {
  const Matrix X = NormalMatrix(3000, 3, 2);
  const KMeansClusters one = KMeans(X, 20, Threads(1));
  const KMeansClusters two = KMeans(X.colwise().reverse(), 20, Threads(2));
  EXPECT_EQ(one.centres, two.centres);
  EXPECT_EQ(one.weights, two.weights);
  Matrix scaled = X;
  scaled.col(1) *= 1024;
  EXPECT_EQ(KMeans(scaled, 20, Threads(1)).weights, one.weights);
}

TEST(KMeansTest, OfVeryManyRowsSomePlaceTheCentresAndAllAreCounted) {
  const Matrix X = NormalMatrix(4000, 2, 6);
  const KMeansClusters some = KMeans(X, 30, Threads(1), {.most_rows = 400});
  EXPECT_EQ(some.weights.sum(), 4000);
  EXPECT_LT(Loss(X, some.centres),
            1.2 * Loss(X, KMeans(X, 30, Threads(1)).centres));
}

TEST(KMeansTest, EveryClusterHasARowEvenWhereAllButOneLieTogether) {
  Matrix X = Matrix::Zero(100, 1);
  for (Index i = 0; i < 99; ++i) X(i, 0) = 1e-9 * static_cast<double>(i);
  X(99, 0) = 1e200;
  for (const Index count : {1, 2, 40, 99, 100}) {
    const KMeansClusters found = KMeans(X, count, Threads(1));
    EXPECT_GE(found.weights.minCoeff(), 1) << count;
    EXPECT_EQ(found.weights.sum(), 100) << count;
  }
}

TEST(KMeansTest, RefusesMoreCentresThanDifferentRows) {
  const Matrix X{{1, 2}, {1, 2}, {3, 4}};
  try {
    KMeans(X, 3, Threads(1));
    FAIL() << "accepted";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("different inputs, 2, but is 3"));
  }
  EXPECT_THROW(KMeans(X, 0, Threads(1)), InvalidInput);
  EXPECT_THROW(KMeans(Matrix(0, 2), 1, Threads(1)), InvalidInput);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(KMeans(Matrix{{infinity}}, 1, Threads(1)), InvalidInput);
}

}  // namespace
}  // namespace cloak
