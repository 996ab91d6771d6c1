#include "cloak/kernels/gibbs_from_inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cloak/base/error.h"

namespace cloak {
namespace {

Matrix NormalInputs(Index rows, Index columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Matrix result(rows, columns);
  for (double& entry : result.reshaped()) entry = normal(random);
  return result;
}

constexpr char kTwoGroups[] =
    "gibbs(3, longest=2, count=4, bandwidth=0.5, neighbourhood=0.25, scale=2, "
    "centres=[1, 5, 3, 8], weights=[10, 12])";

TEST(GibbsFromInputs, CentresAreMeansOfAtLeastTenRows) {
  Matrix X(22, 2);
  for (Index i = 0; i < 22; ++i) {
    X.row(i) = i < 10 ? Eigen::RowVector2d(1, 5)
                      : Eigen::RowVector2d(3, i % 2 == 0 ? 7 : 9);
  }
  EXPECT_EQ(
      GibbsFromInputs(
          X, 3, 2, 4,
          {.scale = PerInput(2), .bandwidth = 0.5, .neighbourhood = 0.25}),
      Kernel::Parse(kTwoGroups));
}

TEST(GibbsFromInputs, FewerRowsAreSpreadOverTheirRoundedRanges) {
  const Matrix X{{1.37}, {3.11}, {1.37}, {2.93}};
  const std::string text = GibbsFromInputs(X, 3, 2, 4).ToString();
  EXPECT_NE(text.find("weights=[1, 1, 1, 1]"), std::string::npos) << text;
  for (const std::string value : {"1.37", "3.11", "2.93"}) {
    EXPECT_EQ(text.find(value), std::string::npos) << text;
  }
}

// 4000 normal points have the density 4000 φ(x), which a kernel estimate
// widens to a variance of 1 + bandwidth²: r = 1/(1/m + ρ/n).
TEST(GibbsFromInputs, FollowsTheDensityOfManyRowsThroughFewCentres) {
  const Matrix X = NormalInputs(4000, 1, 3);
  const Kernel kernel = GibbsFromInputs(
      X, 1, 5, 1500,
      {.scale = PerInput(1), .bandwidth = 0.3, .neighbourhood = 0});
  EXPECT_LT(kernel.ToString().size(), 5000U);
  const auto radius = [](double x) {
    const double spread = 1 + 0.09;
    const double density =
        4000 * std::exp(-x * x / 2 / spread) / std::sqrt(2 * M_PI * spread);
    return 1 / (1.0 / 5 + density / 1500);
  };
  const Matrix X_test = Vector::LinSpaced(13, -2, 4);
  const Matrix K = kernel.Covariance(X_test, Threads(1));
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index j = 0; j < K.cols(); ++j) {
      const double r = radius(X_test(i));
      const double s = radius(X_test(j));
      const double apart = X_test(i) - X_test(j);
      const double both = r * r + s * s;
      EXPECT_NEAR(K(i, j),
                  std::sqrt(2 * r * s / both) * std::exp(-apart * apart / both),
                  0.02)
          << X_test(i) << ", " << X_test(j);
    }
  }
}

TEST(GibbsFromInputs, ScalesAndSmoothsByRulesOfThumb) {
  Matrix X = NormalInputs(1000, 2, 9);
  X.col(1) *= 100;
  const std::string text = GibbsFromInputs(X, 1, 1, 10).ToString();
  const double expected = std::pow(1000, -1.0 / 6);
  const auto number = [&](const std::string& name) {
    return std::stod(text.substr(text.find(name) + name.size()));
  };
  EXPECT_NEAR(number("bandwidth="), expected, 1e-12);
  EXPECT_NEAR(number("neighbourhood="), expected, 1e-12);
  EXPECT_NEAR(number("scale=["), 1, 0.05);
  EXPECT_EQ(Kernel::Parse(text).ToString(), text);
}

TEST(GibbsFromInputs, WorksWithManyInputsAndConstantOnes) {
  Matrix X = NormalInputs(300, 50, 1);
  X.col(7).setConstant(3);
  const Kernel kernel = GibbsFromInputs(X, 2, 3, 5);
  const Matrix K = kernel.Covariance(X, Threads(1));
  EXPECT_TRUE(K.allFinite());
  EXPECT_EQ(K.diagonal(), Vector::Constant(300, 2));
  EXPECT_THROW(GibbsFromInputs(Matrix(0, 1), 1, 1, 1), InvalidInput);
}

}  // namespace
}  // namespace cloak
