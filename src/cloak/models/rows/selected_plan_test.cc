#include "cloak/models/rows/selected_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/models/rows/variational.h"
#include "cloak/release/file_format.h"
#include "tests/testing/child_process_for_testing.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

SharedSetting SettingOfSelection(Index rows) {
  return HiddenSetting(rows, Vector::Constant(1, -4), Vector::Constant(1, 4),
                       {"x"}, NumberOutput{"y", OutputBounds(-1.5, 1.5)},
                       Threads(1));
}

PlanFactory Candidate(double lengthscale, double sigma) {
  return [=](const SharedSetting& setting, const Budget& budget) {
    VariationalOptions options;
    options.kernel = Kernel::Eq(1, lengthscale);
    options.noise_variance = sigma * sigma;
    options.inducing_points = Vector::LinSpaced(9, -3, 3);
    return std::make_unique<VariationalPlan>(setting, budget, options);
  };
}

// The paper's nine: the fifth is right.
std::vector<PlanFactory> Nine() {
  std::vector<PlanFactory> candidates;
  for (const double lengthscale : {1.0 / 3, 1.0, 3.0}) {
    for (const double sigma : {0.1 / 3, 0.1, 0.3}) {
      candidates.push_back(Candidate(lengthscale, sigma));
    }
  }
  return candidates;
}

PrivateRows SincRows(Index rows) {
  std::srand(12);
  const Vector x = 4 * Vector::Random(rows);
  const Vector noise = Vector::Random(rows) * std::sqrt(0.03);
  const Vector y = (2 * x.array()).sin() / (2 * x.array()) + noise.array();
  return {{Secret<Vector>(x)}, Secret<Vector>(y)};
}

SelectedPlanOptions SelectionOptions(SelectionAccounting accounting) {
  SelectedPlanOptions options;
  options.repeats = NegativeBinomialRepeats(1, 0.03);
  options.accounting = accounting;
  return options;
}

TEST(SelectedPlanTest, WithMuchBudgetTheRightHyperparametersWin) {
  for (const SelectionAccounting accounting :
       {SelectionAccounting::kRenyi, SelectionAccounting::kPublished}) {
    const SelectedPlan plan(SettingOfSelection(2048), Budget(37, 1e-4), Nine(),
                            SelectionOptions(accounting));
    int right = 0;
    for (uint64_t seed = 0; seed < 3; ++seed) {
      Randomness random = RandomnessForTesting::Seeded(seed);
      const Release release = plan.Execute(SincRows(2048), random);
      const Posterior& posterior = release.content().posteriors[0];
      if (posterior.kernel == Kernel::Eq(1, 1.0) &&
          posterior.noise_variance == 0.1 * 0.1) {
        ++right;
      }
      EXPECT_EQ(release.content().privacy.epsilon, 37);
      EXPECT_EQ(release.content().privacy.rows, 2048);
    }
    EXPECT_GE(right, 2);
  }
}

TEST(SelectedPlanTest, SaysWhatItCosts) {
  const SelectedPlan plan(SettingOfSelection(100), Budget(3, 1e-4), Nine(),
                          SelectionOptions(SelectionAccounting::kRenyi));
  EXPECT_EQ(plan.neighbours(), Neighbours::kRow);
  EXPECT_EQ(plan.privacy_units().count(), 100);
  EXPECT_EQ(plan.privacy().epsilon, 3);
  EXPECT_TRUE(std::holds_alternative<SelectionEvent>(plan.event()));
  EXPECT_LT(plan.cost().candidate.epsilon(), 3);
}

TEST(SelectedPlanTest, HalvesAreDrawnAfreshAndNotByThePlaceOfARow) {
  SelectedPlanOptions options;
  options.repeats = NegativeBinomialRepeats(1, 0.7);
  const SelectedPlan plan(SettingOfSelection(8), Budget(10, 1e-3),
                          {Candidate(1, 0.3)}, options);
  // The one row with x = −2 in that place.
  const auto released = [&plan](Index place, uint64_t seed) {
    Vector x = Vector::Constant(8, 2);
    Vector y = Vector::Zero(8);
    x(place) = -2;
    y(place) = 1.5;
    Randomness random = RandomnessForTesting::Seeded(seed);
    return ReleaseToJson(
        plan.Execute({{Secret<Vector>(x)}, Secret<Vector>(y)}, random));
  };
  // With the same noise, two places give the same release exactly if both are
  // in the same half. Were halves cut by place, they always or never would.
  for (const Index place : {1, 7}) {
    int same = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      if (released(0, seed) == released(place, seed)) ++same;
    }
    EXPECT_GT(same, 0);
    EXPECT_LT(same, 20);
  }
}

TEST(SelectedPlanTest, HostileRowsAreNoErrors) {
  const SelectedPlan plan(SettingOfSelection(6), Budget(1, 1e-4), Nine(),
                          SelectionOptions(SelectionAccounting::kRenyi));
  const PrivateRows hostile(
      {Secret<Vector>(Vector{{kNan, kInfinity, -kInfinity, 1e308, -0.0, 9}})},
      Secret<Vector>(Vector{{kInfinity, kNan, -1e308, -0.0, 7, -7}}));
  Randomness random = RandomnessForTesting::Seeded(5);
  EXPECT_NO_THROW(plan.Execute(hostile, random));
}

