#include "cloak/privacy/analytic_gaussian.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cloak/base/error.h"
#include "tests/testing/any_number.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
// Does not use MPFR: an independent oracle, of 100 decimal digits, which are
// enough where at most 1e-20 of the terms is left by cancellation.
using Real100 = boost::multiprecision::cpp_bin_float_100;

Real100 Delta(double epsilon, double sigma) {
  const auto cdf = [](const Real100& x) {
    return Real100(boost::math::erfc(Real100(-x / sqrt(Real100(2)))) / 2);
  };
  const Real100 a = 1 / (2 * Real100(sigma));
  const Real100 b = Real100(epsilon) * Real100(sigma);
  return cdf(a - b) - exp(Real100(epsilon)) * cdf(-a - b);
}

// Log-uniform over a whole range, which rapidcheck's sizes would not reach.
double AnyDelta() {
  return *rc::gen::arbitrary<bool>() ? LogUniform(1e-300, 0.999999)
                                     : LogUniform(1e-6, 0.999999);
}

RC_GTEST_PROP(AnalyticGaussianTest,
              SigmaMeetsTheConditionAndHardlyASmallerDoubleDoes, ()) {
  const double epsilon = LogUniform(1e-8, 1e4);
  const double delta = AnyDelta();
  const double sigma = GaussianSigma(Budget(epsilon, delta));
  RC_ASSERT(Delta(epsilon, sigma) <= Real100(delta));
  // It and its reciprocal are doubles: rounding takes three steps at most.
  double smaller = sigma;
  for (int step = 0; step < 4; ++step) smaller = std::nextafter(smaller, 0);
  RC_ASSERT(Delta(epsilon, smaller) > Real100(delta));
  RC_ASSERT(Delta(epsilon, sigma * (1 - 1e-6)) > Real100(delta));
}

RC_GTEST_PROP(AnalyticGaussianTest, DeltaIsBoundedFromAboveToTheLastBit, ()) {
  const double epsilon = LogUniform(1e-8, 1e4);
  const double sigma = LogUniform(0.1, 10) * std::sqrt(1 / epsilon) *
                       std::max(1.0, std::sqrt(1 / epsilon));
  const double upper = GaussianDeltaUpper(epsilon, sigma);
  const Real100 exact = Delta(epsilon, sigma);
  RC_ASSERT(Real100(upper) >= exact);
  RC_ASSERT(upper <= std::numeric_limits<double>::min() ||
            Real100(upper) <= exact * (1 + Real100(1e-15)));
}

TEST(AnalyticGaussianTest, NoiseForABudgetHasAMuWithinTheBudget) {
  for (int i = 1; i <= 10; ++i) {
    const Budget budget(0.37 * i, 1e-5 / i);
    const double mu = GaussianMu(budget);
    // What a mechanism rounds up to a double is not above the limit.
    EXPECT_TRUE(Real100(1) / Real100(GaussianSigma(budget)) <= Real100(mu));
    EXPECT_LE(GaussianEpsilonOfMu(mu, budget.delta()),
              budget.epsilon() * (1 + 1e-12));
    EXPECT_TRUE(Real100(GaussianDeltaOfMu(budget.epsilon(), mu)) >=
                Delta(budget.epsilon(), 1 / mu) * (1 - Real100(1e-12)));
  }
}

TEST(AnalyticGaussianTest, SigmaAgreesWithTheAuthorsImplementation) {
  // Balle and Wang's calibrateAnalyticGaussianMechanism(1, 1e-5, 1), in double
  // precision, as printed in the documentation of diPLSlib's copy.
  EXPECT_NEAR(GaussianSigma(Budget(1, 1e-5)), 3.730631634944469, 1e-9);
}

TEST(AnalyticGaussianTest, WithoutEpsilonDeltaIsTheTotalVariation) {
  for (const double sigma : {0.2, 1.0, 30.0}) {
    EXPECT_NEAR(GaussianDeltaUpper(0, sigma),
                std::erf(1 / (2 * std::sqrt(2.0) * sigma)), 1e-15);
  }
}

double ClassicalSigma(double epsilon, double delta) {
  return std::sqrt(2 * std::log(2 / delta)) / epsilon;
}

