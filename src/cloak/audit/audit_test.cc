// An audit is worth what it catches: releases that are broken on purpose must
// be accused, and the true one must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cloak/audit/file_audit.h"
#include "cloak/audit/neighbours.h"
#include "cloak/audit/noise_grid.h"
#include "cloak/audit/release_audit.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/exact_normal.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kSeldom = 1e-6;

// Columns of norm 0.95 (the second) and at most 0.7.
Matrix SomeWeights() {
  Matrix R(2, 6);
  R << 0.6, 0.95, -0.3, 0.2, 0.1, 0.5,  //
      0.1, 0.0, 0.6, 0.3, -0.7, 0.4;
  return R;
}

GaussianMechanism MechanismFor(const Budget& budget) {
  return {SomeWeights(), OutputBounds(60, 200), budget};
}

// A generator for each block, all different.
RandomnessSource Seeds(uint64_t first) {
  return [seed = first << 32]() mutable {
    return RandomnessForTesting::Seeded(seed++);
  };
}

AuditReport Audit(const AuditedRelease& release,
                  const GaussianMechanism& mechanism, const PrivacyUnits& units,
                  uint64_t seed, Index releases = 50000) {
  return AuditRelease(release, FarthestNeighbours(mechanism, units),
                      ClaimOf(mechanism), {.releases = releases}, Threads(1),
                      Seeds(seed));
}

AuditReport Audit(const AuditedRelease& release,
                  const GaussianMechanism& mechanism, uint64_t seed = 1) {
  return Audit(release, mechanism, PrivacyUnits::EachRow(6), seed);
}

// The mechanism with another noise.
using Noise = std::function<Int128(Randomness&)>;
AuditedRelease WithNoise(const GaussianMechanism& mechanism,
                         const Noise& noise) {
  return [&mechanism, noise](const MadeUpRows& rows, Randomness& random) {
    std::vector<Int128> units =
        ExactNumbers(WithinItsBounds(mechanism), rows.outputs);
    for (Int128& unit : units) unit += noise(random);
    return units;
  };
}
AuditedRelease WithScale(const GaussianMechanism& mechanism, double scale) {
  const auto units = static_cast<Uint128>(
      scale * static_cast<double>(mechanism.noise().scale()));
  return WithNoise(mechanism, [units](Randomness& random) {
    return RoundedNormal(units, random);
  });
}

// Draws noise as a program without exact samplers would.
double FloatingPointNormal(Randomness& random) {
  const auto uniform = [&] {
    return static_cast<double>((random.Bits64() >> 11) + 1) * 0x1p-53;
  };
  return std::sqrt(-2 * std::log(uniform())) *
         std::cos(2 * std::acos(-1.0) * uniform());
}

TEST(AuditTest, TheTrueReleaseIsNotAccusedInTwentyRuns) {
  const std::vector<Budget> budgets = {
      {0.1, 1e-5}, {1, 1e-5}, {1, 0.01}, {5, 1e-3}, {50, 1e-6}};
  const std::vector<PrivacyUnits> all_units = {
      PrivacyUnits::EachRow(6),
      PrivacyUnits::FromLabels({"a", "a", "b", "b", "b", "c"}, "person")};
  uint64_t seed = 100;
  for (const Budget& budget : budgets) {
    for (const PrivacyUnits& units : all_units) {
      for (int again = 0; again < 2; ++again) {
        const GaussianMechanism mechanism(SomeWeights(), units,
                                          OutputBounds(0, 1), budget);
        const AuditReport report =
            Audit(ReleaseOf(mechanism), mechanism, units, ++seed);
        EXPECT_FALSE(report.accused())
            << "seed " << seed << ": " << report.accusations.front();
        EXPECT_EQ(report.measured_sensitivity_squared,
                  report.declared_sensitivity_squared);
        // The bound is not far below the truth either.
        EXPECT_GT(report.gaussian_epsilon_lower, 0.95 * budget.epsilon());
      }
    }
  }
}

TEST(AuditTest, NoiseTwentyPercentSmallIsCaught) {
  for (const Budget& budget : {Budget(0.1, 1e-5), Budget(1, 1e-5),
                               Budget(1, 0.01), Budget(50, 1e-6)}) {
    const GaussianMechanism mechanism = MechanismFor(budget);
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      EXPECT_TRUE(Audit(WithScale(mechanism, 0.8), mechanism, seed).accused());
      EXPECT_FALSE(Audit(WithScale(mechanism, 1), mechanism, seed).accused());
    }
  }
}

