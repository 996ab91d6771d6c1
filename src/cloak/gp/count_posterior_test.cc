#include "cloak/gp/count_posterior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cloak/base/error.h"
#include "cloak/gp/basis.h"

namespace cloak {
namespace {

constexpr Index kCells = 40;

std::vector<DensityPrior> Priors() {
  const Matrix x = Vector::LinSpaced(kCells, 0, 1);
  std::vector<DensityPrior> priors;
  for (const double variance : {1.0, 10.0}) {
    const Kernel kernel = Kernel::Eq(variance, 0.2);
    const Matrix Z = SelectBasisPoints(kernel, x, Threads(1), {.max_size = 20});
    priors.push_back({.F = Basis(kernel, Z, Threads(1)).Features(x),
                      .share = Vector::Ones(kCells)});
  }
  return priors;
}

// A few waves, each with noise of standard deviation 1 once published.
Matrix Waves(double scale) {
  Matrix B(9, kCells);
  for (Index k = 0; k < 9; ++k) {
    for (Index c = 0; c < kCells; ++c) {
      B(k, c) = scale * std::cos(3.14159 * static_cast<double>(k) *
                                 (static_cast<double>(c) + 0.5) / kCells);
    }
  }
  return B;
}

// Rows that pile up on the left.
Vector SomeRows(int rows, std::mt19937_64& random) {
  std::exponential_distribution<double> place(5);
  Vector n = Vector::Zero(kCells);
  for (int i = 0; i < rows; ++i) {
    const auto cell = static_cast<Index>(place(random) * kCells);
    n(std::min(cell, kCells - 1)) += 1;
  }
  return n;
}

Vector WithNoise(Vector t, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 1);
  for (double& number : t) number += noise(random);
  return t;
}

TEST(CountPosteriorTest, KnowsWithoutNoiseWhatWasCounted) {
  std::mt19937_64 random(1);
  const Vector n = SomeRows(1000, random);
  const Matrix B = 1e4 * Matrix::Identity(kCells, kCells);
  const CountPosterior posterior = InferCounts(Priors(), B, B * n, 1000);
  EXPECT_LT((posterior.mean - n).cwiseAbs().maxCoeff(), 0.01);
  EXPECT_LT(posterior.covariance.diagonal().maxCoeff(), 0.01);
}

TEST(CountPosteriorTest, ErrorsAreAsLargeAsItSays) {
  std::mt19937_64 random(2);
  double normalised = 0;
  double relative = 0;
  constexpr int kDraws = 60;
  const Matrix B = Waves(0.05);
  // Smooth functions of counts are what is asked of them.
  const Matrix smooth = Waves(1).topRows(5);
  for (int draw = 0; draw < kDraws; ++draw) {
    const Vector n = SomeRows(2000, random);
    const CountPosterior posterior =
        InferCounts(Priors(), B, WithNoise(B * n, random), 2000);
    EXPECT_NEAR(posterior.mean.sum(), 2000, 1e-6);
    EXPECT_NEAR(posterior.expected.sum(), 2000, 1e-6);
    EXPECT_GT(posterior.expected.minCoeff(), 0);
    const Vector error = smooth * (posterior.mean - n);
    const Matrix covariance =
        smooth * posterior.covariance * smooth.transpose();
    for (Index k = 1; k < 5; ++k) {
      normalised += error(k) * error(k) / covariance(k, k) / (4 * kDraws);
    }
    relative += (posterior.mean - n).norm() / n.norm() / kDraws;
  }
  EXPECT_NEAR(normalised, 1, 0.3);
  EXPECT_LT(relative, 0.3);
}

// With nothing but noise the total is all that is known.
TEST(CountPosteriorTest, SpreadsRowsEvenlyWhenNothingWasPublished) {
  const Matrix B = Waves(1e-9);
  const CountPosterior posterior =
      InferCounts(Priors(), B, Vector::Zero(9), 400);
  for (const double n : posterior.expected) EXPECT_NEAR(n, 10, 0.1);
}

TEST(CountPosteriorTest, SurvivesNoiseThatNoCountsExplain) {
  const Matrix B = Waves(0.05);
  const Vector t = Vector::Constant(9, -500);
  const CountPosterior posterior = InferCounts(Priors(), B, t, 400);
  EXPECT_TRUE(posterior.mean.allFinite());
  EXPECT_TRUE(posterior.covariance.allFinite());
  EXPECT_NEAR(posterior.expected.sum(), 400, 1e-6);
}

}  // namespace
}  // namespace cloak
