#include "cloak/privacy/budget.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"

namespace cloak {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

std::string ErrorOf(auto make) {
  try {
    make();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

TEST(BudgetTest, EpsilonIsFinitePositiveAndNotAbsurd) {
  EXPECT_EQ(Budget(0.5, 1e-5).epsilon(), 0.5);
  EXPECT_EQ(ErrorOf([] { Budget(-1, 1e-5); }),
            "epsilon must be finite and positive, but is -1");
  for (const double epsilon : {0.0, -0.0, kInfinity, -kInfinity, kNan}) {
    EXPECT_THROW(Budget(epsilon, 1e-5), InvalidInput) << epsilon;
  }
  EXPECT_THROW(Budget(1.1e6, 1e-5), InvalidInput);
}

TEST(BudgetTest, DeltaIsBetweenZeroAndOne) {
  EXPECT_EQ(Budget(1, 1e-300).delta(), 1e-300);
  EXPECT_EQ(ErrorOf([] { Budget(1, 0); }),
            "delta must be between 0 and 1 (exclusive), but is 0");
  for (const double delta : {-1e-300, 1.0, 2.0, kInfinity, kNan}) {
    EXPECT_THROW(Budget(1, delta), InvalidInput) << delta;
  }
}

TEST(OutputBoundsTest, TheLowerIsFiniteAndBelowTheUpper) {
  const OutputBounds bounds(60, 180);
  EXPECT_EQ(bounds.width(), 120);
  EXPECT_EQ(bounds.middle(), 120);
  EXPECT_EQ(ErrorOf([] { OutputBounds(2, 1); }),
            "the lower bound must be below the upper bound, but they are 2 and "
            "1");
  EXPECT_THROW(OutputBounds(1, 1), InvalidInput);
  EXPECT_THROW(OutputBounds(-kInfinity, 1), InvalidInput);
  EXPECT_THROW(OutputBounds(0, kInfinity), InvalidInput);
  EXPECT_THROW(OutputBounds(kNan, 1), InvalidInput);
  EXPECT_THROW(OutputBounds(0, kNan), InvalidInput);
}

TEST(OutputBoundsTest, AWidthThatOverflowsIsRefused) {
  EXPECT_THROW(OutputBounds(-kLargest, kLargest), InvalidInput);
  EXPECT_TRUE(std::isfinite(OutputBounds(0, kLargest).middle()));
}

}  // namespace
}  // namespace cloak
