#include "experiments/smith2021/published_selection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cloak/privacy/selection_mechanism.h"
#include "cloak/selection/residual_norm.h"

namespace cloak {
namespace {

// All of them: what the paper's example keeps.
constexpr double kAll = INFINITY;

std::vector<PublishedScore> Published(const LineExample& line,
                                      const std::vector<Fold>& folds) {
  return {ScoreAsPublished(line.setting, LineExample::Polynomial(0, true),
                           folds, line.y),
          ScoreAsPublished(line.setting, LineExample::Polynomial(1, true),
                           folds, line.y)};
}

// Section 5.1 of Smith et al. 2021. The closed forms of the noise: c² = 2 ln
// 200, d² = 4, and the smallest ellipsoid of the columns of C has the trace
// ½ for the mean of two, and |C|² for a line through two points.
TEST(PublishedSelectionTest, TheExampleOfTheLineComesOutAsPublished) {
  const LineExample line;
  const double noise = 4 * 2 * std::log(200.0);
  const auto halves = Published(line, line.halves);
  EXPECT_NEAR(halves[0].squared_error, 6.875 + noise, 0.001);
  EXPECT_NEAR(halves[1].squared_error, 37.5 * noise, 0.05);
  EXPECT_NEAR(halves[0].squared_error, 50, 1);
  EXPECT_NEAR(halves[1].squared_error, 1597, 10);  // the paper draws the noise
  EXPECT_NEAR(std::max(halves[0].sensitivity, halves[1].sensitivity), 116,
              1e-4);
  EXPECT_NEAR(PublishedProbabilities(halves, 1, kAll)(0), 0.9987, 5e-5);

  const auto interleaved = Published(line, line.interleaved);
  EXPECT_NEAR(interleaved[1].squared_error, 337, 0.5);
  EXPECT_NEAR(std::max(interleaved[0].sensitivity, interleaved[1].sensitivity),
              53, 1e-4);
  EXPECT_NEAR(PublishedProbabilities(interleaved, 1, kAll)(0), 0.9394, 5e-5);
}

// Residuals by hand: rows of T for the first half predicted from the second,
// and the other way round.
TEST(PublishedSelectionTest, TheExampleCorrected) {
  const LineExample line;
  const PrivacyUnits rows = PrivacyUnits::EachRow(4);
  const auto norm = [&](Index degree) {
    return ResidualNorm(
        CrossValidate(line.setting, LineExample::Polynomial(degree, false),
                      line.halves),
        rows, line.setting.bounds(), 0);
  };
  // Columns of T: (−1, 0, ½, ½) and the like; (0, −1, 2, 4) the longest of
  // the line's.
  EXPECT_NEAR(norm(0).sensitivity(), 2 * std::sqrt(1.5), 1e-6);
  EXPECT_NEAR(norm(1).sensitivity(), 2 * std::sqrt(21.0), 1e-6);
  // Analytic noise in place of the paper's constant.
  const double sigma =
      std::sqrt(CrossValidate(line.setting, LineExample::Polynomial(0, false),
                              line.halves)
                    .squared_noise /
                4);
  EXPECT_NEAR(sigma, 1.8775, 0.001);
  const Vector utilities{{norm(0).Utility(line.y), norm(1).Utility(line.y)}};
  EXPECT_NEAR(utilities(0), -std::sqrt(6.875 + 4 * sigma * sigma), 1e-4);
  EXPECT_NEAR(utilities(1), -std::sqrt(37.5 * 4 * sigma * sigma), 1e-3);
  const SelectionMechanism mechanism(norm(1).sensitivity(), 1);
  const double odds =
      std::exp((utilities(0) - utilities(1)) / (2 * norm(1).sensitivity()));
  EXPECT_NEAR(mechanism.Probabilities(utilities)(0), odds / (1 + odds), 1e-5);
}

}  // namespace
}  // namespace cloak
