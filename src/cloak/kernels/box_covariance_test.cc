#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "cloak/base/error.h"
#include "cloak/kernels/kernel.h"

namespace cloak {
namespace {

using testing::HasSubstr;

Boxes Interval(double lower, double upper) {
  return {Matrix::Constant(1, 1, lower), Matrix::Constant(1, 1, upper)};
}

double Between(const Kernel& kernel, const Boxes& a, const Boxes& b) {
  return kernel.BoxCovariance(a, b, Threads(1))(0, 0);
}

Boxes RandomBoxes(Index count, Index inputs, double width, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  Boxes boxes{Matrix(count, inputs), Matrix(count, inputs)};
  for (Index i = 0; i < boxes.lower.size(); ++i) {
    boxes.lower(i) = 4 * uniform(random);
    boxes.upper(i) = boxes.lower(i) + width * uniform(random);
  }
  return boxes;
}

// testdata/box_oracle.json, by numerical integration to 40 digits.
TEST(BoxCovariance, AgreesWithIntegrationForBoxesOfAllSizes) {
  std::ifstream file(std::string(CLOAK_KERNEL_TESTDATA) + "/box_oracle.json");
  ASSERT_TRUE(file);
  const auto oracle = nlohmann::json::parse(file);
  ASSERT_GE(oracle.size(), 20U);
  for (const auto& test : oracle) {
    const Boxes a = Interval(test["interval"][0], test["interval"][1]);
    const Boxes b = Interval(test["other"][0], test["other"][1]);
    const Kernel eq = Kernel::Eq(1, double{test["lengthscale"]});
    const double expected = test["mean"];
    EXPECT_NEAR(Between(eq, a, b), expected, 1e-15) << test;
    EXPECT_NEAR(Between(eq, b, a), expected, 1e-15) << test;
    // Far tails are less accurate, relatively.
    EXPECT_NEAR(Between(eq, a, b) / expected, 1,
                expected > 1e-20 ? 1e-12 : 1e-4)
        << test;
  }
}

TEST(BoxCovariance, OfPointsIsTheKernel) {
  const Matrix X = RandomBoxes(20, 3, 0, 4).lower;
  const Kernel kernel = Kernel::Parse(
      "bias(3) + eq(2, lengthscale=[1, 2, 3]) + linear([1, 2, 5])");
  const Matrix K = kernel.BoxCovariance({X, X}, {X, X}, Threads(2));
  const Matrix expected = kernel.CrossCovariance(X, X, Threads(1));
  EXPECT_LT((K - expected).cwiseAbs().maxCoeff(),
            1e-14 * expected.cwiseAbs().maxCoeff());
}

TEST(BoxCovariance, OfManyInputsIsTheProductOfTheirMeans) {
  const Boxes a{Matrix{{0, 1}}, Matrix{{2, 1.5}}};
  const Boxes b{Matrix{{1, 0}}, Matrix{{1, 3}}};
  const double expected =
      5 * Between(Kernel::Eq(1, 2), Interval(0, 2), Interval(1, 1)) *
      Between(Kernel::Eq(1, 0.5), Interval(1, 1.5), Interval(0, 3));
  EXPECT_NEAR(Between(Kernel::Eq(5, {2, 0.5}), a, b), expected, 1e-15);
  // 2·mean(x_0)·mean(x'_0) + 3·mean(x_1)·mean(x'_1).
  EXPECT_NEAR(Between(Kernel::Linear({2, 3}), a, b), 2 * 1 * 1 + 3 * 1.25 * 1.5,
              1e-15);
  EXPECT_EQ(Between(Kernel::Bias(7), a, b), 7);
}

TEST(BoxCovariance, OfProductsIsThatOfTheSameKernelWrittenAsOne) {
  const Boxes a = RandomBoxes(7, 2, 3, 5);
  const Boxes b = RandomBoxes(5, 2, 0.3, 6);
  const auto same = [&](const char* text, const char* other) {
    const Matrix K = Kernel::Parse(text).BoxCovariance(a, b, Threads(1));
    const Matrix L = Kernel::Parse(other).BoxCovariance(a, b, Threads(1));
    return (K - L).cwiseAbs().maxCoeff() < 1e-13 * L.cwiseAbs().maxCoeff();
  };
  // 1/3² + 1/4² = 1/2.4².
  EXPECT_TRUE(same("eq(2, lengthscale=3) * eq(0.5, lengthscale=4) * bias(3)",
                   "eq(3, lengthscale=2.4)"));
  EXPECT_TRUE(same("(eq() + linear(2)) * bias(3)", "eq(3) + linear(6)"));
  EXPECT_TRUE(same("(eq() + bias(2)) * (eq() + bias(2))",
                   "eq() * eq() + eq(4) + bias(4)"));
  EXPECT_FALSE(same("eq()", "eq(1.0001)"));
}

TEST(BoxCovariance, IsPositiveSemidefiniteHoweverBoxesOverlap) {
  for (const double width : {0.0, 1e-6, 0.5, 1.0, 3.0, 1e6}) {
    const Boxes boxes = RandomBoxes(60, 1, width, 7);
    const Matrix K = Kernel::Eq(1, 1).BoxCovariance(boxes, boxes, Threads(2));
    EXPECT_LT((K - K.transpose()).cwiseAbs().maxCoeff(), 1e-15);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(K,
                                                      Eigen::EigenvaluesOnly);
    EXPECT_GE(eigen.eigenvalues().minCoeff(), -1e-13) << width;
  }
}

TEST(BoxCovariance, IsAlwaysANumber) {
  const Kernel eq = Kernel::Eq(1, 1e-300);
  const Boxes all = Interval(-1e308, 1e308);
  EXPECT_NEAR(Between(eq, all, all), 0, 1e-290);
  EXPECT_NEAR(Between(eq, all, Interval(3, 3)), 0, 1e-290);
  EXPECT_EQ(Between(Kernel::Eq(1, 1e300), Interval(0, 1), Interval(5, 6)), 1);
}

TEST(BoxCovariance, IsRefusedForOtherKernelsByName) {
  const auto message = [](const char* text) -> std::string {
    try {
      Between(Kernel::Parse(text), Interval(0, 1), Interval(0, 1));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message("bias(1) + matern32()"),
              HasSubstr("the kernel matern32 has no means over boxes; take "
                        "eq, linear, bias"));
  EXPECT_THAT(message("white(1)"), HasSubstr("the kernel white"));
  EXPECT_THAT(message("linear() * eq()"), HasSubstr("linear by bias alone"));
  std::string text = "(eq()+bias())";
  for (int i = 0; i < 40; ++i) text += "*(eq()+bias())";
  EXPECT_THAT(message(text.c_str()), HasSubstr("at most 1000 products"));
  EXPECT_THROW(Between(Kernel::Eq(1, 1), Interval(1, 0), Interval(0, 1)),
               InvalidInput);
  EXPECT_THROW(Between(Kernel::Eq(1, {1, 2}), Interval(0, 1), Interval(0, 1)),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
