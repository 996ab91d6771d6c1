#include "cloak/gp/bin_prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

namespace cloak {
namespace {

// Returns the covariance of log densities, without the constant and the
// roughness.
Matrix CovarianceOfBins(const LogIntensityPrior& prior) {
  const Matrix Phi = prior.Phi.topRows(prior.Phi.rows() - 1);
  return Phi.transpose() * Phi;
}

// A long axis is modelled by fewer places than it has bins.
TEST(BinPriorTest, ALongAxisHasTheCovarianceOfAShortOne) {
  constexpr double kLengthscale = 0.2;
  for (const Index bins : {100, 900}) {
    const LogIntensityPrior prior = PriorOfBins(
        {{bins, false, {}}},
        {.variance = 2, .roughness = 0.1, .lengthscales = {kLengthscale}}, 1000,
        150);
    const Matrix K = CovarianceOfBins(prior);
    for (Index a = 0; a < bins; a += 7) {
      for (Index b = 0; b < bins; b += 11) {
        const double distance = static_cast<double>(a - b) /
                                (static_cast<double>(bins) * kLengthscale);
        EXPECT_NEAR(K(a, b), 1 + std::exp(-0.5 * distance * distance), 1e-5);
      }
    }
    EXPECT_NEAR(prior.residual.maxCoeff(), 0.1, 1e-5);
  }
}

TEST(BinPriorTest, CategoriesAreAllAlike) {
  const LogIntensityPrior prior = PriorOfBins(
      {{5, true, {}}}, {.variance = 2, .roughness = 0.1, .lengthscales = {1}},
      1000, 150);
  const Matrix K = CovarianceOfBins(prior);
  for (Index a = 0; a < 5; ++a) {
    for (Index b = 0; b < 5; ++b) {
      EXPECT_NEAR(K(a, b), a == b ? 2 : 1, 1e-12);
    }
  }
}

// The variance is that of the prior in every bin, of functions and residual
// together, also where functions are far fewer than bins.
TEST(BinPriorTest, WhatFunctionsLeaveOutIsInTheResidual) {
  const std::clock_t begin = std::clock();
  for (const double lengthscale : {0.00005, 0.003, 0.3}) {
    const LogIntensityPrior prior = PriorOfBins(
        {{10000, false, {}}},
        {.variance = 2, .roughness = 0.1, .lengthscales = {lengthscale}}, 1000,
        40);
    ASSERT_EQ(prior.Phi.cols(), 10000);
    EXPECT_LE(prior.Phi.rows(), 41);
    const Vector variance =
        prior.Phi.topRows(prior.Phi.rows() - 1).colwise().squaredNorm();
    EXPECT_LE(variance.maxCoeff(), 2 * (1 + 1e-6)) << lengthscale;
    EXPECT_NEAR((variance + prior.residual).maxCoeff(), 2.1, 1e-5);
    EXPECT_NEAR((variance + prior.residual).minCoeff(), 2.1, 1e-5);
  }
  // An hour, were it the cube of the number of bins.
  EXPECT_LT(std::clock() - begin, 100 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace cloak
