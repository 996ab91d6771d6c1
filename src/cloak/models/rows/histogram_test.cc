#include "cloak/models/rows/histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "cloak/base/error.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/release/file_format.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

HistogramAxis Sex() {
  HistogramAxis axis{"sex"};
  axis.categories = {"F", "M", "other"};
  return axis;
}

// 60 rows: ages 0 to 59, sexes in turn.
PrivateRows AgesAndSexes() {
  Vector ages(60);
  Vector sexes(60);
  for (Index i = 0; i < 60; ++i) {
    ages(i) = static_cast<double>(i);
    sexes(i) = static_cast<double>(i % 2);
  }
  return PrivateRows({Secret<Vector>(ages), Secret<Vector>(sexes)});
}

HistogramTask TaskOfHistogram(const CountBudget& budget) {
  return {.budget = budget, .axes = {EqualBins("age", 0, 60, 6), Sex()}};
}

std::unique_ptr<Plan> PlanOfHistogram(const HistogramTask& task,
                                      Index rows = 60) {
  return MakePlan(HiddenSetting(rows, {}, {}, {}, std::monostate()), task);
}

TEST(HistogramTest, WithNearlyNoNoiseTheCountsAreTheTrueOnes) {
  Randomness random = RandomnessForTesting::Seeded(1);
  const Release release = PlanOfHistogram(TaskOfHistogram({200, 0}))
                              ->Execute(AgesAndSexes(), random);
  const Histogram& histogram = *release.content().histogram;
  ASSERT_EQ(histogram.count.size(), 18);
  for (Index age = 0; age < 6; ++age) {
    EXPECT_NEAR(histogram.count(3 * age), 5, 1e-3);
    EXPECT_NEAR(histogram.count(3 * age + 1), 5, 1e-3);
    EXPECT_NEAR(histogram.count(3 * age + 2), 0, 1e-3);
  }
  const CountPredictions told =
      release.PredictCounts(Matrix{{-1e9, 0}, {31, 1}, {1e9, 2}});
  EXPECT_NEAR(told.count(1), 5, 1e-3);
  EXPECT_NEAR(told.fraction(1), 5 / 60.0, 1e-3);
  EXPECT_NEAR(told.count(2), 0, 1e-3);
  EXPECT_THROW(release.Predict(Matrix{{1, 1}}, {}, Threads(1)), InvalidInput);
  EXPECT_THROW(release.PredictCounts(Matrix{{1}}), InvalidInput);
  EXPECT_THROW(release.PredictCounts(Matrix{{NAN, 1}}), InvalidInput);
}

TEST(HistogramTest, TheFileReadsBackAsTheSameRelease) {
  Randomness random = RandomnessForTesting::Seeded(2);
  const Release release =
      PlanOfHistogram(TaskOfHistogram({1, 0}))->Execute(AgesAndSexes(), random);
  const std::string json = ReleaseToJson(release);
  const Release read = ReleaseFromJson(json, "test");
  EXPECT_EQ(ReleaseToJson(read), json);
  EXPECT_EQ(read.content().histogram->axes[1].categories,
            (std::vector<std::string>{"F", "M", "other"}));
  EXPECT_EQ(read.content().histogram->count,
            release.content().histogram->count);
  EXPECT_NE(read.PrivacyInWords().find("how 'age', 'sex' are spread"),
            std::string::npos);
}

// The closed forms: 8/ε² (and a little less, being discrete) for Laplace.
TEST(HistogramTest, TheNoiseIsTheSmallerOfTwoByThePublicBudgetAlone) {
  const CountRelease laplace(TaskOfHistogram({}).axes, 60, {0.4, 1e-5});
  EXPECT_NEAR(laplace.noise_sd(), std::sqrt(8) / 0.4, 0.05);
  EXPECT_EQ(laplace.Statement().delta, 0);
  EXPECT_EQ(laplace.Statement().sensitivity, 2);
  EXPECT_LE(std::get<PureEvent>(laplace.event()).epsilon(), 0.4);
  const CountRelease gaussian(TaskOfHistogram({}).axes, 60, {0.1, 0.05});
  EXPECT_LT(gaussian.noise_sd(), std::sqrt(8) / 0.1);
  EXPECT_EQ(gaussian.Statement().delta, 0.05);
  // The exact calibration needs this, and no more.
  const double needed = std::sqrt(2) * GaussianSigma(Budget(0.1, 0.05));
  EXPECT_NEAR(gaussian.noise_sd() / needed, 1, 1e-5);
  EXPECT_LE(std::get<GaussianEvent>(gaussian.event()).mu(),
            GaussianMu(Budget(0.1, 0.05)));
  const CountRelease asked(TaskOfHistogram({}).axes, 60,
                           {.epsilon = 0.4, .delta = 1e-5, .gaussian = true});
  EXPECT_GT(asked.noise_sd(), laplace.noise_sd());
  EXPECT_TRUE(std::holds_alternative<GaussianEvent>(asked.event()));
  EXPECT_EQ(
      CountRelease(TaskOfHistogram({}).axes, 60, {0.1, 0}).Statement().delta,
      0);
}

