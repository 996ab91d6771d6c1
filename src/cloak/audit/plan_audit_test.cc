// Whole plans are audited: every number of every release, given what the ones
// before it published. Plans that are broken on purpose must be accused, and
// the true ones must not.
#include "cloak/audit/plan_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cloak/audit/row_neighbours.h"
#include "cloak/base/error.h"
#include "cloak/linalg/spread_points.h"
#include "cloak/models/rows/functional_density.h"
#include "cloak/models/rows/rows_optimal.h"
#include "cloak/models/rows/variational.h"
#include "cloak/privacy/cell_mechanism.h"
#include "cloak/privacy/feature_mechanism.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Index kRows = 120;

const OutputBounds& SomeBounds() {
  static const OutputBounds bounds(-1, 3);
  return bounds;
}

Vector SomeInputs(Index rows = kRows) { return Vector::LinSpaced(rows, -3, 3); }

// Nothing is given, so that there are five rounds, each with squares.
RegressionOptions DefaultOptions() {
  RegressionOptions options;
  options.budget = Budget(1, 1e-4);
  options.input_names = {"x"};
  options.output_name = "y";
  return options;
}
SharedSetting SettingOf(const RegressionOptions& options, Index rows) {
  return OpenSetting(SomeInputs(rows), NumberOutput{{}, SomeBounds()}, options,
                     Threads(1));
}
std::unique_ptr<Plan> OutputPlan() {
  return MakePlan(SettingOf(DefaultOptions(), kRows), DefaultOptions());
}
// The same for persons of two rows each.
constexpr Index kPersonRows = 600;
std::unique_ptr<Plan> PersonPlan() {
  RegressionOptions options = DefaultOptions();
  std::vector<std::string> labels;
  for (Index i = 0; i < kPersonRows; ++i) {
    labels.push_back(std::to_string(i % (kPersonRows / 2)));
  }
  options.units = PrivacyUnits::FromLabels(labels, "person");
  options.unit_name = "person";
  return MakePlan(SettingOf(options, kPersonRows), options);
}

MadeUpRows SomeOutputs(Index rows = kRows, bool labels = false) {
  return {{}, MadeUpOutputs(SomeInputs(rows), SomeBounds(), labels)};
}

SharedSetting SomeRows(bool labels) {
  Setting setting{.input_names = {"x"},
                  .inputs = PrivateInputs{kRows, Vector::Constant(1, -3),
                                          Vector::Constant(1, 3)},
                  .threads = Threads(1)};
  if (labels) {
    setting.output = LabelOutput{"y", {"no", "yes"}};
  } else {
    setting.output = NumberOutput{"y", SomeBounds()};
  }
  return std::make_shared<const Setting>(setting);
}

std::unique_ptr<Plan> RowPlan(bool labels = false) {
  return std::make_unique<RowsOptimalPlan>(
      SomeRows(labels), OptimalOptions{.budget = Budget(1, 1e-4),
                                       .cells = std::vector<Index>{12}});
}

MadeUpRows SomeWholeRows(bool labels = false) {
  MadeUpRows rows{
      SpreadPoints(Vector::Constant(1, -3), Vector::Constant(1, 3), kRows), {}};
  rows.outputs = MadeUpOutputs(rows.inputs.col(0), SomeBounds(), labels);
  return rows;
}

RandomnessSource PlanSeeds(uint64_t first) {
  return [seed = first << 32]() mutable {
    return RandomnessForTesting::Seeded(seed++);
  };
}

PlanAudit AuditOf(const Plan& plan, const MadeUpRows& rows, uint64_t seed = 1) {
  return AuditPlan(plan, rows, {.releases = 10000}, Threads(1),
                   PlanSeeds(seed));
}

// A plan whose releases are not what they are shown to be, or not as often.
class BrokenPlan : public Plan {
 public:
  // Shows something else in place of a release, once or more often.
  using Break =
      std::function<void(const ObservedRelease&, const ReleaseObserver&)>;
  BrokenPlan(std::unique_ptr<Plan> plan, Break break_release)
      : Plan(SettingLike(*plan)),
        plan_(std::move(plan)),
        break_(std::move(break_release)) {
    summary_ = plan_->summary();
    event_ = [this] { return plan_->event(); };
    mechanism_ = plan_->mechanism();
  }

 private:
  // Protects what the plan does, each row by itself.
  static SharedSetting SettingLike(const Plan& plan) {
    if (plan.neighbours() == Neighbours::kRow) return SomeRows(false);
    return SettingOf(DefaultOptions(), plan.privacy().rows);
  }
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override {
    return plan_->Execute(
        rows, randomness,
        [&](const ObservedRelease& release) { break_(release, observer); });
  }

  std::unique_ptr<Plan> plan_;
  Break break_;
};

