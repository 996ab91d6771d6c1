#include "cloak/models/rows/rows_optimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <random>

#include "cloak/base/error.h"
#include "cloak/models/adaptive_releases.h"
#include "cloak/release/file_format.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

double Wave(double x) { return x == 0 ? 1 : std::sin(2 * x) / (2 * x); }

// Honkela and Melkas 2021, section 5.1.
struct RowWaves {
  Vector x;
  Vector y;

  RowWaves(Index rows, unsigned seed) : x(rows), y(rows) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> place(-4, 4);
    std::normal_distribution<double> noise(0, 0.1);
    for (Index i = 0; i < rows; ++i) {
      x(i) = place(random);
      y(i) = Wave(x(i)) + noise(random);
    }
  }

  PrivateRows Private() const {
    return {{Secret<Vector>(x)}, Secret<Vector>(y)};
  }
};

SharedSetting WaveSetting(Index rows, double width = 2.4) {
  return HiddenSetting(rows, Vector{{-4}}, Vector{{4}}, {"x"},
                       NumberOutput{"y", OutputBounds(-width / 2, width / 2)},
                       Threads(1));
}

OptimalOptions WaveOptions(double epsilon) {
  return {.budget = Budget(epsilon, 1e-4)};
}

const Matrix& Queries() {
  static const Matrix queries = Vector::LinSpaced(121, -3, 3);
  return queries;
}

struct RowScore {
  double squared_error = 0;
  double covered = 0;
};

RowScore ScoreOfRows(const Release& release) {
  const Predictions predictions =
      release.Predict(Queries(), {.latent = true}, Threads(1));
  RowScore score;
  for (Index i = 0; i < Queries().rows(); ++i) {
    const double truth = Wave(Queries()(i, 0));
    score.squared_error += std::pow(predictions.mean(i) - truth, 2);
    score.covered +=
        truth >= predictions.lower(i) && truth <= predictions.upper(i) ? 1 : 0;
  }
  score.squared_error /= static_cast<double>(Queries().rows());
  score.covered /= static_cast<double>(Queries().rows());
  return score;
}

TEST(RowsOptimalTest, FindsAFunctionAndKnowsHowWell) {
  const RowsOptimalPlan plan(WaveSetting(1024), WaveOptions(1));
  double squared = 0;
  double covered = 0;
  constexpr int kDraws = 20;
  for (unsigned draw = 0; draw < kDraws; ++draw) {
    Randomness random = RandomnessForTesting::Seeded(draw);
    const RowScore score =
        ScoreOfRows(plan.Execute(RowWaves(1024, draw).Private(), random));
    squared += score.squared_error / kDraws;
    covered += score.covered / kDraws;
  }
  // The published method leaves 0.15.
  EXPECT_LT(std::sqrt(squared), 0.05);
  EXPECT_GT(covered, 0.88);
}

// Whatever the rows are, all rounds together cost what was promised, and the
// release is made: nothing about it says that rows were clipped.
TEST(RowsOptimalTest, TakesAnyRows) {
  const RowsOptimalPlan plan(WaveSetting(60), WaveOptions(1));
  const Vector hostile{{NAN, HUGE_VAL, -HUGE_VAL, 1e308, -0.0, 1e-310}};
  Vector x(60);
  Vector y(60);
  for (Index i = 0; i < 60; ++i) {
    x(i) = hostile(i % 6);
    y(i) = hostile(i / 6 % 6);
  }
  for (const Vector& inputs :
       {x, Vector(Vector::Constant(60, 1e6)), Vector(Vector::Zero(60))}) {
    Randomness random = RandomnessForTesting::Seeded(1);
    const Release release =
        plan.Execute({{Secret<Vector>(inputs)}, Secret<Vector>(y)}, random);
    EXPECT_EQ(release.content().earlier_statistics.size(),
              std::size(kBudgetShares) - 1);
    EXPECT_TRUE(release.Predict(Queries(), {}, Threads(1)).mean.allFinite());
  }
}

// Sums are then so large beside their noise that rounding is too.
TEST(RowsOptimalTest, TakesAnyRowsWithVeryMuchBudget) {
  constexpr Index kRows = 20'000;
  const RowsOptimalPlan plan(WaveSetting(kRows), WaveOptions(1e6));
  for (const double place : {0.5, 1e6}) {
    Randomness random = RandomnessForTesting::Seeded(1);
    const Vector rows = Vector::Constant(kRows, place);
    const Release release =
        plan.Execute({{Secret<Vector>(rows)}, Secret<Vector>(rows)}, random);
    EXPECT_TRUE(release.Predict(Queries(), {}, Threads(1)).mean.allFinite());
  }
}

TEST(RowsOptimalTest, SaysWhatItPromisesAndCanBeReadBack) {
  const RowsOptimalPlan plan(WaveSetting(200), WaveOptions(0.5));
  EXPECT_EQ(plan.neighbours(), Neighbours::kRow);
  EXPECT_EQ(plan.privacy_units().count(), 200);
  EXPECT_EQ(plan.mechanism(), nullptr);
  EXPECT_GT(plan.summary().expected_sd,
            plan.summary().expected_sd_without_privacy);
  Randomness random = RandomnessForTesting::Seeded(3);
  const Release release = plan.Execute(RowWaves(200, 3).Private(), random);
  const PrivacyStatement& privacy = release.content().privacy;
  EXPECT_EQ(privacy.protect, Protection::kRows);
  EXPECT_EQ(privacy.rows, 200);
  EXPECT_NE(release.PrivacyInWords().find("Each row, its 'y' and its inputs"),
            std::string::npos);
  const Release again = ReleaseFromJson(ReleaseToJson(release), "test");
  EXPECT_EQ(again.Predict(Queries(), {}, Threads(1)).mean,
            release.Predict(Queries(), {}, Threads(1)).mean);
}

