// What windows that clip outputs cost, and that what they clip is known.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cloak/models/outputs/conclusion.h"
#include "cloak/models/outputs/optimal.h"
#include "cloak/models/outputs/windowed_statistic.h"

namespace cloak {
namespace {

constexpr Index kClippedRows = 400;
constexpr double kMiddle = 135;

SharedSetting SettingOfRows() {
  return std::make_shared<const Setting>(Setting{
      .input_names = {"x"},
      .inputs = PublicInputs{.X = Vector::LinSpaced(kClippedRows, 0, 7)},
      .output = NumberOutput{"y", OutputBounds(60, 210)}});
}

class ClippingTest : public testing::Test {
 protected:
  const OptimalModel& model() const { return plan_.model(); }

  SharedSetting setting_ = SettingOfRows();
  PrivacyUnits units_ = setting_->UnitsOrRows();
  OptimalPlan plan_{setting_, {.budget = Budget(1, 1e-3)}};
};

TEST_F(ClippingTest, NoiseIsLearnedFromSquaresOfWhichWindowsCutOffAPart) {
  constexpr double kNoise = 10;
  constexpr double kHalfWidth = 12;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0, kNoise);
  const double gain = setting_->bounds().width() / 2 / kHalfWidth;
  PublishedRound round;
  round.R = Matrix::Identity(model().sites().count(), model().sites().count());
  round.centre = Vector::Constant(round.R.rows(), kMiddle);
  round.half_width = Vector::Constant(round.R.rows(), kHalfWidth);
  round.value = Vector::Zero(round.R.rows());
  round.noise_sd = 0.01;
  round.present = {1, 0.001};
  round.squares = PublishedNumber{0, 0.01};
  for (Index s = 0; s < round.value.size(); ++s) {
    for (int i = 0; i < model().sites().sizes()(s); ++i) {
      const double seen = std::clamp(normal(random), -kHalfWidth, kHalfWidth);
      round.value(s) += gain * seen;
      round.squares->value += std::pow(seen / kHalfWidth, 2);
    }
  }
  Conclusion conclusion(model(), kMiddle, setting_->bounds().width());
  conclusion.Add(round);
  // Squares alone would say 8; the standard error of their mean is 4 %.
  EXPECT_NEAR(std::sqrt(conclusion.theta().noise_variance), kNoise, 1.2);
}

TEST_F(ClippingTest, WindowsAreOnlyAsWideAsTheBoundsAroundThemAllow) {
  const WindowedStatistics rounds(*setting_, units_, model());
  const Index sites = model().sites().count();
  const OutputStatistic statistic{Matrix::Identity(sites, sites), 15,
                                  Vector::Zero(sites)};
  OutputBelief belief =
      Believe(model(), model().prior().Nodes().front().value, statistic);
  const Vector inside = rounds.Next(0.5, belief).half_width;
  // f is believed to be at the upper bound: half of a window is beyond it.
  belief.mean.setConstant(210 - setting_->PriorMean());
  const WindowedStatistic at_bound = rounds.Next(0.5, belief);
  EXPECT_TRUE(at_bound.half_width.isApprox(inside / 2, 1e-4));
  const Vector centres = rounds.Centres(at_bound, belief.mean);
  EXPECT_LE((centres + at_bound.half_width).maxCoeff(), 210.01);
  EXPECT_GE((centres + at_bound.half_width).minCoeff(), 209.99);
}

}  // namespace
}  // namespace cloak