// A plan that costs more than it should.
TEST(SelectedPlanTest, ADearCandidateIsRefused) {
  const PlanFactory dear = [](const SharedSetting& setting,
                              const Budget& budget) {
    return Candidate(1, 0.1)(setting,
                             Budget(budget.epsilon() * 1.001, budget.delta()));
  };
  for (const SelectionAccounting accounting :
       {SelectionAccounting::kRenyi, SelectionAccounting::kPublished}) {
    EXPECT_THROW(
        SelectedPlan(SettingOfSelection(100), Budget(3, 1e-4),
                     {Candidate(1, 0.1), dear}, SelectionOptions(accounting)),
        PrivacyFailure);
  }
}

// Costs what its candidate does, and then fails.
template <typename Exception>
class FailingPlan : public Plan {
 public:
  FailingPlan(const SharedSetting& setting, std::unique_ptr<Plan> plan,
              std::shared_ptr<int> failures)
      : Plan(setting), plan_(std::move(plan)), failures_(std::move(failures)) {
    summary_ = plan_->summary();
    event_ = [this] { return plan_->event(); };
  }

 private:
  Release Run(const PrivateRows& rows, Randomness& random,
              const ReleaseObserver& /*observer*/) const override {
    plan_->Execute(rows, random);
    ++*failures_;
    throw Exception("what was released led nowhere");
  }

  std::unique_ptr<Plan> plan_;
  std::shared_ptr<int> failures_;
};

template <typename Exception>
PlanFactory Failing(const std::shared_ptr<int>& failures) {
  return [=](const SharedSetting& setting, const Budget& budget) {
    return std::make_unique<FailingPlan<Exception>>(
        setting, Candidate(1, 0.1)(setting, budget), failures);
  };
}

// The failure of a candidate is as private as the candidate: it would tell of
// it though it is not chosen.
TEST(SelectedPlanTest, NoFailureOfACandidateThatIsNotTheBestIsSeen) {
  const auto failures = std::make_shared<int>(0);
  for (const PlanFactory& failing :
       {Failing<Error>(failures), Failing<InvalidInput>(failures),
        Failing<PrivacyFailure>(failures),
        Failing<std::overflow_error>(failures)}) {
    const SelectedPlan plan(SettingOfSelection(40), Budget(3, 1e-4),
                            {Candidate(1, 0.1), failing},
                            SelectionOptions(SelectionAccounting::kRenyi));
    Randomness random = RandomnessForTesting::Seeded(3);
    *failures = 0;
    EXPECT_NO_THROW(plan.Execute(SincRows(40), random));
    EXPECT_GT(*failures, 0);
    const SelectedPlan hopeless(SettingOfSelection(40), Budget(3, 1e-4),
                                {failing},
                                SelectionOptions(SelectionAccounting::kRenyi));
    EXPECT_THROW(hopeless.Execute(SincRows(40), random), Error);
  }
}

TEST(SelectedPlanTest, RefusesWhatDoesNotFit) {
  const auto options = SelectionOptions(SelectionAccounting::kRenyi);
  // Before anything is charged for it.
  auto too_many = options;
  too_many.repeats = NegativeBinomialRepeats(1, 1e-7);
  EXPECT_THROW(
      SelectedPlan(SettingOfSelection(30), Budget(3, 1e-4), Nine(), too_many),
      InvalidInput);
  EXPECT_THROW(
      SelectedPlan(SettingOfSelection(3), Budget(3, 1e-4), Nine(), options),
      InvalidInput);
  EXPECT_THROW(
      SelectedPlan(SettingOfSelection(30), Budget(3, 1e-4), {}, options),
      InvalidInput);
  const SelectedPlan plan(SettingOfSelection(30), Budget(3, 1e-4), Nine(),
                          options);
  Randomness random = RandomnessForTesting::Seeded(5);
  EXPECT_THROW(plan.Execute(SincRows(29), random), InvalidInput);
  EXPECT_THROW(plan.Execute(Secret<Vector>(Vector::Zero(30)), random),
               InvalidInput);
}

TEST(SelectedPlanTest, FailsClosedWithoutRandomNumbers) {
  const SelectedPlan plan(SettingOfSelection(30), Budget(3, 1e-4),
                          {Candidate(1, 0.1)},
                          SelectionOptions(SelectionAccounting::kRenyi));
  Randomness of_the_parent = Randomness::FromSystem();
  EXPECT_TRUE(
      IsRefusedInChild([&] { plan.Execute(SincRows(30), of_the_parent); }));
}

// With hardly any noise, the score is the mean log density.
TEST(ValidationScoreTest, IsTheMeanLogDensity) {
  const SharedSetting setting = SettingOfSelection(500);
  const Budget budget(1e4, 0.1);
  Randomness random = RandomnessForTesting::Seeded(4);
  const Release release =
      Candidate(1, 0.1)(setting, budget)->Execute(SincRows(500), random);
  std::srand(12);
  const Vector x = 4 * Vector::Random(500);
  const Vector noise = Vector::Random(500) * std::sqrt(0.03);
  const Vector y = (2 * x.array()).sin() / (2 * x.array()) + noise.array();
  const Predictions predictions = release.Predict(x, {}, Threads(1));
  double mean = 0;
  for (Index i = 0; i < 500; ++i) {
    const double z = (y(i) - predictions.mean(i)) / predictions.sd(i);
    mean += (-0.5 * z * z - std::log(predictions.sd(i)) -
             0.5 * std::log(2 * M_PI)) /
            500;
  }
  CoinpressOptions options;
  options.deviation = 10;
  EXPECT_NEAR(ValidationScore(release, SincRows(500), *setting, budget, options,
                              random),
              mean, 0.05);
}

}  // namespace
}  // namespace cloak
