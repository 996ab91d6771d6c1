#include "cloak/gp/consistent_counts.h"

#include <gtest/gtest.h>

namespace cloak {
namespace {

// However large the noise is: a bin has no more rows than there are.
TEST(ConsistentCountsTest, IntervalsStayWithinZeroAndTheTotal) {
  for (const double sd : {1.0, 30.0, 3e3, 3e9}) {
    const Vector mean{{-2 * sd, 0, 5, 0.5 * sd, 4 * sd}};
    const Vector variance = Vector::Constant(mean.size(), sd * sd);
    const ConsistentCounts counts = MakeConsistent(mean, variance, 20, 0.95);
    EXPECT_NEAR(counts.count.sum(), 20, 1e-9);
    EXPECT_GE(counts.lower.minCoeff(), 0);
    EXPECT_LE(counts.upper.maxCoeff(), 20 * (1 + 1e-12)) << sd;
    EXPECT_TRUE((counts.lower.array() <= counts.count.array()).all());
    EXPECT_TRUE((counts.count.array() <= counts.upper.array()).all());
  }
}

}  // namespace
}  // namespace cloak
