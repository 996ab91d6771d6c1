#include "cloak/models/outputs/adaptive_optimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/outputs/optimal.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/release/file_format.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

double Curve(double x) { return 130 + 30 * std::sin(x); }

Matrix RoundInputs(Index rows) { return Vector::LinSpaced(rows, 0, 7); }

Vector RoundOutputs(Index rows, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 4);
  const Matrix X = RoundInputs(rows);
  Vector y(rows);
  for (Index i = 0; i < rows; ++i) y(i) = Curve(X(i, 0)) + noise(random);
  return y;
}

SharedSetting CurveSetting(Index rows, std::optional<double> prior_mean = {},
                           std::optional<Vector> noise_variances = {}) {
  return std::make_shared<const Setting>(
      Setting{.input_names = {"x"},
              .inputs = PublicInputs{.X = RoundInputs(rows),
                                     .noise_variances = noise_variances},
              .output = NumberOutput{"y", OutputBounds(60, 210), prior_mean}});
}

OptimalOptions LearnedRounds() { return {.budget = Budget(1, 1e-3)}; }

OptimalOptions GivenRounds() {
  OptimalOptions options = LearnedRounds();
  options.kernel =
      Kernel::Parse("bias(1000) + eq(variance=900, lengthscale=1.5)");
  options.noise_variance = 16;
  return options;
}

// A model with a basis, and rounds on it, for as long as this lives.
struct Rounds {
  explicit Rounds(const SharedSetting& s, const OptimalOptions& options)
      : setting(*s),
        units(s->UnitsOrRows()),
        one(s, options),
        rounds(setting, units, one.model()) {}

  Setting setting;
  PrivacyUnits units;
  OptimalPlan one;
  WindowedStatistics rounds;
};

// Returns the next statistic after rounds that found each output up to `sd`.
WindowedStatistic NarrowRound(const Rounds& all, double sd) {
  const OptimalModel& model = all.one.model();
  const Hyperparameters theta = model.prior().Nodes().front().value;
  const Index rows = all.setting.rows();
  const OutputStatistic statistic{Matrix::Identity(rows, rows), sd,
                                  Vector::Zero(rows)};
  return all.rounds.Next(0.6, Believe(model, theta, statistic));
}

TEST(SharedBudgetTest, HoldsTheSharesAndNoMore) {
  for (const Budget& budget :
       {Budget(1, 1e-3), Budget(0.1, 1e-9), Budget(20, 0.1)}) {
    SharedBudget spending(budget);
    for (const double share : kBudgetShares) {
      for (const double part : {0.9 * share, 0.1 * share}) {
        EXPECT_GE(spending.Sigma(part) * std::sqrt(part),
                  GaussianSigma(budget));
        spending.Spend(1 / spending.Sigma(part));
      }
    }
    EXPECT_THROW(spending.Spend(1e-3 * GaussianMu(budget)), PrivacyFailure);
    EXPECT_THROW(spending.Sigma(0), PrivacyFailure);
    EXPECT_THROW(spending.Sigma(1.1), PrivacyFailure);
  }
}

TEST(NoiseEstimateTest, IsWhatPreciseSquaresLeave) {
  const HyperPrior prior(RoundInputs(20), 100, {}, {});
  // 3 σ² = 450 − 0, σ² = 150.
  EXPECT_NEAR(EstimateNoise(prior, {{450, 1, 3, 0}}), 150, 2);
  // Squares that say nothing leave the prior, log-normal around (d/15)² with
  // 1.4 for the standard deviation of the logarithm: its mean.
  EXPECT_NEAR(EstimateNoise(prior, {{450, 1e9, 3, 0}}),
              100 * 100 / 225.0 * std::exp(1.4 * 1.4 / 2), 1);
}

