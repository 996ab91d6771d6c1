// Accuracy on bicycle journeys (experiments/smith2018, which has figures from
// all folds, and with noise that is not frozen).

#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/smith2018/journey_scores.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

class CitiBikeTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path path =
        std::filesystem::path(CLOAK_DATA_DIR) /
        "citibike_nyc_2017_06_subscribers_20000.csv.gz";
    if (!std::filesystem::exists(path)) {
      GTEST_SKIP() << "needs " << path.filename().string()
                   << " in the data folder (CLOAK_DATA_DIR), which is not here";
    }
    all_ = ReadJourneys(path);
  }

  double PublishedRmse(const JourneyFold& fold, double lengthscale,
                       double epsilon) const {
    for (const JourneyScore& score :
         ScoreCloaking(fold, lengthscale, {epsilon}, 1)) {
      if (score.epsilon == epsilon && score.method.starts_with("published")) {
        return score.rmse;
      }
    }
    ADD_FAILURE() << "nothing was published";
    return 0;
  }

  Journeys all_;
};

// Over all folds 11 % less on average.
TEST_F(CitiBikeTest, OptimalBeatsTheBestPublishedLengthscale) {
  const JourneyFold fold = SampleFold(all_, 0);
  Randomness randomness = RandomnessForTesting::Seeded(1);
  const OptimalScore optimal = ScoreOptimal(fold, 1, randomness);
  EXPECT_LE(optimal.rmse, 0.93 * PublishedRmse(fold, 0.05, 1));
  EXPECT_GE(optimal.coverage, 0.83);
}

// Over all folds 32 % less on average.
TEST_F(CitiBikeTest, AndByFarWhenThereIsLittleToSpend) {
  const JourneyFold fold = SampleFold(all_, 1);
  Randomness randomness = RandomnessForTesting::Seeded(1);
  const OptimalScore optimal = ScoreOptimal(fold, 0.2, randomness);
  EXPECT_LE(optimal.rmse, 0.75 * PublishedRmse(fold, 0.781, 0.2));
  EXPECT_GE(optimal.coverage, 0.85);
}

}  // namespace
}  // namespace cloak
