// Accuracy on the !Kung women at (1, 0.01)-DP (experiments/smith2021, which
// has figures from more draws, and with noise that is not frozen).

#include <gtest/gtest.h>

#include "experiments/data_dir.h"
#include "experiments/smith2021/folds.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

class KungTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto path = FindData("howell1.csv");
    if (!path) GTEST_SKIP() << "needs howell1.csv: " << kDataHint;
    women_ = ReadWomen(*path);
  }

  FoldScores Score(const KungCase& c, int draws) const {
    Randomness randomness = RandomnessForTesting::Seeded(1);
    return CrossValidate(women_, c, draws, randomness, Threads());
  }

  Women women_;
};

constexpr int kDraws = 40;
// Of releases in rounds, which take longer.
constexpr int kDrawsOfRounds = 10;

TEST_F(KungTest, OptimalFromTheAgeIsWithin7Point8Cm) {
  const FoldScores scores = Score(OptimalGiven({"age"}), kDrawsOfRounds);
  EXPECT_LE(scores.rmse, 7.8);
  EXPECT_GE(scores.coverage, 0.90);
  EXPECT_LE(scores.coverage, 0.98);
}

TEST_F(KungTest, OptimalFromAgeAndWeightIsWithin8Cm) {
  const FoldScores scores =
      Score(OptimalGiven({"age", "weight"}), kDrawsOfRounds);
  EXPECT_LE(scores.rmse, 8.0);
  EXPECT_GE(scores.coverage, 0.90);
  EXPECT_LE(scores.coverage, 0.98);
}

TEST_F(KungTest, CloakingFromTheAgeIsWithin10Point9Cm) {
  EXPECT_LE(Score(Cloaking({"age"}, Regression::kVolume), kDraws).rmse, 10.9);
}

TEST_F(KungTest, SparseCloakingWithTraceIsWithin9And9Point3Cm) {
  const auto design = Regression::kTrace;
  EXPECT_LE(Score(SparseCloaking({"age"}, design), kDraws).rmse, 9.0);
  EXPECT_LE(Score(SparseCloaking({"age", "weight"}, design), kDraws).rmse, 9.3);
}

// Table 1 of Smith et al. 2021: 13.3 and 9.9 cm.
TEST_F(KungTest, ThePapersOwnRecipeHasThePapersFigures) {
  EXPECT_NEAR(Score(Published({"age"}, Regression::kCloaking), kDraws).rmse,
              13.3, 0.8);
  EXPECT_NEAR(
      Score(Published({"age"}, Regression::kSparseCloaking), kDraws).rmse, 9.9,
      0.6);
}

TEST_F(KungTest, EverythingLearnedIsNotFarBehind) {
  EXPECT_LE(Score(OptimalLearned({"age"}), 3).rmse, 9);
}

}  // namespace
}  // namespace cloak
