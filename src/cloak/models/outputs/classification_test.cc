
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cloak/base/error.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "cloak/release/file_format.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

const Budget kLabelBudget(1, 0.01);
// So little privacy that noise hardly matters.
const Budget kLooseForLabels(1e5, 0.5);

struct Labelled {
  Matrix X;
  Vector y;
};

// testdata/make_laplace_oracle.py.
Labelled Eight() {
  Labelled data{Matrix(8, 1), Vector(8)};
  data.X << 0.0, 0.7, 1.1, 2.0, 2.4, 3.3, 4.1, 5.0;
  data.y << -1, -1, 1, -1, 1, 1, 1, -1;
  return data;
}

// P(y = 1) = π(3 sin x).
Labelled LabelledWaves(Index n, uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform;
  Labelled data{Matrix(n, 1), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    data.X(i, 0) = 10 * uniform(generator);
    const double p = 1 / (1 + std::exp(-3 * std::sin(data.X(i, 0))));
    data.y(i) = uniform(generator) < p ? 1 : -1;
  }
  return data;
}

ClassificationOptions Learned() {
  ClassificationOptions options;
  options.input_names = {"x"};
  options.output_name = "label";
  options.classes = {"no", "yes"};
  return options;
}

ClassificationOptions Laplace(
    ClassificationOptions::Method method = ClassificationOptions::kLaplace) {
  ClassificationOptions options = Learned();
  options.method = method;
  options.kernel = Kernel::Eq(2, 1.3);
  return options;
}

Release ReleaseOfLabels(const Labelled& data,
                        const ClassificationOptions& options,
                        const Budget& budget, uint64_t seed, int threads = 1) {
  const ClassificationPlan plan(data.X, budget, options, Threads(threads));
  Randomness randomness = RandomnessForTesting::Seeded(seed);
  return plan.Execute(Secret<Vector>(data.y), randomness);
}

Vector MeanAt(const Release& release, const Matrix& Xs) {
  return release.Predict(Xs, {.latent = true}, Threads(1)).mean;
}

TEST(ClassificationTest, WithoutNoiseNewtonStepsAreThoseOfTheOracle) {
  Matrix Xs(3, 1);
  Xs << 0.5, 2.2, 4.5;
  Vector one(3);
  one << -0.5812578955, 0.4223932111, 0.2461277671;
  Vector two(3);
  two << -0.5894089768, 0.4304822904, 0.2546033151;
  Vector variance(3);
  variance << 0.8423766695, 0.8066710939, 0.9781816079;
  ClassificationOptions options = Laplace();
  const Release first = ReleaseOfLabels(Eight(), options, kLooseForLabels, 1);
  EXPECT_LT((MeanAt(first, Xs) - one).cwiseAbs().maxCoeff(), 0.03);
  const Vector sd = first.Predict(Xs, {.latent = true}, Threads(1)).sd;
  EXPECT_LT((sd.cwiseAbs2() - variance).cwiseAbs().maxCoeff(), 0.01);
  options.newton_steps = 2;
  // Averaged over noise, which is about as large as the difference.
  Vector sum = Vector::Zero(3);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    sum += MeanAt(ReleaseOfLabels(Eight(), options, kLooseForLabels, seed), Xs);
  }
  EXPECT_LT((sum / 100 - two).cwiseAbs().maxCoeff(), 0.005)
      << (sum / 100).transpose();
}

TEST(ClassificationTest, TwoStepsCostWhatOneDoesAndBothAreInTheFile) {
  ClassificationOptions options = Laplace();
  options.newton_steps = 2;
  const Labelled data = LabelledWaves(60, 1);
  const ClassificationPlan plan(data.X, kLabelBudget, options, Threads(1));
  EXPECT_EQ(plan.mechanism(), nullptr);
  EXPECT_EQ(std::get<GaussianEvent>(plan.event()).mu(),
            GaussianMu(kLabelBudget));
  // Each has √2 times the noise of one step alone.
  const ClassificationPlan alone(data.X, kLabelBudget, Laplace(), Threads(1));
  EXPECT_NEAR(
      plan.privacy().noise_sd / plan.privacy().sensitivity,
      std::sqrt(2.0) * alone.privacy().noise_sd / alone.privacy().sensitivity,
      1e-6);
  const Release release = ReleaseOfLabels(data, options, kLabelBudget, 3);
  // Each step tells how many labels there are, and the first what it released.
  ASSERT_EQ(release.content().earlier_statistics.size(), 3U);
  EXPECT_GT(release.content().earlier_statistics[1].integers.size(), 1U);
  const std::string json = ReleaseToJson(release);
  EXPECT_EQ(ReleaseToJson(ReleaseFromJson(json, "copy")), json);
}