TEST(AuditTest, TheAttackAloneCatchesItWhateverTheNoiseIs) {
  const GaussianMechanism mechanism = MechanismFor(Budget(1, 0.01));
  const PrivacyUnits units = PrivacyUnits::EachRow(6);
  EXPECT_GT(Audit(WithScale(mechanism, 0.8), mechanism, units, 1, 200000)
                .epsilon_lower,
            1);
  const double bound =
      Audit(WithScale(mechanism, 1), mechanism, units, 1, 200000).epsilon_lower;
  EXPECT_LE(bound, 1);
  EXPECT_GT(bound, 0.8);
}

TEST(AuditTest, ASensitivityWithoutItsSquareRootIsCaught) {
  // Smith 2018, Algorithm 2: too little noise for columns shorter than 1.
  const GaussianMechanism mechanism(0.5 * SomeWeights(), OutputBounds(0, 1),
                                    Budget(1, 1e-5));
  const double delta = mechanism.noise().sensitivity();
  ASSERT_LT(delta, 0.5);
  EXPECT_TRUE(
      Audit(WithScale(mechanism, delta * delta / delta), mechanism).accused());
}

TEST(AuditTest, ARowForgottenInTheSensitivityIsCaught) {
  const Budget budget(1, 1e-5);
  const GaussianMechanism mechanism = MechanismFor(budget);
  Matrix without = SomeWeights();
  without.col(1).setZero();
  const GaussianMechanism forgetful(without, OutputBounds(60, 200), budget);
  ASSERT_EQ(forgetful.noise().step(), mechanism.noise().step());
  const Uint128 scale = forgetful.noise().scale();
  const AuditReport report = AuditRelease(
      WithNoise(
          mechanism,
          [scale](Randomness& random) { return RoundedNormal(scale, random); }),
      FarthestNeighbours(mechanism, PrivacyUnits::EachRow(6)),
      ClaimOf(forgetful), {.releases = 50000}, Threads(1), Seeds(1));
  EXPECT_THAT(report.accusations, Contains(HasSubstr("declared sensitivity")));
  EXPECT_THAT(report.accusations, Contains(HasSubstr("less noise")));
}

TEST(AuditTest, FloatingPointNoiseOnAGridIsCaught) {
  const GaussianMechanism single = MechanismFor(Budget(1, 1e-5));
  const auto sd = static_cast<double>(single.noise().scale());
  EXPECT_THAT(Audit(WithNoise(single,
                              [sd](Randomness& random) {
                                return static_cast<Int128>(static_cast<float>(
                                    sd * FloatingPointNormal(random)));
                              }),
                    single)
                  .accusations,
              Contains(HasSubstr("grid")));
  // Doubles: their gaps are wider than a unit above 2^53 of them.
  const GaussianMechanism wide = MechanismFor(Budget(0.1, 1e-5));
  const AuditedRelease doubles = [&](const MadeUpRows& rows,
                                     Randomness& random) {
    std::vector<Int128> units =
        ExactNumbers(WithinItsBounds(wide), rows.outputs);
    for (Int128& unit : units) {
      const double value = static_cast<double>(unit) * wide.noise().step() +
                           wide.noise().sd() * FloatingPointNormal(random);
      unit = static_cast<Int128>(std::round(value / wide.noise().step()));
    }
    return units;
  };
  EXPECT_THAT(Audit(doubles, wide).accusations, Contains(HasSubstr("grid")));
}

TEST(AuditTest, ATableThatIsShownNowAndThenIsCaught) {
  const GaussianMechanism mechanism = MechanismFor(Budget(1, 1e-3));
  const NeighbouringTables neighbours =
      FarthestNeighbours(mechanism, PrivacyUnits::EachRow(6));
  const AuditedRelease careful = ReleaseOf(mechanism);
  const AuditedRelease careless = [&](const MadeUpRows& rows,
                                      Randomness& random) {
    std::vector<Int128> units = careful(rows, random);
    if (random.Below(20) != 0) return units;
    const bool other = rows.outputs == neighbours.other.outputs;
    for (size_t k = 0; k < units.size(); ++k) {
      const Int128 move =
          neighbours.other_statistic[k] - neighbours.statistic[k];
      units[k] += (other ? 100 : -100) * move;
    }
    return units;
  };
  EXPECT_GT(Audit(careless, mechanism).epsilon_lower, 1);
}