TEST(PlanAuditTest, TrueRoundsAreNotAccused) {
  const std::unique_ptr<Plan> plan = OutputPlan();
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const PlanAudit audit = AuditOf(*plan, SomeOutputs(), seed);
    EXPECT_THAT(audit.accusations, IsEmpty()) << "seed " << seed;
    ASSERT_EQ(audit.rounds.size(), 5U);
    // All of mu^2 is attacked, not the 6 % of the first round.
    EXPECT_NEAR(audit.declared_mu, audit.claimed_mu, 1e-9 * audit.claimed_mu);
    EXPECT_GT(audit.mu_lower, 0.96 * audit.claimed_mu);
    for (const RoundAudit& round : audit.rounds) {
      EXPECT_LE(round.report.measured_sensitivity_squared,
                round.report.declared_sensitivity_squared);
      EXPECT_GT(static_cast<double>(round.report.measured_sensitivity_squared),
                (1 - 1e-5) * static_cast<double>(
                                 round.report.declared_sensitivity_squared));
    }
  }
}

TEST(PlanAuditTest, TrueRoundsOfPersonsAreNotAccused) {
  const PlanAudit audit = AuditOf(*PersonPlan(), SomeOutputs(kPersonRows));
  EXPECT_THAT(audit.accusations, IsEmpty());
  ASSERT_EQ(audit.rounds.size(), 5U);
  // Squares raise the bound on the sensitivity by more than they can.
  EXPECT_GT(audit.mu_lower, 0.9 * audit.claimed_mu);
}

// With two inputs and nothing said of cells, these are cut from round to round.
TEST(PlanAuditTest, TrueRoundsWithAdaptingCellsAreNotAccused) {
  const RowsOptimalPlan plan(
      HiddenSetting(kRows, Vector::Constant(2, -3), Vector::Constant(2, 3),
                    {"a", "b"}, NumberOutput{"y", SomeBounds()}, Threads(1)),
      {.budget = Budget(1, 1e-4),
       .kernel = Kernel::Eq(1, 1.5),
       .noise_variance = 0.1});
  MadeUpRows rows = SomeWholeRows();
  rows.inputs =
      SpreadPoints(Vector::Constant(2, -3), Vector::Constant(2, 3), kRows);
  const PlanAudit audit = AuditOf(plan, rows, 1);
  EXPECT_THAT(audit.accusations, IsEmpty());
  ASSERT_EQ(audit.rounds.size(), 5U);
  for (const RoundAudit& round : audit.rounds) {
    EXPECT_LE(round.report.measured_sensitivity_squared,
              round.report.declared_sensitivity_squared);
    EXPECT_GT(
        static_cast<double>(round.report.measured_sensitivity_squared),
        0.95 * static_cast<double>(round.report.declared_sensitivity_squared));
  }
}

TEST(PlanAuditTest, TrueRoundsOfWholeRowsAreNotAccused) {
  for (const bool labels : {false, true}) {
    const std::unique_ptr<Plan> plan = RowPlan(labels);
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const PlanAudit audit = AuditOf(*plan, SomeWholeRows(labels), seed);
      EXPECT_THAT(audit.accusations, IsEmpty()) << "seed " << seed;
      ASSERT_EQ(audit.rounds.size(), 5U);
      EXPECT_GT(audit.mu_lower, 0.94 * audit.claimed_mu);
      for (const RoundAudit& round : audit.rounds) {
        EXPECT_LE(round.report.measured_sensitivity_squared,
                  round.report.declared_sensitivity_squared);
        EXPECT_GT(
            static_cast<double>(round.report.measured_sensitivity_squared),
            0.95 *
                static_cast<double>(round.report.declared_sensitivity_squared));
      }
    }
  }
}

TEST(PlanAuditTest, OtherPlansAreNotAccused) {
  ClassificationOptions options;
  options.input_names = {"x"};
  options.output_name = "y";
  options.classes = {"no", "yes"};
  options.method = ClassificationOptions::kLaplace;
  options.kernel = Kernel::Parse("bias(1) + eq(variance=1, lengthscale=1)");
  options.newton_steps = 2;
  const ClassificationPlan newton(SomeInputs(), Budget(1, 1e-4), options,
                                  Threads(1));
  const PlanAudit two = AuditOf(newton, SomeOutputs(kRows, true));
  EXPECT_THAT(two.accusations, IsEmpty());
  ASSERT_EQ(two.rounds.size(), 2U);
  EXPECT_EQ(two.rounds[1].name, "step 2 of 2");
  EXPECT_GT(two.mu_lower, 0.96 * two.claimed_mu);

  const FunctionalDensityPlan density(
      HiddenSetting(kRows, Vector::Constant(1, -3), Vector::Constant(1, 3),
                    {"x"}, std::monostate(), Threads(1)),
      {.budget = {.epsilon = 1, .delta = 1e-4},
       .method = Density::kFunctional,
       .bandwidth = Vector::Constant(1, 1.0)});
  MadeUpRows inputs = SomeWholeRows();
  inputs.outputs = {};
  const PlanAudit features = AuditOf(density, inputs);
  EXPECT_THAT(features.accusations, IsEmpty());
  EXPECT_EQ(features.rounds.front().report.measured_sensitivity_squared,
            features.rounds.front().report.declared_sensitivity_squared);
}

