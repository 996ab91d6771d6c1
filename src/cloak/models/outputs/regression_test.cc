
#include <gtest/gtest.h>

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/release/file_format.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

struct Survey {
  Matrix X;
  Vector y;
};

Survey SineSurvey(Index n) {
  std::srand(9);
  const Matrix X = (5 * Matrix::Random(n, 1)).array() + 5;
  return {X, (X.array().sin() * 2 + 0.1 * Matrix::Random(n, 1).array())};
}

RegressionOptions Given() {
  RegressionOptions options;
  options.kernel = Kernel::Parse("bias(4) + eq(variance=4, lengthscale=1.5)");
  options.noise_variance = 0.05;
  options.input_names = {"x"};
  options.output_name = "y";
  return options;
}

RegressionOptions Cloaking(PlanDesign design, Matrix queries) {
  RegressionOptions options = Given();
  options.method = RegressionOptions::kCloaking;
  options.design = design;
  options.query_points = std::move(queries);
  return options;
}

const OutputBounds kBounds(-4, 4);
// So little privacy that noise hardly matters.
const Budget kLoose(1e5, 0.5);

Release ReleaseOf(const Survey& survey, const RegressionOptions& options,
                  const Budget& budget, uint64_t seed, int threads = 2) {
  const RegressionPlan plan(survey.X, kBounds, budget, options,
                            Threads(threads));
  Randomness randomness = RandomnessForTesting::Seeded(seed);
  return plan.Execute(Secret<Vector>(survey.y), randomness);
}

TEST(RegressionTest, WithHardlyAnyPrivacyEveryMethodIsTheExactProcess) {
  const Survey survey = SineSurvey(80);
  const Matrix Xs = Vector::LinSpaced(25, 0.5, 9.5);
  const ExactGp exact(*Given().kernel, 0.05, survey.X, Threads(1));
  const Vector mean = exact.PosteriorMean(Xs, survey.y);
  const Vector sd = exact.PosteriorVariances(Xs).cwiseSqrt();
  for (const RegressionOptions& options :
       {Given(), Cloaking(RegressionOptions::kVolume, Xs),
        Cloaking(RegressionOptions::kTrace, Xs)}) {
    const Release release = ReleaseOf(survey, options, kLoose, 1);
    const Predictions predictions =
        release.Predict(Xs, {.latent = true}, Threads(1));
    EXPECT_LT((predictions.mean - mean).cwiseAbs().maxCoeff(), 0.1)
        << release.content().design;
    EXPECT_LT((predictions.sd - sd).cwiseAbs().maxCoeff(), 0.1)
        << release.content().design;
  }
}

// The noise that a prediction carries must be the noise that it claims.
TEST(RegressionTest, PredictionsVaryBetweenReleasesAsMuchAsTheyClaim) {
  const Survey survey = SineSurvey(60);
  const Matrix Xs = Vector::LinSpaced(4, 1, 9);
  for (const RegressionOptions& options :
       {Given(), Cloaking(RegressionOptions::kVolume, Xs)}) {
    const RegressionPlan plan(survey.X, kBounds, Budget(1, 0.01), options,
                              Threads(1));
    const Secret<Vector> outputs(survey.y);
    Randomness randomness = RandomnessForTesting::Seeded(3);
    const int draws = 400;
    Matrix means(4, draws);
    Vector claimed;
    for (int k = 0; k < draws; ++k) {
      const Predictions predictions =
          plan.Execute(outputs, randomness).Predict(Xs, {}, Threads(1));
      means.col(k) = predictions.mean;
      claimed = predictions.privacy_sd;
    }
    const Vector centre = means.rowwise().mean();
    const Vector sd =
        ((means.colwise() - centre).rowwise().squaredNorm() / draws)
            .cwiseSqrt();
    // The standard error of a standard deviation is sd/√800.
    for (Index i = 0; i < 4; ++i) {
      EXPECT_NEAR(sd(i) / claimed(i), 1, 5 / std::sqrt(2.0 * draws));
    }
  }
}