TEST(AuditTest, NoNoiseIsCaught) {
  const GaussianMechanism mechanism = MechanismFor(Budget(1, 1e-5));
  const auto none = [](Randomness&) { return Int128{0}; };
  EXPECT_TRUE(Audit(WithNoise(mechanism, none), mechanism).accused());
}

TEST(AuditTest, TheReportDoesNotDependOnTheThreads) {
  const GaussianMechanism mechanism = MechanismFor(Budget(1, 1e-5));
  const auto bound = [&](int threads) {
    return AuditRelease(ReleaseOf(mechanism),
                        FarthestNeighbours(mechanism, PrivacyUnits::EachRow(6)),
                        ClaimOf(mechanism), {.releases = 12345},
                        Threads(threads), Seeds(1))
        .gaussian_epsilon_lower;
  };
  EXPECT_EQ(bound(1), bound(3));
}

TEST(AuditTest, TooFewReleasesAreRefused) {
  const GaussianMechanism mechanism = MechanismFor(Budget(1, 1e-5));
  EXPECT_THROW(
      Audit(ReleaseOf(mechanism), mechanism, PrivacyUnits::EachRow(6), 1, 9999),
      InvalidInput);
}

TEST(NoiseGridTest, AGridOfAnySpacingIsSeenAndExactNoiseIsNot) {
  Randomness random = RandomnessForTesting::Seeded(5);
  const Uint128 s = Uint128{1} << 50;
  std::vector<Int128> noise(20000);
  for (Int128& one : noise) one = RoundedNormal(s, random);
  EXPECT_GT(NoiseGridPValue(noise, 0x1p50), kSeldom);
  for (const int spacing : {2, 3, 7, 1000}) {
    std::vector<Int128> coarse = noise;
    for (Int128& value : coarse) value = value / spacing * spacing + 1;
    EXPECT_EQ(NoiseGridPValue(coarse, 0x1p50), 0) << spacing;
  }
  // Few values, on no grid.
  std::vector<Int128> few = noise;
  for (Int128& value : few) {
    value = static_cast<Int128>(std::round(
        std::round(static_cast<double>(value) * 0x1p-30) * 1234567890.123));
  }
  EXPECT_LT(NoiseGridPValue(few, 0x1p50), kSeldom);
}

RegressionOptions SomeOptions() {
  RegressionOptions options;
  options.input_names = {"x"};
  options.output_name = "y";
  options.kernel = Kernel::Parse("bias(1) + eq(variance=1, lengthscale=1)");
  options.noise_variance = 0.1;
  return options;
}

RegressionPlan SomePlan(const RegressionOptions& options, Index rows = 30) {
  return {Vector::LinSpaced(rows, -3, 3), OutputBounds(-1, 3), Budget(1, 1e-4),
          options, Threads(1)};
}

std::vector<RegressionOptions> EveryModel() {
  std::vector<RegressionOptions> models;
  for (const bool with_units : {false, true}) {
    for (const auto method :
         {RegressionOptions::kOptimal, RegressionOptions::kCloaking}) {
      for (const auto design :
           {RegressionOptions::kBayes, RegressionOptions::kVolume,
            RegressionOptions::kTrace}) {
        RegressionOptions options = SomeOptions();
        options.method = method;
        options.design = design;
        if (method == RegressionOptions::kCloaking) {
          if (design == RegressionOptions::kBayes) continue;
          options.query_points = Vector::LinSpaced(4, -2, 2);
        }
        if (with_units) {
          std::vector<std::string> labels;
          for (int i = 0; i < 30; ++i) labels.push_back(Text(i * i % 11));
          options.units = PrivacyUnits::FromLabels(labels, "person");
          options.unit_name = "person";
        }
        models.push_back(options);
      }
    }
  }
  return models;
}