// The release named so changes one of its numbers, by a function of what it
// would be without noise and of its noise: which is what is published, with the
// same random numbers, of outputs that are all missing.
using Recombine = std::function<void(std::vector<Int128>& numbers,
                                     const std::vector<Int128>& noise)>;
BrokenPlan::Break Recombining(const std::string& name,
                              const Recombine& recombine) {
  return [=](const ObservedRelease& release, const ReleaseObserver& observer) {
    ObservedRelease broken = release;
    if (release.name == name) {
      broken.publish = [&](const PrivateRows& rows, Randomness& random) {
        const uint64_t seed = random.Bits64();
        Randomness one = RandomnessForTesting::Seeded(seed);
        Randomness same = RandomnessForTesting::Seeded(seed);
        std::vector<Int128> numbers = release.publish(rows, one);
        const Secret<Vector> missing(Vector(Vector::Constant(kRows, NAN)));
        recombine(numbers, release.publish({rows.inputs(), missing}, same));
        return numbers;
      };
    }
    observer(broken);
  };
}
// The last number, the squares, is so many times as large, with the same noise.
BrokenPlan::Break WithSquaresTimes(const std::string& name, Int128 factor) {
  return Recombining(name, [factor](std::vector<Int128>& numbers,
                                    const std::vector<Int128>& noise) {
    numbers.back() = noise.back() + factor * (numbers.back() - noise.back());
  });
}

TEST(PlanAuditTest, SquaresThatAreMultipliedAfterDeltaWasComputedAreCaught) {
  for (const std::string name : {"round 1 of 5", "round 4 of 5"}) {
    for (const int bits : {1, 20}) {
      const BrokenPlan broken(OutputPlan(),
                              WithSquaresTimes(name, Int128{1} << bits));
      const PlanAudit audit = AuditOf(broken, SomeOutputs());
      EXPECT_THAT(audit.accusations, Contains(HasSubstr(name + ": number ")));
      if (bits < 20) continue;
      EXPECT_THAT(audit.accusations,
                  Contains(HasSubstr(name + ": one number alone is farther")));
      EXPECT_THAT(audit.accusations, Contains(HasSubstr("less noise than")));
    }
  }
  const BrokenPlan rows(RowPlan(),
                        WithSquaresTimes("round 5 of 5", Int128{1} << 20));
  EXPECT_THAT(AuditOf(rows, SomeWholeRows()).accusations,
              Contains(HasSubstr("round 5 of 5: one number alone")));
}

TEST(PlanAuditTest, ANumberWithLessNoiseIsCaughtWhereverItIs) {
  // The second sum of a later round has a twentieth less of it.
  const BrokenPlan broken(
      OutputPlan(),
      Recombining("round 3 of 5", [](std::vector<Int128>& numbers,
                                     const std::vector<Int128>& noise) {
        numbers[1] -= noise[1] / 20;
      }));
  EXPECT_THAT(AuditOf(broken, SomeOutputs()).accusations,
              Contains(HasSubstr("round 3 of 5: number 2 of the release has "
                                 "less noise than declared")));
}

TEST(PlanAuditTest, ARoundThatIsMadeTwiceAndPaidForOnceIsCaught) {
  for (const bool whole_rows : {false, true}) {
    const auto twice = [](const ObservedRelease& release,
                          const ReleaseObserver& observer) {
      observer(release);
      if (release.name == "round 2 of 5") observer(release);
    };
    const BrokenPlan broken(whole_rows ? RowPlan() : OutputPlan(), twice);
    const PlanAudit audit =
        AuditOf(broken, whole_rows ? SomeWholeRows() : SomeOutputs());
    EXPECT_THAT(audit.accusations, Contains(HasSubstr("together cost mu")));
    EXPECT_THAT(audit.accusations, Contains(HasSubstr("announced 5 releases")));
    EXPECT_THAT(audit.accusations, Contains(HasSubstr("released numbers")));
  }
}

TEST(PlanAuditTest, ARoundThatIsNotShownIsCaught) {
  const auto hide = [](const ObservedRelease& release,
                       const ReleaseObserver& observer) {
    if (release.name != "round 5 of 5") observer(release);
  };
  EXPECT_THAT(
      AuditOf(BrokenPlan(OutputPlan(), hide), SomeOutputs()).accusations,
      Contains(HasSubstr("announced 5 releases, but made 4")));
}

