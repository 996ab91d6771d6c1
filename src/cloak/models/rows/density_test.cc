#include "cloak/models/rows/density.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/rows/functional_density.h"
#include "cloak/release/file_format.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

// N(2, 1.3), as in the experiments of Dandekar et al. 2019, over −3 to 7.
double TrueDensity(double x) {
  return std::exp(-0.5 * (x - 2) * (x - 2) / 1.3) /
         std::sqrt(2 * std::numbers::pi * 1.3);
}

SharedSetting SettingOfDensity(Index inputs, Index rows, double upper = 7) {
  std::vector<std::string> names;
  for (Index j = 0; j < inputs; ++j) names.push_back(Text("x", j));
  return HiddenSetting(rows, Vector::Constant(inputs, -3),
                       Vector::Constant(inputs, upper), names, std::monostate(),
                       Threads(1));
}

constexpr CountBudget kDensityBudget = {0.4, 0.001};
const Density kOptimalDensity = {.budget = kDensityBudget};
const Density kFunctionalDensity = {.budget = kDensityBudget,
                                    .method = Density::kFunctional};

// Plans a density of so many inputs and rows.
std::unique_ptr<Plan> PlanOfDensity(const Density& task, Index inputs,
                                    Index rows) {
  return MakePlan(SettingOfDensity(inputs, rows), task);
}

std::vector<Secret<Vector>> NormalRows(Index inputs, Index rows, int seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(2, std::sqrt(1.3));
  std::vector<Secret<Vector>> columns;
  for (Index j = 0; j < inputs; ++j) {
    columns.emplace_back(
        Vector(Vector::NullaryExpr(rows, [&] { return normal(generator); })));
  }
  return columns;
}

Release ReleaseOfDensity(const Density& task, Index inputs, Index rows,
                         int seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  return PlanOfDensity(task, inputs, rows)
      ->Execute(PrivateRows(NormalRows(inputs, rows, seed)), random);
}

// By another rule than the release uses for itself: Simpson's, elsewhere.
double IntegralOf(const Release& release) {
  constexpr Index kPoints = 2001;
  const Vector x = Vector::LinSpaced(kPoints, -3, 7);
  const Vector density = release.PredictDensity(x, 0.95, Threads(1)).density;
  double sum = 0;
  for (Index i = 0; i < kPoints; ++i) {
    const double weight = i == 0 || i == kPoints - 1 ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * density(i);
  }
  return sum * (10.0 / (kPoints - 1)) / 3;
}

// Kullback and Leibler's, of the truth from what is told.
double Divergence(const Release& release) {
  const Vector x = Vector::LinSpaced(1000, -2.995, 6.995);
  const Vector density = release.PredictDensity(x, 0.95, Threads(1)).density;
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) {
    sum += TrueDensity(x(i)) *
           std::log(TrueDensity(x(i)) / std::max(density(i), 1e-4));
  }
  return sum * 0.01;
}

TEST(DensityTest, IntegratesToOneIsPositiveInsideAndZeroOutside) {
  for (const bool functional : {false, true}) {
    const Release release = ReleaseOfDensity(
        functional ? kFunctionalDensity : kOptimalDensity, 1, 2000, 3);
    EXPECT_NEAR(IntegralOf(release), 1, 1e-3) << functional;
    const Vector x = Vector::LinSpaced(101, -3, 7);
    const DensityPredictions told = release.PredictDensity(x, 0.95, Threads(1));
    EXPECT_GE(told.density.minCoeff(), 0);
    EXPECT_TRUE((told.lower.array() <= told.density.array()).all());
    EXPECT_TRUE((told.density.array() <= told.upper.array()).all());
    EXPECT_EQ(release.PredictDensity(Vector{{-3.01, 7.01}}, 0.95, Threads(1))
                  .upper.maxCoeff(),
              0);
    const std::string json = ReleaseToJson(release);
    EXPECT_EQ(ReleaseToJson(ReleaseFromJson(json, "test")), json);
  }
}

// Our own estimate beats the functional one; both are far below the divergence
// of the even density, 0.75.
TEST(DensityTest, IsNearTheTruth) {
  double optimal = 0;
  double functional = 0;
  for (int seed = 0; seed < 3; ++seed) {
    optimal += Divergence(ReleaseOfDensity(kOptimalDensity, 1, 5000, seed)) / 3;
    functional +=
        Divergence(ReleaseOfDensity(kFunctionalDensity, 1, 5000, seed)) / 3;
  }
  EXPECT_LT(optimal, 0.006);
  EXPECT_LT(functional, 0.04);
  EXPECT_LT(optimal, functional);
}