// A neighbour moves what is released by no more than is declared, whichever
// label is the other; and some label by exactly that.
TEST(ClassificationTest, NoLabelMovesTheStatisticFartherThanDeclared) {
  const Labelled data = LabelledWaves(40, 2);
  for (const ClassificationOptions& options :
       {Learned(), Laplace(), Laplace(ClassificationOptions::kLaplaceSparse)}) {
    const ClassificationPlan plan(data.X, kLabelBudget, options, Threads(1));
    const GaussianMechanism& mechanism = *plan.mechanism();
    const auto noiseless = [&](const Vector& y) {
      Randomness randomness = RandomnessForTesting::Seeded(5);
      return mechanism.Release(Secret<Vector>(y), randomness).value;
    };
    const Vector here = noiseless(data.y);
    double farthest = 0;
    for (Index i = 0; i < data.y.size(); ++i) {
      Vector other = data.y;
      other(i) = -other(i);
      farthest = std::max(farthest, (noiseless(other) - here).norm());
    }
    EXPECT_LE(farthest, mechanism.noise().sensitivity() * (1 + 1e-9));
    EXPECT_NEAR(farthest / mechanism.noise().sensitivity(), 1, 1e-6);
  }
}

TEST(ClassificationTest, LabelsThatAreAllAlikeAreNothingSpecial) {
  Labelled data = LabelledWaves(50, 3);
  for (const double label : {-1.0, 1.0}) {
    data.y.setConstant(label);
    for (const ClassificationOptions& options : {Learned(), Laplace()}) {
      const Release release = ReleaseOfLabels(data, options, kLabelBudget, 4);
      const ClassPredictions predicted =
          release.PredictClasses(data.X, Threads(1));
      EXPECT_TRUE(predicted.probability.allFinite());
      EXPECT_GT(predicted.probability(0, label > 0 ? 1 : 0), 0.5);
    }
  }
}

TEST(ClassificationTest, ProbabilitiesAreRightAsOftenAsTheySay) {
  double claimed = 0;
  double right = 0;
  double count = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const Release release = ReleaseOfLabels(LabelledWaves(300, seed), Learned(),
                                            kLabelBudget, seed);
    const Labelled fresh = LabelledWaves(500, 1000 + seed);
    const ClassPredictions predicted =
        release.PredictClasses(fresh.X, Threads(1));
    for (Index i = 0; i < fresh.y.size(); ++i) {
      const size_t guess = predicted.most_probable[static_cast<size_t>(i)];
      claimed += predicted.probability(i, static_cast<Index>(guess));
      right += (guess == 1) == (fresh.y(i) > 0) ? 1 : 0;
      count += 1;
    }
  }
  EXPECT_GT(right / count, 0.75);  // the best possible is 86 %
  EXPECT_NEAR(claimed / count, right / count, 0.04);
}

TEST(ClassificationTest, TheSameSeedGivesTheSameFileOnOneAndTwoThreads) {
  const Labelled data = LabelledWaves(150, 6);
  EXPECT_EQ(
      ReleaseToJson(ReleaseOfLabels(data, Learned(), kLabelBudget, 8, 1)),
      ReleaseToJson(ReleaseOfLabels(data, Learned(), kLabelBudget, 8, 2)));
}

TEST(ClassificationTest, TheSubsetOfRegressorsIsThatOfDenseAlgebra) {
  // With as many inducing points as rows it is the exact process.
  ClassificationOptions options =
      Laplace(ClassificationOptions::kLaplaceSparse);
  options.inducing = 8;
  Matrix Xs(3, 1);
  Xs << 0.5, 2.2, 4.5;
  Vector one(3);
  one << -0.5812578955, 0.4223932111, 0.2461277671;
  EXPECT_LT(
      (MeanAt(ReleaseOfLabels(Eight(), options, kLooseForLabels, 1), Xs) - one)
          .norm(),
      0.05);
}

TEST(ClassificationTest, OptionsThatDoNotFitAreRefused) {
  const Labelled data = LabelledWaves(20, 7);
  const auto refusal =
      [&](const ClassificationOptions& options) -> std::string {
    try {
      ClassificationPlan(data.X, kLabelBudget, options, Threads(1));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  ClassificationOptions options = Learned();
  options.classes = {"a", "b", "c"};
  EXPECT_THAT(refusal(options), testing::HasSubstr("2 classes"));
  options.classes = {"a", "a"};
  EXPECT_THAT(refusal(options), testing::HasSubstr("different names"));
  options = Laplace();
  options.kernel.reset();
  EXPECT_THAT(refusal(options), testing::HasSubstr("give the kernel"));
  options = Laplace();
  options.design = ClassificationOptions::kBayes;
  EXPECT_THAT(refusal(options), testing::HasSubstr("bayes"));
  options = Laplace();
  options.newton_steps = 3;
  EXPECT_THAT(refusal(options), testing::HasSubstr("Newton"));
  options = Learned();
  options.newton_steps = 2;
  EXPECT_THAT(refusal(options), testing::HasSubstr("at no cost"));
  options = Laplace(ClassificationOptions::kLaplaceSparse);
  options.inducing = 21;
  EXPECT_NE(refusal(options), "");
}

}  // namespace
}  // namespace cloak