TEST(RegressionTest, CloakedPredictionsAtTheQueryPointsAreCyPlusNoise) {
  const Survey survey = SineSurvey(50);
  const Matrix Xs = Vector::LinSpaced(12, 0, 10);
  const RegressionOptions options = Cloaking(RegressionOptions::kVolume, Xs);
  const Release noisy = ReleaseOf(survey, options, Budget(1, 0.01), 5);
  // The same noise on outputs that are all in the middle: C y = 0.
  Survey middle = survey;
  middle.y.setZero();
  const Release noise = ReleaseOf(middle, options, Budget(1, 0.01), 5);
  const Vector difference = noisy.Predict(Xs, {}, Threads(1)).mean -
                            noise.Predict(Xs, {}, Threads(1)).mean;
  const ExactGp exact(*options.kernel, 0.05, survey.X, Threads(1));
  EXPECT_LT((difference - exact.PosteriorMean(Xs, survey.y)).norm(), 1e-3);
}

TEST(RegressionTest, TheSameSeedGivesTheSameFileOnOneAndTwoThreads) {
  const Survey survey = SineSurvey(600);
  RegressionOptions learned = Given();
  learned.kernel.reset();
  learned.noise_variance.reset();
  for (const RegressionOptions& options :
       {Given(), learned,
        Cloaking(RegressionOptions::kTrace, Vector::LinSpaced(9, 0, 10))}) {
    EXPECT_EQ(ReleaseToJson(ReleaseOf(survey, options, Budget(1, 0.01), 8, 1)),
              ReleaseToJson(ReleaseOf(survey, options, Budget(1, 0.01), 8, 2)));
  }
}

PrivacyUnits InTurn(Index rows, Index count) {
  std::vector<std::string> labels(static_cast<size_t>(rows));
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = Text(Index(i) % count);
  return PrivacyUnits::FromLabels(labels, "labels");
}

TEST(RegressionTest, UnitsAreProtectedTogetherWhateverTheMethod) {
  const Survey survey = SineSurvey(60);
  const Matrix Xs = Vector::LinSpaced(6, 0, 10);
  for (RegressionOptions options :
       {Given(), Cloaking(RegressionOptions::kVolume, Xs),
        Cloaking(RegressionOptions::kTrace, Xs)}) {
    const RegressionPlan rows(survey.X, kBounds, Budget(1, 0.01), options,
                              Threads(1));
    EXPECT_EQ(rows.privacy().unit, "");
    options.units = InTurn(60, 12);
    options.unit_name = "person";
    const RegressionPlan plan(survey.X, kBounds, Budget(1, 0.01), options,
                              Threads(1));
    EXPECT_EQ(plan.privacy().unit, "person");
    EXPECT_EQ(plan.privacy().units, 12);
    // R is made for units, so that noise is no larger than for rows, and says
    // less.
    EXPECT_NEAR(plan.privacy().sensitivity, kBounds.width(), 1e-3);
    EXPECT_GT(plan.summary().expected_sd, rows.summary().expected_sd);
    // The same on one and two threads.
    EXPECT_EQ(ReleaseToJson(ReleaseOf(survey, options, Budget(1, 0.01), 8, 1)),
              ReleaseToJson(ReleaseOf(survey, options, Budget(1, 0.01), 8, 2)));
    // Every person with one row: the same as without units but in name.
    options.units = PrivacyUnits::EachRow(60);
    const RegressionPlan each(survey.X, kBounds, Budget(1, 0.01), options,
                              Threads(1));
    EXPECT_EQ(each.privacy().noise_sd, rows.privacy().noise_sd);
    EXPECT_EQ(each.summary().expected_sd, rows.summary().expected_sd);
  }
}

TEST(RegressionTest, LearnedHyperparametersPredictAboutAsWellAsGivenOnes) {
  const Survey survey = SineSurvey(300);
  const Matrix Xs = Vector::LinSpaced(60, 0.5, 9.5);
  const Vector truth = 2 * Xs.col(0).array().sin();
  RegressionOptions learned = Given();
  learned.kernel.reset();
  learned.noise_variance.reset();
  const auto error = [&](const RegressionOptions& options) {
    double squared = 0;
    for (uint64_t seed = 0; seed < 10; ++seed) {
      squared += (ReleaseOf(survey, options, Budget(2, 0.01), seed)
                      .Predict(Xs, {}, Threads(2))
                      .mean -
                  truth)
                     .squaredNorm();
    }
    return std::sqrt(squared / (10 * 60));
  };
  EXPECT_LT(error(learned), 1.5 * error(Given()) + 0.05);
}

