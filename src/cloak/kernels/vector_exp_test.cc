#include "cloak/kernels/vector_exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "cloak/base/special_values.h"

namespace cloak {
namespace {

Vector UniformNumbers(Index n, double lower, double upper) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(lower, upper);
  Vector values(n);
  for (double& value : values) value = uniform(random);
  return values;
}

TEST(VectorExp, AgreesWithTheScalarExponentialToFourteenDigits) {
  for (const double scale : {1e-3, 1.0, 30.0, 700.0}) {
    const Vector x = UniformNumbers(10'007, -scale, scale);
    Vector values = x;
    ExpInPlace(values.data(), values.size());
    for (Index i = 0; i < x.size(); ++i) {
      const double expected = std::exp(x[i]);
      ASSERT_NEAR(values[i], expected, 1e-14 * expected) << x[i];
    }
  }
}

TEST(VectorExp, OfZeroIsExactlyOne) {
  for (Index n = 1; n <= 17; ++n) {
    Vector values = Vector::Zero(n);
    ExpInPlace(values.data(), n);
    EXPECT_EQ(values, Vector::Ones(n));
  }
}

TEST(VectorExp, UnderflowsToZeroHoweverNegativeTheArgument) {
  for (const double x : {-708.0, -746.0, -1e10, -1e308, -kInfinity}) {
    Vector values = Vector::Constant(11, x);
    ExpInPlace(values.data(), values.size());
    EXPECT_EQ(values, Vector::Zero(11)) << x;
  }
}

TEST(VectorExp, DoesNotDependOnThePositionInTheArray) {
  const Vector x = UniformNumbers(64, -20, 2);
  Vector all = x;
  ExpInPlace(all.data(), all.size());
  for (Index i = 0; i < x.size(); ++i) {
    double alone = x[i];
    ExpInPlace(&alone, 1);
    EXPECT_EQ(alone, all[i]);
  }
}

TEST(VectorExp, AppliesRateAndFactor) {
  Vector values = UniformNumbers(101, 0, 5);
  const Vector expected = 3 * (-0.5 * values).array().exp();
  ScaledExpInPlace(values.data(), values.size(), -0.5, 3);
  EXPECT_LT(((values - expected).array() / expected.array()).abs().maxCoeff(),
            1e-14);
}

TEST(VectorExp, TouchesNothingWhenThereIsNothing) { ExpInPlace(nullptr, 0); }

TEST(VectorLog1p, AgreesWithTheScalarLogarithmToFourteenDigits) {
  for (const double scale : {1e-12, 1e-3, 1.0, 1e6, 1e300}) {
    const Vector x = UniformNumbers(1003, 0, scale);
    Vector values = x;
    Log1pInPlace(values.data(), values.size());
    for (Index i = 0; i < x.size(); ++i) {
      const double expected = std::log1p(x[i]);
      ASSERT_NEAR(values[i], expected, 1e-14 * expected) << x[i];
    }
  }
}

TEST(VectorSinPi, AgreesWithTheScalarSine) {
  const Vector x = UniformNumbers(1003, -1, 1);
  Vector values = x;
  SinPiInPlace(values.data(), values.size());
  for (Index i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(values[i], std::sin(std::numbers::pi * x[i]), 1e-15) << x[i];
  }
}

}  // namespace
}  // namespace cloak
