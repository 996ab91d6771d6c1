#include "cloak/models/rows/svm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/release/file_format.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

// Two inputs; the second class is inside a circle around the middle.
struct Target {
  Matrix X;
  Vector y;

  explicit Target(Index rows, unsigned seed = 3) : X(rows, 2), y(rows) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> place(0, 10);
    for (Index i = 0; i < rows; ++i) {
      X.row(i) << place(random), place(random);
      y(i) = (X.row(i).array() - 5).matrix().norm() < 3.5 ? 1 : -1;
    }
  }

  PrivateRows Private() const {
    return {{Secret<Vector>(X.col(0)), Secret<Vector>(X.col(1))},
            Secret<Vector>(y)};
  }
};

SharedSetting SettingOfSvm(Index rows,
                           std::vector<std::string> classes = {"no", "yes"}) {
  return HiddenSetting(rows, Vector::Zero(2), Vector::Constant(2, 10),
                       {"a", "b"}, LabelOutput{"inside", std::move(classes)},
                       Threads(1));
}

Svm SvmFor(double epsilon) { return {.budget = Budget(epsilon, 1e-5)}; }

Release ExecuteSvm(const SvmPlan& plan, const PrivateRows& rows,
                   uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  return plan.Execute(rows, random);
}

double ErrorRate(const Release& release, const Target& target) {
  const ClassPredictions predictions =
      release.PredictClasses(target.X, Threads(1));
  double wrong = 0;
  for (Index i = 0; i < target.y.size(); ++i) {
    const double side = predictions.most_probable[i] == 1 ? 1 : -1;
    if (side != target.y(i)) wrong += 1;
  }
  return wrong / static_cast<double>(target.y.size());
}

TEST(SvmPlan, LearnsACircle) {
  const Target target(2000);
  const SvmPlan plan(SettingOfSvm(2000), SvmFor(1));
  EXPECT_LT(ErrorRate(ExecuteSvm(plan, target.Private(), 1), Target(2000, 4)),
            0.09);
}

TEST(SvmPlan, SaysHowUncertainAMarginIs) {
  const Target target(200);
  const Matrix queries{{5, 5}, {1, 1}, {7, 4}, {9, 2}};
  Svm task = SvmFor(1e6);
  task.cost = 4;
  const SvmPlan certain(SettingOfSvm(200), task);
  task.budget = Budget(1, 1e-5);
  const SvmPlan plan(SettingOfSvm(200), task);
  const Vector truth = ExecuteSvm(certain, target.Private(), 1)
                           .Predict(queries, {.latent = true}, Threads(1))
                           .mean;
  std::vector<double> errors;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Predictions predictions =
        ExecuteSvm(plan, target.Private(), seed)
            .Predict(queries, {.latent = true}, Threads(1));
    errors.push_back((predictions.mean(0) - truth(0)) / predictions.sd(0));
    EXPECT_EQ(predictions.sd, predictions.privacy_sd);
  }
  EXPECT_GT(NormalScalePValue(errors, 1), 1e-3);
  EXPECT_LT(NormalScalePValue(errors, 1.3), 1e-3);
}

TEST(SvmPlan, GivesTheProbabilityOfEachSide) {
  const Target target(150);
  const SvmPlan plan(SettingOfSvm(150), SvmFor(1));
  const Release release = ExecuteSvm(plan, target.Private(), 8);
  const Predictions margins =
      release.Predict(target.X, {.latent = true}, Threads(1));
  const ClassPredictions classes = release.PredictClasses(target.X, Threads(1));
  for (Index i = 0; i < target.X.rows(); ++i) {
    EXPECT_NEAR(classes.probability(i, 1),
                NormalCdf(margins.mean(i) / margins.sd(i)), 1e-12);
    EXPECT_EQ(classes.most_probable[i], margins.mean(i) > 0 ? 1U : 0U);
  }
  const Release::Joint joint =
      release.PredictJoint(target.X, {.latent = true}, Threads(1));
  EXPECT_LT((joint.covariance.diagonal() - margins.sd.cwiseAbs2()).norm(),
            1e-9);
  // Nothing is known where no basis point is near.
  const ClassPredictions far =
      release.PredictClasses(Matrix::Constant(1, 2, 1e6), Threads(1));
  EXPECT_EQ(far.probability(0, 0), 0.5);
}

TEST(SvmPlan, SurvivesAFile) {
  const Target target(100);
  const SvmPlan plan(SettingOfSvm(100), SvmFor(2));
  const Release release = ExecuteSvm(plan, target.Private(), 2);
  const Release read = ReleaseFromJson(ReleaseToJson(release), "a file");
  EXPECT_EQ(read.PredictClasses(target.X, Threads(1)).probability,
            release.PredictClasses(target.X, Threads(1)).probability);
  EXPECT_EQ(read.content().task, TaskKind::kSvm);
}

TEST(SvmPlan, ChoosesACostByWhatIsPublic) {
  const Budget budget(1, 1e-5);
  const double sigma = GaussianSigma(budget);
  // The noise of a margin, 2Cκ²σ/n, is a quarter.
  EXPECT_NEAR(2 * SvmPlan::CostFor(300, budget, 4) * 4 * sigma / 300, 0.25,
              1e-12);
  EXPECT_EQ(SvmPlan::CostFor(2, budget, 4), 0.25);
  EXPECT_EQ(SvmPlan::CostFor(1 << 20, budget, 4), 25);
}

TEST(SvmPlan, TakesRowsThatAreNoNumbers) {
  Target target(60);
  target.X.topRows(30).setConstant(kNan);
  target.X.middleRows(30, 20).setConstant(
      -std::numeric_limits<double>::infinity());
  target.y.tail(20).setConstant(kNan);
  const SvmPlan plan(SettingOfSvm(60), SvmFor(1));
  const Release release = ExecuteSvm(plan, target.Private(), 1);
  EXPECT_TRUE(release.Predict(Target(5).X, {}, Threads(1)).mean.allFinite());
}

TEST(SvmPlan, RefusesWhatDoesNotFit) {
  const auto expect_refusal = [](const auto& spoil) {
    Svm task = SvmFor(1);
    spoil(task);
    EXPECT_THROW(SvmPlan(SettingOfSvm(10), task), InvalidInput);
  };
  expect_refusal([](Svm& task) { task.cost = -1; });
  expect_refusal([](Svm& task) { task.cost = kNan; });
  expect_refusal([](Svm& task) { task.basis = 0; });
  expect_refusal([](Svm& task) { task.kernel = Kernel::Eq(1, {1, 2, 3}); });
  EXPECT_THROW(SvmPlan(SettingOfSvm(10, {}), SvmFor(1)), InvalidInput);
}

}  // namespace
}  // namespace cloak