// Frozen noise: what is left of a difference is what one output did to it.
TEST(WindowedStatisticTest, OneOutputMovesWhatIsPublishedByNoMoreThanDeclared) {
  constexpr Index kRows = 30;
  OptimalOptions options = GivenRounds();
  options.noise_variance.reset();
  const Rounds all(CurveSetting(kRows), options);
  const WindowedStatistic round = NarrowRound(all, 3);
  ASSERT_LT(round.half_width.maxCoeff(), 70);
  ASSERT_TRUE(round.mechanism.with_squares());
  const Vector y = RoundOutputs(kRows, 1);
  const Vector centre =
      all.rounds.Centres(round, Vector(y.array() - all.setting.PriorMean()));
  const auto publish = [&](const Vector& outputs) {
    Randomness random = RandomnessForTesting::Seeded(4);
    return all.rounds.Publish(round, centre, Secret<Vector>(outputs), random);
  };
  const auto distance = [](const PublishedStatistic& a,
                           const PublishedStatistic& b) {
    const auto squared = [](Int128 change) {
      return static_cast<Uint128>(change * change);
    };
    Uint128 moved = squared(a.noisy.squares_integer - b.noisy.squares_integer);
    for (size_t k = 0; k < a.noisy.integers.size(); ++k) {
      moved += squared(a.noisy.integers[k] - b.noisy.integers[k]);
    }
    return moved;
  };
  Uint128 most = 0;
  for (const Index i : {Index{0}, Index{11}, kRows - 1}) {
    for (const double from : {-HUGE_VAL, 60.0, centre(i), 1e300}) {
      for (const double to : {HUGE_VAL, 210.0, centre(i) + 1, double{NAN}}) {
        Vector one = y;
        Vector other = y;
        one(i) = from;
        other(i) = to;
        const Uint128 moved = distance(publish(one), publish(other));
        EXPECT_LE(moved, round.mechanism.noise().sensitivity_squared());
        most = std::max(most, moved);
      }
    }
  }
  // The window is used up, or this would show nothing.
  EXPECT_GT(
      static_cast<double>(most),
      0.5 * static_cast<double>(round.mechanism.noise().sensitivity_squared()));
}

// The same of all outputs of a person at once, in every direction.
TEST(WindowedStatisticTest, OneUnitMovesWhatIsPublishedByNoMoreThanDeclared) {
  constexpr Index kRows = 30;
  Setting setting = *CurveSetting(kRows);
  std::vector<std::string> persons;
  for (Index i = 0; i < kRows; ++i) persons.push_back(Text("p", i * i % 7));
  auto& inputs = std::get<PublicInputs>(setting.inputs);
  inputs.units = PrivacyUnits::FromLabels(persons, "person");
  inputs.unit_name = "person";
  OptimalOptions options = GivenRounds();
  options.noise_variance.reset();
  const Rounds all(std::make_shared<const Setting>(setting), options);
  const WindowedStatistic round = NarrowRound(all, 3);
  ASSERT_LT(round.half_width.maxCoeff(), 70);
  ASSERT_TRUE(round.mechanism.with_squares());
  const Vector y = RoundOutputs(kRows, 1);
  const Vector centre =
      all.rounds.Centres(round, Vector(y.array() - all.setting.PriorMean()));
  const auto publish = [&](const Vector& outputs) {
    Randomness random = RandomnessForTesting::Seeded(4);
    return all.rounds.Publish(round, centre, Secret<Vector>(outputs), random)
        .noisy;
  };
  const double allowed =
      static_cast<double>(round.mechanism.noise().sensitivity_squared());
  std::mt19937_64 random(5);
  double most = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Vector one = y;
    Vector other = y;
    for (const Index i : all.units.Rows(trial % all.units.count())) {
      const double values[] = {-HUGE_VAL, 60, centre(i), 1e300, double{NAN}};
      one(i) = values[random() % 5];
      other(i) = values[random() % 5];
    }
    const NoisyStatistic a = publish(one);
    const NoisyStatistic b = publish(other);
    double moved =
        std::pow(static_cast<double>(a.squares_integer - b.squares_integer), 2);
    for (size_t k = 0; k < a.integers.size(); ++k) {
      moved += std::pow(static_cast<double>(a.integers[k] - b.integers[k]), 2);
    }
    EXPECT_LE(moved, allowed * (1 + 1e-12));
    most = std::max(most, moved);
  }
  // Windows are used up, or this would show nothing.
  EXPECT_GT(most, 0.3 * allowed);
}