TEST(RegressionTest, ThePriceIsKnownBeforeAnythingIsSpent) {
  const Survey survey = SineSurvey(100);
  const RegressionPlan plan(survey.X, kBounds, Budget(1, 0.01), Given(),
                            Threads(1));
  EXPECT_NEAR(plan.privacy().sensitivity, kBounds.width(), 0.01);
  EXPECT_GT(plan.privacy().noise_sd, kBounds.width());
  EXPECT_GT(plan.summary().expected_sd,
            plan.summary().expected_sd_without_privacy);
  EXPECT_LE(plan.summary().certified_gap, 0.01);
  Randomness randomness = RandomnessForTesting::Seeded(1);
  const Release release = plan.Execute(Secret<Vector>(survey.y), randomness);
  EXPECT_EQ(release.content().privacy.noise_sd, plan.privacy().noise_sd);
  // The release says of itself what was expected, in as many digits as it has
  // (posterior_directions.h).
  const Vector sd = release.Predict(survey.X, {.latent = true}, Threads(1)).sd;
  const double expected = plan.summary().expected_sd;
  EXPECT_NEAR(std::sqrt(sd.cwiseAbs2().mean()), expected, 1e-4 * expected);
}

TEST(RegressionTest, SmallAndAwkwardTablesSimplyWork) {
  RegressionOptions learned = Given();
  learned.kernel.reset();
  learned.noise_variance.reset();
  Survey one = SineSurvey(1);
  Survey two = SineSurvey(2);
  Survey constant = SineSurvey(30);
  constant.X.setConstant(3);
  Survey duplicates = SineSurvey(40);
  duplicates.X.bottomRows(20) = duplicates.X.topRows(20);
  Survey huge = SineSurvey(30);
  huge.X *= 1e12;
  Survey outside = SineSurvey(30);
  outside.y *= 1e6;
  for (const Survey& survey : {one, two, constant, duplicates, huge, outside}) {
    const Release release = ReleaseOf(survey, learned, Budget(1, 0.01), 2);
    EXPECT_TRUE(release.Predict(survey.X, {}, Threads(1)).upper.allFinite());
  }
}

TEST(RegressionTest, OptionsThatDoNotFitAreRefused) {
  const Survey survey = SineSurvey(10);
  const auto plan = [&](const RegressionOptions& options) {
    RegressionPlan(survey.X, kBounds, Budget(1, 0.01), options, Threads(1));
  };
  RegressionOptions options =
      Cloaking(RegressionOptions::kVolume, survey.X.topRows(2));
  options.query_points.reset();
  EXPECT_THROW(plan(options), InvalidInput);
  options = Cloaking(RegressionOptions::kVolume, survey.X.topRows(2));
  options.kernel.reset();
  EXPECT_THROW(plan(options), InvalidInput);
  EXPECT_THROW(plan(Cloaking(RegressionOptions::kBayes, survey.X.topRows(2))),
               InvalidInput);
  options = Given();
  options.query_points = Matrix::Ones(3, 2);
  EXPECT_THROW(plan(options), InvalidInput);
  options = Given();
  options.units = PrivacyUnits::EachRow(9);  // of 10 rows
  options.unit_name = "person";
  EXPECT_THROW(plan(options), InvalidInput);
  options.units = PrivacyUnits::EachRow(10);
  options.unit_name = "y";  // private
  EXPECT_THROW(plan(options), InvalidInput);
  options = Given();
  options.kernel = Kernel::Eq(1, {1, 2});
  EXPECT_THROW(plan(options), InvalidInput);
}

TEST(RegressionTest, ATableOfTheWrongLengthIsRefused) {
  const Survey survey = SineSurvey(10);
  const RegressionPlan plan(survey.X, kBounds, Budget(1, 0.01), Given(),
                            Threads(1));
  Randomness randomness = RandomnessForTesting::Seeded(1);
  EXPECT_THROW(plan.Execute(Secret<Vector>(Vector::Zero(9)), randomness),
               InvalidInput);
}

TEST(RegressionTest, FailingEntropyReleasesNothing) {
  EXPECT_THROW(RandomnessForTesting::WithFailingEntropy(), PrivacyFailure);
}

}  // namespace
}  // namespace cloak