TEST(AnalyticGaussianTest, ThePapersConstantIsNotPrivateForLargeEpsilon) {
  const double classical = ClassicalSigma(10, 0.01);
  EXPECT_NEAR(GaussianDeltaUpper(10, classical), 0.0245, 5e-5);
  EXPECT_GT(GaussianDeltaUpper(50, ClassicalSigma(50, 0.01)), 0.9);
  EXPECT_GT(GaussianSigma(Budget(10, 0.01)), classical);
  EXPECT_LE(GaussianDeltaUpper(10, GaussianSigma(Budget(10, 0.01))), 0.01);
}

TEST(AnalyticGaussianTest, ThePapersConstantWastesNoiseForSmallEpsilon) {
  EXPECT_NEAR(ClassicalSigma(1, 0.01) / GaussianSigma(Budget(1, 0.01)), 1.73,
              0.005);
}

TEST(AnalyticGaussianTest, TheMostExtremeBudgetsAreCalibrated) {
  for (const double epsilon : {1e-300, 1e-8, 1e6}) {
    for (const double delta : {5e-324, 1e-300, 0.5, 1 - 0x1p-53}) {
      const double sigma = GaussianSigma(Budget(epsilon, delta));
      EXPECT_LE(GaussianDeltaUpper(epsilon, sigma), delta);
      EXPECT_GT(GaussianDeltaUpper(epsilon, sigma * (1 - 1e-6)), delta)
          << epsilon << " " << delta;
    }
  }
}

TEST(AnalyticGaussianTest, ABudgetThatNoFiniteNoiseMeetsIsRefused) {
  EXPECT_THROW(GaussianSigma(Budget(5e-324, 5e-324)), PrivacyFailure);
}

TEST(AnalyticGaussianTest, ImpossibleArgumentsAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(GaussianDeltaUpper(-1, 1), InvalidInput);
  EXPECT_THROW(GaussianDeltaUpper(nan, 1), InvalidInput);
  EXPECT_THROW(GaussianDeltaUpper(1, 0), InvalidInput);
  EXPECT_THROW(GaussianDeltaUpper(1, nan), InvalidInput);
}

RC_GTEST_PROP(SigmaInUnitsTest, IsTheSmallestSufficientInteger,
              (uint64_t high, uint64_t low)) {
  const Uint128 squared =
      (((Uint128{high} << 64) | low) >> *rc::gen::inRange(0, 127)) | 1;
  const double sigma = LogUniform(1e-9, 1e15);
  const cpp_int units(DecimalText(SigmaInUnits(sigma, squared)));
  const cpp_rational wanted = cpp_rational(sigma) * cpp_rational(sigma) *
                              cpp_rational(cpp_int(DecimalText(squared)));
  RC_ASSERT(cpp_rational(units * units) >= wanted);
  RC_ASSERT(cpp_rational((units - 1) * (units - 1)) < wanted);
}

TEST(SigmaInUnitsTest, WholeProductsAreNotRoundedUp) {
  EXPECT_TRUE(SigmaInUnits(2.5, 16) == 10);
  EXPECT_TRUE(SigmaInUnits(0x1p60, 1) == Uint128{1} << 60);
  EXPECT_TRUE(SigmaInUnits(std::nextafter(2.5, 3), 16) == 11);
}

TEST(SigmaInUnitsTest, NoSensitivityAndOverflowAreRefused) {
  EXPECT_THROW(SigmaInUnits(1, 0), PrivacyFailure);
  EXPECT_THROW(SigmaInUnits(0, 1), PrivacyFailure);
  EXPECT_THROW(SigmaInUnits(std::numeric_limits<double>::quiet_NaN(), 1),
               PrivacyFailure);
  EXPECT_THROW(SigmaInUnits(std::numeric_limits<double>::infinity(), 1),
               PrivacyFailure);
  EXPECT_THROW(SigmaInUnits(0x1p128, 1), PrivacyFailure);
  EXPECT_THROW(SigmaInUnits(1e300, 1), PrivacyFailure);
}

}  // namespace
}  // namespace cloak