TEST(ReplayTest, TheMeasuredSensitivityOfEveryModelIsTheDeclaredOne) {
  const std::vector<RegressionOptions> models = EveryModel();
  ASSERT_EQ(models.size(), 10U);
  for (const RegressionOptions& options : models) {
    const RegressionPlan plan = SomePlan(options);
    const GaussianMechanism& mechanism = *plan.mechanism();
    const NeighbouringTables farthest =
        FarthestNeighbours(mechanism, plan.privacy_units());
    ASSERT_TRUE(mechanism.sensitivity_is_exact());
    EXPECT_EQ(farthest.distance_squared,
              mechanism.noise().sensitivity_squared());
    // Frozen noise: it cancels, and what is left is the change by one unit.
    Randomness one = RandomnessForTesting::Seeded(7);
    Randomness same = RandomnessForTesting::Seeded(7);
    const AuditedRelease release = ReleaseOf(mechanism);
    const std::vector<Int128> a = release(farthest.table, one);
    const std::vector<Int128> b = release(farthest.other, same);
    Uint128 moved = 0;
    for (size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(b[k] - a[k],
                farthest.other_statistic[k] - farthest.statistic[k]);
      moved += static_cast<Uint128>((b[k] - a[k]) * (b[k] - a[k]));
    }
    EXPECT_EQ(moved, farthest.distance_squared);
  }
}

TEST(ReplayTest, LargeUnitsAreNeverFartherThanDeclared) {
  Matrix R(3, 40);
  for (Index i = 0; i < 40; ++i) {
    const double angle = static_cast<double>(i * i);
    R.col(i) << std::sin(angle), std::cos(3 * angle), std::sin(2 + angle);
  }
  const std::vector<std::string> labels(40, "one");
  const PrivacyUnits units = PrivacyUnits::FromLabels(labels, "person");
  const GaussianMechanism mechanism(R, units, OutputBounds(0, 1),
                                    Budget(1, 1e-4));
  const Uint128 found = FarthestNeighbours(mechanism, units).distance_squared;
  EXPECT_LE(found, mechanism.noise().sensitivity_squared());
  EXPECT_GT(static_cast<double>(found),
            0.6 * static_cast<double>(mechanism.noise().sensitivity_squared()));
  // The units matter: the noise for single rows is far too little.
  EXPECT_GT(found, GaussianMechanism(R, OutputBounds(0, 1), Budget(1, 1e-4))
                       .noise()
                       .sensitivity_squared());
}

class FileAuditTest : public testing::Test {
 protected:
  FileAuditTest() {
    Randomness random = RandomnessForTesting::Seeded(3);
    RegressionOptions options = SomeOptions();
    options.one_round = true;
    content_ = SomePlan(options)
                   .Execute(Secret<Vector>(Vector(Vector::Ones(30))), random)
                   .content();
  }
  std::vector<std::string> Accusations() const {
    return AuditFile(Release(content_)).accusations;
  }
  // Makes the file one of those that do not say what each statistic costs.
  void ForgetCosts() {
    content_.statistic.cost = {};
    for (ReleasedStatistic& earlier : content_.earlier_statistics) {
      earlier.cost = {};
    }
  }
  ReleaseContent content_;
};

TEST_F(FileAuditTest, ATrueFileIsNotAccused) {
  const FileAudit audit = AuditFile(Release(content_));
  EXPECT_FALSE(audit.accused());
  EXPECT_NEAR(audit.stated_epsilon, 1, 1e-9);
}

TEST_F(FileAuditTest, TooLittleNoiseIsCaughtInAnOldFile) {
  ForgetCosts();
  EXPECT_THAT(Accusations(), IsEmpty());
  content_.privacy.noise_sd *= 1 - 1e-6;
  EXPECT_THAT(Accusations(), Contains(HasSubstr("the noise stated keeps")));
}

TEST_F(FileAuditTest, ThePapersNoiseIsCaughtAboveEpsilonOne) {
  ForgetCosts();
  content_.privacy.epsilon = 10;
  content_.privacy.delta = 0.01;
  content_.privacy.noise_sd =
      content_.privacy.sensitivity * std::sqrt(2 * std::log(2 / 0.01)) / 10;
  EXPECT_THAT(Accusations(), Contains(HasSubstr("the noise stated keeps")));
}