// The last round knows where the outputs are, and hides no more than that.
TEST(RowsOptimalTest, LaterRoundsNarrowTheBounds) {
  const RowsOptimalPlan learned(WaveSetting(4000), WaveOptions(3));
  const RowsOptimalPlan vague(WaveSetting(4000, /*width=*/24), WaveOptions(3));
  double squared = 0;
  double squared_vague = 0;
  for (unsigned draw = 0; draw < 5; ++draw) {
    const RowWaves waves(4000, draw);
    Randomness random = RandomnessForTesting::Seeded(draw);
    squared +=
        ScoreOfRows(learned.Execute(waves.Private(), random)).squared_error;
    squared_vague +=
        ScoreOfRows(vague.Execute(waves.Private(), random)).squared_error;
  }
  // Bounds ten times as wide cost much less than ten times the error.
  EXPECT_LT(std::sqrt(squared_vague / squared), 3);
}

TEST(RowsOptimalTest, UsesWhatIsGiven) {
  OptimalOptions given = WaveOptions(1);
  given.kernel = Kernel::Eq(1, 1);
  given.noise_variance = 0.01;
  given.cells = {32};
  const RowsOptimalPlan plan(WaveSetting(1000), given);
  Randomness random = RandomnessForTesting::Seeded(5);
  const Release release = plan.Execute(RowWaves(1000, 5).Private(), random);
  ASSERT_EQ(release.content().posteriors.size(), 1);
  const Posterior& posterior = release.content().posteriors[0];
  EXPECT_EQ(posterior.kernel.ToString(), given.kernel->ToString());
  EXPECT_EQ(posterior.noise_variance, 0.01);
  EXPECT_LT(std::sqrt(ScoreOfRows(release).squared_error), 0.1);
}

// Cells are wide here, half a lengthscale, and rows many: an estimate that took
// rows for being at the middle of their cell would be far off its error bars.
TEST(RowsOptimalTest, KnowsThatRowsAreSpreadOverTheirCells) {
  OptimalOptions options = WaveOptions(5);
  options.cells = {16};
  const RowsOptimalPlan plan(WaveSetting(40000), options);
  double covered = 0;
  constexpr int kDraws = 4;
  for (unsigned draw = 0; draw < kDraws; ++draw) {
    Randomness random = RandomnessForTesting::Seeded(draw);
    covered +=
        ScoreOfRows(plan.Execute(RowWaves(40000, draw).Private(), random))
            .covered /
        kDraws;
  }
  EXPECT_GT(covered, 0.8);
}

TEST(RowsOptimalTest, ClassifiesByTheProbabilitiesThatLabelsHave) {
  const RowsOptimalPlan plan(
      HiddenSetting(4000, Vector{{-4}}, Vector{{4}}, {"x"},
                    LabelOutput{"y", {"no", "yes"}}, Threads(1)),
      WaveOptions(1));
  double error = 0;
  constexpr int kDraws = 3;
  for (unsigned draw = 0; draw < kDraws; ++draw) {
    std::mt19937_64 random_rows(draw);
    std::uniform_real_distribution<double> uniform(0, 1);
    RowWaves waves(4000, draw);
    for (Index i = 0; i < 4000; ++i) {
      const double probability = 1 / (1 + std::exp(-2 * waves.x(i)));
      waves.y(i) = uniform(random_rows) < probability ? 1 : -1;
    }
    Randomness random = RandomnessForTesting::Seeded(draw);
    const Release release = plan.Execute(waves.Private(), random);
    const Matrix probability =
        release.PredictClasses(Queries(), Threads(1)).probability;
    for (Index i = 0; i < Queries().rows(); ++i) {
      const double truth = 1 / (1 + std::exp(-2 * Queries()(i, 0)));
      error += std::abs(probability(i, 1) - truth) /
               static_cast<double>(Queries().rows() * kDraws);
    }
  }
  EXPECT_LT(error, 0.04);
}

TEST(RowsOptimalTest, RefusesWhatDoesNotFit) {
  const auto expect_refusal = [](Index rows, const Vector& lower,
                                 const Vector& upper) {
    const std::vector<std::string> names(static_cast<size_t>(lower.size()),
                                         "x");
    EXPECT_THROW(RowsOptimalPlan(
                     HiddenSetting(rows, lower, upper, names,
                                   NumberOutput{"y", OutputBounds(-1.2, 1.2)}),
                     WaveOptions(1)),
                 InvalidInput);
  };
  expect_refusal(100, Vector{{-4}}, Vector{{-4}});
  expect_refusal(0, Vector{{-4}}, Vector{{4}});
  expect_refusal(100, Vector::Zero(9), Vector::Ones(9));
  OptimalOptions options = WaveOptions(1);
  options.cells = {3, 3};
  EXPECT_THROW(RowsOptimalPlan(WaveSetting(100), options), InvalidInput);
  const RowsOptimalPlan plan(WaveSetting(100), WaveOptions(1));
  Randomness random = RandomnessForTesting::Seeded(1);
  EXPECT_THROW(plan.Execute(RowWaves(99, 1).Private(), random), InvalidInput);
  EXPECT_THROW(plan.Execute(Secret<Vector>(Vector::Zero(100)), random),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
