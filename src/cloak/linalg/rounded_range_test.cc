#include "cloak/linalg/rounded_range.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cloak {
namespace {

TEST(RoundedRange, MovesBothEndsOutwardsToAMultipleOfItsStep) {
  const RoundedRange years = RoundRange(Vector{{17.3, 88.2, 40.1}});
  EXPECT_EQ(years.lower, 16);
  EXPECT_EQ(years.upper, 90);
  EXPECT_EQ(years.step, 2);
  EXPECT_EQ(years.Rounded(40.9), 40);
  EXPECT_EQ(years.Rounded(1000), 90);
  const RoundedRange small = RoundRange(Vector{{-0.1234, 3.2567}});
  EXPECT_EQ(small.lower, -0.2);
  EXPECT_EQ(small.upper, 3.3);
  EXPECT_EQ(small.Rounded(0.3001), 0.3);  // and not 0.30000000000000004
}

TEST(RoundedRange, HoldsEveryValueAndIsHardlyWider) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> exponent(-40, 40);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 2000; ++i) {
    const double scale = std::pow(10, exponent(random));
    const double shift = i % 3 == 0 ? scale * std::pow(10, i % 14) : 0;
    const Vector x =
        Vector::NullaryExpr(3, [&] { return shift + scale * normal(random); });
    const RoundedRange range = RoundRange(x);
    ASSERT_LE(range.lower, x.minCoeff());
    ASSERT_GE(range.upper, x.maxCoeff());
    const double room = std::max((x.maxCoeff() - x.minCoeff()) / 10,
                                 1e-13 * x.cwiseAbs().maxCoeff());
    ASSERT_GE(range.lower, x.minCoeff() - room) << shift << " " << scale;
    ASSERT_LE(range.upper, x.maxCoeff() + room);
    const double middle = range.Rounded(x(1));
    ASSERT_LE(std::abs(middle - x(1)), range.step);
    ASSERT_TRUE(range.lower <= middle && middle <= range.upper);
  }
}

TEST(RoundedRange, AValueThatTenShareStaysAndThatOfFewerIsRounded) {
  const RoundedRange ten = RoundRange(Vector::Constant(10, 1234.5));
  EXPECT_EQ(ten.lower, 1234.5);
  EXPECT_EQ(ten.upper, 1234.5);
  EXPECT_EQ(ten.Rounded(1234.5), 1234.5);
  const RoundedRange nine = RoundRange(Vector::Constant(9, 1234.5));
  EXPECT_EQ(nine.lower, 1200);
  EXPECT_EQ(nine.upper, 1250);
  // Also where it is a multiple of the step.
  const RoundedRange round = RoundRange(Vector::Constant(3, 100));
  EXPECT_EQ(round.lower, 98);
  EXPECT_EQ(round.upper, 102);
  EXPECT_EQ(RoundRange(Vector::Zero(2)).lower, -0.02);
  EXPECT_EQ(RoundRange(Vector::Zero(2)).upper, 0.02);
}

TEST(RoundedRange, ASpreadOfFewRowsIsThatOfTheRoundedRange) {
  EXPECT_NEAR(SpreadOf(Vector{{17.3, 88.2}}), 74 / std::sqrt(12.0), 1e-12);
  const Vector many = Vector::LinSpaced(11, 0, 10);
  EXPECT_NEAR(SpreadOf(many), std::sqrt(10.0), 1e-12);
  EXPECT_EQ(SpreadOf(Vector::Constant(11, 3)), 0);
}

}  // namespace
}  // namespace cloak