void ExpectNeighboursAreNear(const CountBudget& budget) {
  const CountRelease counts({EqualBins("age", 0, 60, 6), Sex()}, 60, budget);
  const auto released = [&](double age, double sex) {
    Vector ages = Vector::LinSpaced(60, 0, 59);
    Vector sexes = Vector::Zero(60);
    ages(17) = age;
    sexes(17) = sex;
    Randomness random = RandomnessForTesting::Seeded(5);
    const CountRelease::Published published =
        counts.Release({Secret<Vector>(ages), Secret<Vector>(sexes)}, random);
    const Vector& bins = published.bins.counts;
    Vector all(bins.size() + 1);
    all << bins,
        published.missing.step * std::stod(published.missing.integers[0]);
    return all;
  };
  const Vector before = released(17, 0);
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double age :
       {double{NAN}, infinite, -infinite, 1e308, -5.0, 60.0, 30.0}) {
    for (const double sex :
         {0.0, 2.0, double{NAN}, infinite, -infinite, 1e300}) {
      const Vector moved = released(age, sex) - before;
      EXPECT_NEAR(std::max(2.0, moved.lpNorm<1>()), 2, 1e-6)
          << age << " " << sex;
      EXPECT_NEAR(moved.sum(), 0, 1e-6) << age << " " << sex;
      const bool missing = std::isnan(age) || std::isnan(sex);
      EXPECT_NEAR(moved(moved.size() - 1), missing ? 1 : 0, 1e-6);
    }
  }
}

// With the same noise, neighbours differ by 1 in two counts at most, whatever
// the row that is substituted holds.
TEST(HistogramTest, NeighboursDifferByOneInTwoCounts) {
  for (const bool gaussian : {false, true}) {
    ExpectNeighboursAreNear({1, gaussian ? 0.01 : 0, gaussian});
  }
}
struct TrueBins {
  std::string name;
  Vector weights;
};

std::vector<TrueBins> Truths() {
  constexpr Index kBins = 30;
  std::vector<TrueBins> truths = {{"smooth", Vector(kBins)},
                                  {"rough", Vector(kBins)},
                                  {"spikes", Vector(kBins)}};
  std::mt19937 generator(4);
  std::gamma_distribution<double> gamma(0.5);
  for (Index c = 0; c < kBins; ++c) {
    const double z = (static_cast<double>(c) - 12) / 5;
    truths[0].weights(c) = std::exp(-0.5 * z * z);
    truths[1].weights(c) = gamma(generator);
    truths[2].weights(c) = c % 10 == 3 ? 1 : 0;
  }
  return truths;
}

// 500 rows are released 8 times with sd 5.6.
TEST(HistogramTest, IntervalsHoldTheTruthAndTheErrorIsNotMuchAboveTheNoise) {
  const std::vector<HistogramAxis> axes = {EqualBins("x", 0, 1, 30)};
  for (const TrueBins& truth : Truths()) {
    std::mt19937 generator(7);
    std::discrete_distribution<Index> draw(truth.weights.begin(),
                                           truth.weights.end());
    const CountRelease counts(axes, 500, {0.5, 0});
    Randomness random = RandomnessForTesting::Seeded(9);
    double error = 0;
    double raw = 0;
    double covered = 0;
    constexpr int kReleases = 8;
    for (int i = 0; i < kReleases; ++i) {
      Vector n = Vector::Zero(30);
      Vector x(500);
      for (double& value : x) {
        const Index bin = draw(generator);
        n(bin) += 1;
        value = (static_cast<double>(bin) + 0.5) / 30;
      }
      const NoisyBins noisy = counts.Release({Secret<Vector>(x)}, random).bins;
      const Histogram told = InferHistogram(axes, noisy, Threads(1));
      EXPECT_NEAR(told.count.sum(), 500, 1e-6);
      EXPECT_GE(told.count.minCoeff(), 0);
      error += (told.count - n).squaredNorm() / (30.0 * kReleases);
      raw += (noisy.counts - n).squaredNorm() / (30.0 * kReleases);
      for (Index c = 0; c < 30; ++c) {
        // Counts are whole.
        const bool inside = n(c) >= std::floor(told.lower(c)) &&
                            n(c) <= std::ceil(told.upper(c));
        covered += inside ? 1 / (30.0 * kReleases) : 0;
      }
    }
    EXPECT_GT(covered, 0.92) << truth.name;
    EXPECT_LT(error, (truth.name == "smooth" ? 0.6 : 1.0) * raw) << truth.name;
  }
}

