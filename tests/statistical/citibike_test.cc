// Accuracy on bicycle journeys (experiments/smith2018, which has figures from
// all folds, and with noise that is not frozen).

#include <gtest/gtest.h>

#include <string>

#include "experiments/data_dir.h"
#include "experiments/smith2018/journey_scores.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

class CitiBikeTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string file = "citibike_nyc_2017_06_subscribers_20000.csv.gz";
    const auto path = FindData(file);
    if (!path) GTEST_SKIP() << "needs " << file << ": " << kDataHint;
    all_ = ReadJourneys(*path);
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
TEST_F(CitiBikeTest, OptimalBeatsTheBestPublishedLengthscaleOn4900Journeys) {
  const JourneyFold fold = SampleFold(all_, 0);
  Randomness randomness = RandomnessForTesting::Seeded(1);
  const OptimalScore optimal = ScoreOptimal(fold, 1, randomness);
  EXPECT_LE(optimal.rmse, 0.93 * PublishedRmse(fold, 0.05, 1));
  EXPECT_GE(optimal.coverage, 0.83);
}

// Over all folds 32 % less on average.
TEST_F(CitiBikeTest, AndByFarOn4900JourneysWhenThereIsLittleToSpend) {
  const JourneyFold fold = SampleFold(all_, 1);
  Randomness randomness = RandomnessForTesting::Seeded(1);
  const OptimalScore optimal = ScoreOptimal(fold, 0.2, randomness);
  EXPECT_LE(optimal.rmse, 0.75 * PublishedRmse(fold, 0.781, 0.2));
  EXPECT_GE(optimal.coverage, 0.85);
}

}  // namespace
}  // namespace cloak