// Wherever windows are, the statistic is R (y − prior mean) and noise of
// variance 1, as long as nothing is clipped.
TEST(WindowedStatisticTest, WhereWindowsAreLeavesNoTraceInTheStatistic) {
  constexpr Index kRows = 40;
  const Rounds all(CurveSetting(kRows, 120), GivenRounds());
  const WindowedStatistic round = NarrowRound(all, 3);
  const Vector y = RoundOutputs(kRows, 2);
  const auto noise = [&](double shift) {
    Randomness random = RandomnessForTesting::Seeded(4);
    const Vector centre =
        all.rounds.Centres(round, Vector(y.array() - 120 + shift));
    OutputStatistic statistic;
    const PublishedStatistic published =
        all.rounds.Publish(round, centre, Secret<Vector>(y), random);
    AppendRound(all.one.model(), 120, all.setting.bounds().width(),
                all.rounds.Read(round, published), /*share=*/1, {}, statistic);
    EXPECT_EQ(statistic.s, 1);
    return Vector(statistic.w - statistic.R * (y.array() - 120).matrix());
  };
  EXPECT_LT((noise(0) - noise(5)).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT((noise(0) - noise(-7)).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_GT(noise(0).norm(), 0.1);
}

struct RoundScore {
  double rmse = 0;
  double covered = 0;
};

RoundScore ScoreOfRounds(const Plan& plan, Index rows, int draws) {
  const Matrix Xs = Vector::LinSpaced(50, 0.2, 6.8);
  double squared = 0;
  double covered = 0;
  for (int draw = 0; draw < draws; ++draw) {
    Randomness random =
        RandomnessForTesting::Seeded(static_cast<uint64_t>(draw));
    const Predictions predicted =
        plan.Execute(
                Secret<Vector>(RoundOutputs(rows, static_cast<unsigned>(draw))),
                random)
            .Predict(Xs, {.latent = true}, Threads(1));
    for (Index i = 0; i < Xs.rows(); ++i) {
      const double truth = Curve(Xs(i, 0));
      squared += std::pow(predicted.mean(i) - truth, 2);
      covered +=
          truth >= predicted.lower(i) && truth <= predicted.upper(i) ? 1 : 0;
    }
  }
  const double count = static_cast<double>(Xs.rows()) * draws;
  return {std::sqrt(squared / count), covered / count};
}

TEST(AdaptiveOptimalTest, RoundsLeaveLessErrorThanOneReleaseAndKnowHowMuch) {
  constexpr Index kRows = 400;
  for (const OptimalOptions& options : {GivenRounds(), LearnedRounds()}) {
    const OptimalPlan one(CurveSetting(kRows), options);
    const std::unique_ptr<Plan> best =
        PlanBestOptimal(CurveSetting(kRows), options);
    ASSERT_EQ(best->summary().rounds, std::ssize(kBudgetShares));
    EXPECT_LT(best->summary().expected_sd, one.summary().expected_sd);
    const RoundScore rounds = ScoreOfRounds(*best, kRows, 15);
    EXPECT_LT(rounds.rmse, 0.8 * ScoreOfRounds(one, kRows, 15).rmse);
    EXPECT_GT(rounds.covered, 0.88);
  }
}

TEST(AdaptiveOptimalTest, OneReleaseIsKeptWhereRoundsWouldNotPay) {
  // The first round of very few rows tells nothing.
  OptimalOptions little = GivenRounds();
  little.budget = Budget(0.1, 1e-3);
  const std::unique_ptr<Plan> few = PlanBestOptimal(CurveSetting(4), little);
  EXPECT_EQ(few->summary().rounds, 1);
  OptimalOptions trace = GivenRounds();
  trace.design = OptimalOptions::kTrace;
  EXPECT_EQ(PlanBestOptimal(CurveSetting(200), trace)->summary().rounds, 1);
}

// A column for each row leaves hardly less error than one for each site.
TEST(AdaptiveOptimalTest, SitesCostLittle) {
  constexpr Index kRows = 3000;
  Matrix X(kRows, 2);
  for (Index i = 0; i < kRows; ++i) {  // spread evenly
    X(i, 0) = std::fmod(0.754877666 * static_cast<double>(i), 1.0);
    X(i, 1) = std::fmod(0.569840291 * static_cast<double>(i), 1.0);
  }
  const auto setting = std::make_shared<const Setting>(
      Setting{.input_names = {"x", "y"},
              .inputs = PublicInputs{.X = X},
              .output = NumberOutput{"z", OutputBounds(-2, 3), {}}});
  const auto expected = [&](const SiteOptions& sites) {
    OptimalOptions options{.budget = Budget(1, 1e-6)};
    options.sites = sites;
    const OptimalPlan one(setting, options, DesignPrecision::kRough);
    return AdaptiveOptimalPlan(setting, one.model()).summary().expected_sd;
  };
  EXPECT_LT(expected({}),
            1.01 * expected({.most_points = kRows, .most_sites = kRows}));
}

// Persons of three rows each, of which there are too many to design for each.
TEST(AdaptiveOptimalTest, VeryManyRowsOfPersonsAreGatheredAndHiddenTogether) {
  constexpr Index kPersons = 7000;
  Matrix X(3 * kPersons, 1);
  Vector y(3 * kPersons);
  std::vector<Index> person;
  for (Index i = 0; i < X.rows(); ++i) {
    person.push_back(i % kPersons);
    X(i, 0) = 7 * static_cast<double>((i * 7919) % X.rows()) /
              static_cast<double>(X.rows());
    y(i) = Curve(X(i, 0));
  }
  const auto setting = [&](bool persons) {
    PublicInputs inputs{.X = X};
    if (persons) {
      inputs.units = PrivacyUnits::FromNumbers(person);
      inputs.unit_name = "person";
    }
    return std::make_shared<const Setting>(
        Setting{.input_names = {"x"},
                .inputs = std::move(inputs),
                .output = NumberOutput{"y", OutputBounds(60, 210), {}}});
  };
  const auto of_rows = PlanBestOptimal(setting(false), LearnedRounds());
  const auto of_persons = PlanBestOptimal(setting(true), LearnedRounds());
  // A person moves a statistic by more than a row does, by three times at most.
  const double row = of_rows->summary().privacy.sensitivity;
  const double moved = of_persons->summary().privacy.sensitivity;
  EXPECT_GT(moved, 1.2 * row);
  EXPECT_LT(moved, 3.01 * row);
  EXPECT_GT(of_persons->summary().expected_sd, of_rows->summary().expected_sd);
  // Ten rows may be those of one person.
  EXPECT_EQ(of_persons->summary().sites, 0);
  Randomness randomness = RandomnessForTesting::Seeded(5);
  const Release release = of_persons->Execute(Secret<Vector>(y), randomness);
  const Matrix at = Vector::LinSpaced(20, 0.5, 6.5);
  const Predictions found = release.Predict(at, {.latent = true}, Threads(1));
  for (Index i = 0; i < at.rows(); ++i) {
    EXPECT_NEAR(found.mean(i), Curve(at(i, 0)), 5 * found.sd(i));
    EXPECT_LT(found.sd(i), 2);
  }
}

TEST(AdaptiveOptimalTest, TakesAnyOutputsAndCostsItsBudget) {
  constexpr Index kRows = 60;
  const SharedSetting setting = CurveSetting(kRows);
  const OptimalPlan one(setting, LearnedRounds());
  const AdaptiveOptimalPlan plan(setting, one.model());
  EXPECT_LE(std::get<GaussianEvent>(plan.event()).mu(),
            GaussianMu(LearnedRounds().budget));
  const Vector hostile{{NAN, HUGE_VAL, -HUGE_VAL, 1e308, -0.0, 1e-310}};
  Vector y(kRows);
  for (Index i = 0; i < kRows; ++i) y(i) = hostile(i % 6);
  for (const Vector& outputs : {y, Vector(Vector::Constant(kRows, NAN)),
                                Vector(Vector::Constant(kRows, 1e9))}) {
    Randomness random = RandomnessForTesting::Seeded(1);
    const Release release = plan.Execute(Secret<Vector>(outputs), random);
    // Each round tells how many outputs there are, squares and sums.
    EXPECT_EQ(release.content().earlier_statistics.size(),
              3 * std::size(kBudgetShares) - 1);
    const Release back = ReleaseFromJson(ReleaseToJson(release), "test");
    EXPECT_TRUE(back.Predict(setting->X(), {}, Threads(1)).upper.allFinite());
  }
  Randomness random = RandomnessForTesting::Seeded(1);
  EXPECT_THROW(plan.Execute(Secret<Vector>(Vector::Zero(59)), random),
               InvalidInput);
}

TEST(AdaptiveOptimalTest, NoiseOfRowsIsTakenAsGiven) {
  constexpr Index kRows = 80;
  const SharedSetting setting =
      CurveSetting(kRows, {}, Vector(Vector::LinSpaced(kRows, 4, 64)));
  const OptimalPlan one(setting, GivenRounds());
  const AdaptiveOptimalPlan plan(setting, one.model());
  Randomness random = RandomnessForTesting::Seeded(1);
  const Release release =
      plan.Execute(Secret<Vector>(RoundOutputs(kRows, 1)), random);
  EXPECT_EQ(release.content().earlier_statistics.size(),
            2 * std::size(kBudgetShares) - 1);
  EXPECT_EQ(release.content().posteriors.front().noise_variance, 16);
  // The release says of itself what was expected.
  const Vector sd =
      release.Predict(RoundInputs(kRows), {.latent = true}, Threads(1)).sd;
  EXPECT_NEAR(std::sqrt(sd.cwiseAbs2().mean()) / plan.summary().expected_sd, 1,
              1e-4);
}

}  // namespace
}  // namespace cloak