// However large the noise is.
TEST(HistogramTest, IntervalsStayWithinZeroAndTheNumberOfRows) {
  for (const double epsilon : {1.0, 1e-3, 1e-9}) {
    Randomness random = RandomnessForTesting::Seeded(3);
    const Release release = PlanOfHistogram(TaskOfHistogram({epsilon, 0}))
                                ->Execute(AgesAndSexes(), random);
    const Histogram& told = *release.content().histogram;
    EXPECT_GE(told.lower.minCoeff(), 0);
    EXPECT_LE(told.upper.maxCoeff(), 60 * (1 + 1e-12)) << epsilon;
  }
}

TEST(HistogramTest, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(PlanOfHistogram(TaskOfHistogram({1, 0}), /*rows=*/0),
               InvalidInput);
  HistogramTask task = TaskOfHistogram({0, 0});
  EXPECT_THROW(PlanOfHistogram(task), InvalidInput);
  task = TaskOfHistogram({1, 1});
  EXPECT_THROW(PlanOfHistogram(task), InvalidInput);
  task = TaskOfHistogram({1, 0});
  task.axes[1].name = "age";
  EXPECT_THROW(PlanOfHistogram(task), InvalidInput);
  task = TaskOfHistogram({1, 0});
  task.axes[0].edges[2] = task.axes[0].edges[1];
  EXPECT_THROW(PlanOfHistogram(task), InvalidInput);
  task = TaskOfHistogram({1, 0});
  task.axes.resize(4, Sex());
  EXPECT_THROW(PlanOfHistogram(task), InvalidInput);
  EXPECT_THROW(EqualBins("x", 1, 1, 3), InvalidInput);
  EXPECT_THROW(EqualBins("x", 0, NAN, 3), InvalidInput);
  EXPECT_THROW(EqualBins("x", 0, 1, 0), InvalidInput);
  task = TaskOfHistogram({1, 0});
  task.axes = {EqualBins("x", 0, 1, 200), EqualBins("y", 0, 1, 200)};
  EXPECT_THROW(PlanOfHistogram(task), InvalidInput);
  Randomness random = RandomnessForTesting::Seeded(1);
  const auto plan = PlanOfHistogram(TaskOfHistogram({1, 0}));
  EXPECT_THROW(
      plan->Execute(PrivateRows(std::vector{Secret<Vector>(Vector::Zero(60))}),
                    random),
      InvalidInput);
}

// A stranger may write any of these.
TEST(HistogramTest, AFileWithAnImpossibleHistogramIsRefused) {
  Randomness random = RandomnessForTesting::Seeded(2);
  const ReleaseContent good = PlanOfHistogram(TaskOfHistogram({1, 0}))
                                  ->Execute(AgesAndSexes(), random)
                                  .content();
  const auto refused = [&](const auto& spoil) {
    ReleaseContent content = good;
    spoil(content);
    EXPECT_THROW(Release{content}, InvalidInput);
  };
  refused([](ReleaseContent& c) { c.histogram->count(0) = NAN; });
  refused([](ReleaseContent& c) { c.histogram->count(0) += 1; });
  refused([](ReleaseContent& c) { c.histogram->count(0) = -1; });
  refused([](ReleaseContent& c) { c.histogram->sd.resize(3); });
  refused([](ReleaseContent& c) { c.histogram->lower(2) = 1e9; });
  refused([](ReleaseContent& c) { c.histogram->axes.pop_back(); });
  refused([](ReleaseContent& c) { c.histogram->axes[0].edges[1] = 1e9; });
  refused([](ReleaseContent& c) { c.histogram->axes[0].edges.clear(); });
  refused([](ReleaseContent& c) { c.histogram->axes[1].categories[0] = "M"; });
  refused([](ReleaseContent& c) { c.histogram->axes[1].edges = {0, 1}; });
  refused([](ReleaseContent& c) { c.histogram.reset(); });
  refused([](ReleaseContent& c) { c.task = TaskKind::kRegression; });
  refused([](ReleaseContent& c) { c.task = TaskKind::kDensity; });
  refused([](ReleaseContent& c) { c.link = DensityLink::kLog; });
  refused([](ReleaseContent& c) { c.inputs[0].upper = 61; });
}

}  // namespace
}  // namespace cloak