TEST(DensityTest, IntervalsHoldTheTruth) {
  const Vector x = Vector::LinSpaced(31, -0.5, 4.5);
  double covered = 0;
  constexpr int kReleases = 8;
  for (int seed = 0; seed < kReleases; ++seed) {
    const DensityPredictions told =
        ReleaseOfDensity(kOptimalDensity, 1, 1000, seed)
            .PredictDensity(x, 0.95, Threads(1));
    for (Index i = 0; i < x.size(); ++i) {
      const double truth = TrueDensity(x(i));
      const bool inside = told.lower(i) <= truth && truth <= told.upper(i);
      covered += inside ? 1.0 / static_cast<double>(kReleases * x.size()) : 0;
    }
  }
  EXPECT_GT(covered, 0.85);
}

TEST(DensityTest, OfTwoAndThreeInputsIntegratesToOneToo) {
  for (const Index inputs : {2, 3}) {
    const Release release = ReleaseOfDensity(kOptimalDensity, inputs, 600, 1);
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(-3, 7);
    const Matrix X = Matrix::NullaryExpr(
        5000, inputs, [&](Index, Index) { return uniform(generator); });
    const Vector density = release.PredictDensity(X, 0.9, Threads(1)).density;
    EXPECT_NEAR(density.mean() * std::pow(10, inputs), 1, 0.2) << inputs;
    const double peak =
        release.PredictDensity(Matrix::Constant(1, inputs, 2), 0.9, Threads(1))
            .density(0);
    EXPECT_NEAR(peak / std::pow(TrueDensity(2), inputs), 1, 0.5) << inputs;
  }
}

// |φ(x) − φ(x')|² <= 2 − 2 k(x, x'), and far apart nearly reached.
TEST(DensityTest, TheFunctionMovesByTheRootOfTwoAtMost) {
  for (const Index inputs : {1, 2}) {
    Density task = kFunctionalDensity;
    task.bandwidth = Vector::Constant(inputs, 1.2);
    const FunctionalDensityPlan plan(SettingOfDensity(inputs, 100), task);
    EXPECT_LE(plan.privacy().sensitivity, std::sqrt(2) * (1 + 1e-6));
    EXPECT_GT(plan.privacy().sensitivity, 1.3);
  }
}

TEST(DensityTest, HostileRowsAreCountedAtTheEdges) {
  const double infinite = std::numeric_limits<double>::infinity();
  const Vector x{{NAN, infinite, -infinite, 1e308, 2, 2, 2, 2}};
  for (const bool functional : {false, true}) {
    Randomness random = RandomnessForTesting::Seeded(3);
    const PrivateRows rows(std::vector{Secret<Vector>(x)});
    const Release release =
        PlanOfDensity(functional ? kFunctionalDensity : kOptimalDensity, 1, 8)
            ->Execute(rows, random);
    EXPECT_NEAR(IntegralOf(release), 1, 1e-2) << functional;
  }
}

TEST(DensityTest, WhatDoesNotFitIsRefused) {
  for (const auto& [inputs, rows] :
       {std::pair(4, 10), std::pair(0, 10), std::pair(1, 0)}) {
    EXPECT_THROW(DensityPlan(SettingOfDensity(inputs, rows), kOptimalDensity),
                 InvalidInput);
  }
  SharedSetting setting = SettingOfDensity(1, 10, /*upper=*/-3);
  EXPECT_THROW(DensityPlan(setting, kOptimalDensity), InvalidInput);
  EXPECT_THROW(FunctionalDensityPlan(setting, kFunctionalDensity),
               InvalidInput);
  setting = SettingOfDensity(1, 10);
  Density cells = kOptimalDensity;
  cells.cells = {3, 4};
  EXPECT_THROW(DensityPlan(setting, cells), InvalidInput);
  Density functional = kFunctionalDensity;
  for (const double bandwidth : {0.0, -1.0, 1e-9, 1e9, double{NAN}}) {
    functional.bandwidth = Vector::Constant(1, bandwidth);
    EXPECT_THROW(FunctionalDensityPlan(setting, functional), InvalidInput);
  }
  functional = kFunctionalDensity;
  functional.budget.delta = 0;
  EXPECT_THROW(FunctionalDensityPlan(setting, functional), InvalidInput);
}

TEST(DensityTest, AFileWithAnImpossibleDensityIsRefused) {
  const ReleaseContent good =
      ReleaseOfDensity(kOptimalDensity, 1, 500, 1).content();
  const auto refused = [&](const auto& spoil) {
    ReleaseContent content = good;
    spoil(content);
    EXPECT_THROW(Release{content}, InvalidInput);
  };
  refused([](ReleaseContent& c) { c.link.reset(); });
  refused([](ReleaseContent& c) { c.task = TaskKind::kRegression; });
  refused([](ReleaseContent& c) { c.inputs[0].upper = c.inputs[0].lower; });
  refused([](ReleaseContent& c) { c.posteriors.clear(); });
  refused([](ReleaseContent& c) { c.posteriors[0].mean.setConstant(1.7e308); });
  refused([](ReleaseContent& c) { c.posteriors[0].mean(0) = NAN; });
}

}  // namespace
}  // namespace cloak