TEST_F(FileAuditTest, CostsThatContradictEachOtherAreCaught) {
  StatisticCost& cost = *content_.statistic.cost;
  cost.noise_scale *= 1 - 1e-6;
  EXPECT_THAT(Accusations(), Contains(HasSubstr("'weighted sums of outputs'")));
  EXPECT_THAT(Accusations(),
              Contains(HasSubstr("the privacy statement gives")));
  // If the price fits, it is too high.
  cost.price = cost.sensitivity / cost.noise_scale;
  content_.privacy.noise_sd = cost.noise_scale;
  EXPECT_THAT(Accusations(), Contains(HasSubstr("the noise stated keeps")));
}

TEST_F(FileAuditTest, AnotherUnitIsCaught) {
  const double unit = content_.statistic.step;
  for (const bool old : {false, true}) {
    if (old) ForgetCosts();
    content_.statistic.step = 1.25 * unit;
    EXPECT_THAT(Accusations(), Contains(HasSubstr("power of two")));
    content_.statistic.step = std::ldexp(unit, 45);
    EXPECT_THAT(Accusations(), Contains(HasSubstr("too coarse")));
  }
}

// A file of several rounds, as the default writes them.
class RoundsFileAuditTest : public FileAuditTest {
 protected:
  RoundsFileAuditTest() {
    RegressionOptions options;
    options.input_names = {"x"};
    options.output_name = "y";
    Randomness random = RandomnessForTesting::Seeded(4);
    content_ = SomePlan(options, 300)
                   .Execute(Secret<Vector>(Vector(Vector::Ones(300))), random)
                   .content();
    // They say of what each statistic is, which what follows alters.
    content_.sites.reset();
  }
};

TEST_F(RoundsFileAuditTest, ItsStatisticsAddUpToWhatIsClaimed) {
  // Sums, squares and presence in five rounds.
  ASSERT_EQ(content_.earlier_statistics.size(), 14U);
  const FileAudit audit = AuditFile(Release(content_));
  EXPECT_THAT(audit.accusations, IsEmpty());
  EXPECT_NEAR(audit.stated_epsilon, 1, 1e-9);
  ASSERT_EQ(audit.costs.size(), 5U);
  EXPECT_EQ(audit.costs[0].of.size(), 3U);
  // The last round alone says less.
  ForgetCosts();
  EXPECT_LT(AuditFile(Release(content_)).stated_epsilon, 0.8);
}

TEST_F(RoundsFileAuditTest, ARoundThatIsPaidForOnceAndMadeTwiceIsCaught) {
  // Its squares and sums once more, at the price that they have.
  content_.earlier_statistics.insert(content_.earlier_statistics.begin(),
                                     content_.earlier_statistics.begin(),
                                     content_.earlier_statistics.begin() + 3);
  EXPECT_THAT(Accusations(), Contains(HasSubstr("the noise stated keeps")));
}

TEST_F(RoundsFileAuditTest,
       SquaresThatCostSomethingElseThanTheirSumsAreCaught) {
  StatisticCost& squares = *content_.earlier_statistics[0].cost;
  squares.sensitivity *= 0.5;
  squares.price *= 0.5;
  EXPECT_THAT(Accusations(), Contains(HasSubstr("states another price")));
}

TEST_F(FileAuditTest, ASelectionIsPricedByItsEvent) {
  const double mu = content_.statistic.cost->price;
  content_.privacy.epsilon = 10;
  content_.privacy.event = Text("selection(gaussian(mu=", mu,
                                "), negative_binomial(eta=1, "
                                "gamma=0.1))");
  const FileAudit audit = AuditFile(Release(content_));
  EXPECT_THAT(audit.accusations, IsEmpty());
  EXPECT_GT(audit.stated_epsilon, 1.5);
  content_.privacy.epsilon = 1;
  EXPECT_THAT(Accusations(), Contains(HasSubstr("the noise stated keeps")));
  content_.privacy.epsilon = 10;
  content_.privacy.event = Text("selection(gaussian(mu=", 0.9 * mu,
                                "), negative_binomial(eta=1, gamma=0.1))");
  EXPECT_THAT(Accusations(), Contains(HasSubstr("candidate")));
}

TEST_F(FileAuditTest, NumbersOnACoarserGridAreCaught) {
  for (std::string& number : content_.statistic.integers) {
    number = DecimalText(ParseInt128(number, "a number") >> 20 << 20);
  }
  EXPECT_THAT(Accusations(), Contains(HasSubstr("zero bits")));
}

}  // namespace
}  // namespace cloak