// Features of which the last cell has by far the longest.
Matrix UnevenFeatures() {
  Matrix features(2, 6);
  features << 0.3, -0.2, 0.4, 0.1, -0.3, 1.9,  //
      0.1, 0.4, -0.2, 0.3, 0.2, -0.4;
  return features;
}

TEST(PlanAuditTest, ACellThatIsForgottenInTheSensitivityIsCaught) {
  const Grid cells(Vector::Zero(1), Vector::Ones(1), {6});
  const std::vector<OutputBounds> bounds(6, SomeBounds());
  const CellMechanism mechanism(cells, UnevenFeatures(), bounds, kRows, 3);
  Matrix without = UnevenFeatures();
  without.col(5).setZero();
  const CellMechanism forgetful(cells, without, bounds, kRows, 3);
  const auto claim = [&](const CellMechanism& of) {
    // In units of the true one.
    const double ratio = of.noise().step() / mechanism.noise().step();
    return AuditClaim{
        mechanism.noise().mu(),
        static_cast<Uint128>(
            static_cast<double>(of.noise().sensitivity_squared()) * ratio *
            ratio),
        1e-4};
  };
  const AuditedRelease publish = [&](const MadeUpRows& rows,
                                     Randomness& random) {
    const PrivateRows secret = rows.AsPrivate();
    return mechanism.Release(secret.inputs(), secret.outputs(), random)
        .integers;
  };
  const NeighbouringTables farthest =
      CellNeighbours({&mechanism, bounds}, kRows).front();
  const auto accusations = [&](const CellMechanism& of) {
    return AuditRelease(publish, farthest, claim(of), {.releases = 10000},
                        Threads(1), PlanSeeds(1))
        .accusations;
  };
  EXPECT_THAT(accusations(mechanism), IsEmpty());
  EXPECT_THAT(accusations(forgetful),
              Contains(HasSubstr("declared sensitivity")));
}

TEST(PlanAuditTest, TheFarthestRowsAreFoundAmongAllPairs) {
  const Grid cells(Vector::Zero(1), Vector::Ones(1), {6});
  const std::vector<OutputBounds> bounds(6, SomeBounds());
  const CellMechanism mechanism(cells, UnevenFeatures(), bounds, kRows, 3);
  const std::vector<NeighbouringTables> pairs =
      CellNeighbours({&mechanism, bounds}, kRows);
  ASSERT_EQ(pairs.size(), 3U);
  // The exact integers are those of the mechanism: frozen noise cancels.
  for (const NeighbouringTables& pair : pairs) {
    Randomness one = RandomnessForTesting::Seeded(7);
    Randomness same = RandomnessForTesting::Seeded(7);
    const PrivateRows table = pair.table.AsPrivate();
    const PrivateRows other = pair.other.AsPrivate();
    const std::vector<Int128> a =
        mechanism.Release(table.inputs(), table.outputs(), one).integers;
    const std::vector<Int128> b =
        mechanism.Release(other.inputs(), other.outputs(), same).integers;
    for (size_t k = 0; k < pair.statistic.size(); ++k) {
      EXPECT_EQ(b[k] - a[k], pair.other_statistic[k] - pair.statistic[k]);
    }
  }
  // No pair of rows with outputs at bounds is farther.
  const Matrix centres = cells.Centres();
  for (int trial = 0; trial < 6 * 2 * 6 * 2; ++trial) {
    MadeUpRows rows = pairs[0].table;
    MadeUpRows other = rows;
    const auto put = [&](MadeUpRows& table, int place) {
      table.inputs.row(0) = centres.row(place / 2);
      table.outputs(0) = place % 2 == 0 ? -1 : 3;
    };
    put(rows, trial % 12);
    put(other, trial / 12);
    Randomness one = RandomnessForTesting::Seeded(7);
    Randomness same = RandomnessForTesting::Seeded(7);
    const PrivateRows a = rows.AsPrivate();
    const PrivateRows b = other.AsPrivate();
    EXPECT_LE(DistanceSquared(
                  mechanism.Release(a.inputs(), a.outputs(), one).integers,
                  mechanism.Release(b.inputs(), b.outputs(), same).integers),
              pairs[0].distance_squared);
  }
}

TEST(PlanAuditTest, WhatCannotBeAttackedIsRefused) {
  const VariationalPlan plan(
      SomeRows(false), Budget(1, 1e-4),
      VariationalOptions{
          .kernel = Kernel::Parse("eq(variance=1, lengthscale=1)"),
          .noise_variance = 0.1});
  EXPECT_THAT([&] { AuditOf(plan, SomeWholeRows()); },
              testing::ThrowsMessage<InvalidInput>(
                  HasSubstr("the method 'variational'")));
}

}  // namespace
}  // namespace cloak
