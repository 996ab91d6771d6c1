#include "cloak/models/nuisance_parameters.h"

#include <gtest/gtest.h>

namespace cloak {
namespace {

TEST(PresentShareTest, IsAllUnlessSomeAreProbablyMissing) {
  EXPECT_EQ(PresentShare({{1, 0.01}}), 1);
  EXPECT_EQ(PresentShare({{1.05, 0.01}}), 1);
  EXPECT_EQ(PresentShare({{0.98, 0.01}}), 1);
  EXPECT_EQ(PresentShare({{-3, 5}}), 1);
  EXPECT_EQ(PresentShare({}), 1);
  EXPECT_NEAR(PresentShare({{0.8, 0.01}}), 0.8, 1e-3);
  // Together, what alone would not do.
  EXPECT_EQ(PresentShare({{0.94, 0.02}}), 1);
  EXPECT_NEAR(PresentShare({{0.94, 0.02}, {0.94, 0.02}, {0.94, 0.02}}), 0.94,
              1e-3);
}

TEST(PresentShareTest, IsPositiveWhateverWasPublished) {
  for (const double value : {-1e9, -0.1, 0.0, 1e-9}) {
    const double share = PresentShare({{value, 0.01}});
    EXPECT_GT(share, 0);
    EXPECT_LT(share, 0.05);
  }
}

}  // namespace
}  // namespace cloak
