#include "apps/plot/ticks.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace cloak {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Ticks, AreMultiplesOfOneTwoOrFive) {
  EXPECT_THAT(NiceTicks(0, 10, 5).values, ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(NiceTicks(58, 183, 6).values,
              ElementsAre(60, 80, 100, 120, 140, 160, 180));
  EXPECT_THAT(NiceTicks(-1, 1, 4).values, ElementsAre(-1, -0.5, 0, 0.5, 1));
}

TEST(Ticks, AreNoneWhereThereIsNothingToMark) {
  EXPECT_THAT(NiceTicks(3, 3, 5).values, IsEmpty());
  EXPECT_THAT(NiceTicks(5, 3, 5).values, IsEmpty());
  EXPECT_THAT(NiceTicks(0, std::numeric_limits<double>::infinity(), 5).values,
              IsEmpty());
  EXPECT_THAT(NiceTicks(-1e308, 1e308, 5).values, IsEmpty());
}

TEST(LogTicks, AreLabelledWithTheValues) {
  const Ticks ticks = LogTicks(std::log10(0.5), std::log10(20));
  EXPECT_THAT(ticks.labels, ElementsAre("0.5", "1", "2", "5", "10", "20"));
  ASSERT_EQ(ticks.values.size(), 6U);
  EXPECT_NEAR(ticks.values[3], std::log10(5), 1e-12);
  EXPECT_THAT(LogTicks(1, 1).values, IsEmpty());
  EXPECT_THAT(LogTicks(0, std::numeric_limits<double>::infinity()).values,
              IsEmpty());
}

TEST(TickLabel, HasARealMinusSign) {
  EXPECT_EQ(TickLabel(NiceTicks(-1, 1, 4), 1), "−0.5");
}

RC_GTEST_PROP(Ticks, LieInsideAndAreFew, (double lower, double width)) {
  RC_PRE(std::isfinite(lower) && std::isfinite(width) && width > 0);
  const double upper = lower + width;
  const Ticks ticks = NiceTicks(lower, upper, 6);
  RC_ASSERT(ticks.values.size() <= 14);
  for (const double tick : ticks.values) {
    RC_ASSERT(tick >= lower - ticks.step * 1e-6);
    RC_ASSERT(tick <= upper + ticks.step * 1e-6);
  }
}

TEST(TickText, HasTheDecimalsOfItsStep) {
  EXPECT_EQ(TickText(0.5, 0.25), "0.5");
  EXPECT_EQ(TickText(0.25, 0.05), "0.25");
  EXPECT_EQ(TickText(200, 100), "200");
  EXPECT_EQ(TickText(-1.5, 0.5), "-1.5");
  EXPECT_EQ(TickText(1e-17, 0.5), "0");
}

}  // namespace
}  // namespace cloak
