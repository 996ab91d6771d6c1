// The published methods: predictions that are linear in the outputs, with
// noise shaped to them.

#include "cloak/models/outputs/cloaking.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/kmeans.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

const OutputBounds kCloakingBounds(-4, 4);
const Budget kCloakingBudget(1, 0.01);
constexpr double kNoise = 0.3;

struct CloakingSurvey {
  Matrix X;
  Vector y;
};

CloakingSurvey CloakingSineSurvey(Index n) {
  std::srand(9);
  const Matrix X = (5 * Matrix::Random(n, 1)).array() + 5;
  return {X, (X.array().sin() * 2 + 0.1 * Matrix::Random(n, 1).array())};
}

Kernel SomeKernel() {
  return Kernel::Parse("bias(4) + eq(variance=4, lengthscale=1.5)");
}

RegressionOptions OptionsForMethod(Regression::Method method) {
  RegressionOptions options;
  options.method = method;
  if (method != RegressionOptions::kPolynomial) options.kernel = SomeKernel();
  options.noise_variance = kNoise;
  options.input_names = {"x"};
  options.output_name = "y";
  options.inducing = {6};
  options.degree = 2;
  return options;
}

RegressionOptions At(Regression::Method method, const Matrix& queries) {
  RegressionOptions options = OptionsForMethod(method);
  options.query_points = queries;
  return options;
}

Vector MeanOf(const RegressionPlan& plan, const Vector& y, const Matrix& Xs,
              uint64_t seed) {
  Randomness randomness = RandomnessForTesting::Seeded(seed);
  return plan.Execute(Secret<Vector>(y), randomness)
      .Predict(Xs, {}, Threads(1))
      .mean;
}

// The same noise on outputs that are all at the prior mean cancels in the
// difference.
Vector MeanWithoutNoise(const CloakingSurvey& survey,
                        const RegressionOptions& options, const Matrix& Xs) {
  const RegressionPlan plan(survey.X, kCloakingBounds, kCloakingBudget, options,
                            Threads(1));
  const double prior = options.prior_mean.value_or(0);
  const Vector flat = Vector::Constant(survey.y.size(), prior);
  return MeanOf(plan, survey.y, Xs, 5) - MeanOf(plan, flat, Xs, 5) +
         Vector::Constant(Xs.rows(), prior);
}

// By its definition: the process whose prior is Q + diag(K − Q).
Vector DenseFitc(const CloakingSurvey& survey, Index inducing,
                 const Matrix& Xs) {
  const Kernel kernel = SomeKernel();
  const Threads one(1);
  const Matrix Z = KMeans(survey.X, inducing, one).centres;
  const Matrix Kzx = kernel.CrossCovariance(Z, survey.X, one);
  const Matrix weights = kernel.Covariance(Z, one).inverse() * Kzx;
  Matrix prior = Kzx.transpose() * weights;
  prior.diagonal() = kernel.Variances(survey.X);
  prior.diagonal().array() += kNoise;
  return kernel.CrossCovariance(Xs, Z, one) * weights * prior.inverse() *
         survey.y;
}

Vector LeastSquares(const CloakingSurvey& survey, const Matrix& Xs) {
  const auto design = [](const Matrix& X) {
    Matrix D(X.rows(), 3);
    D << Vector::Ones(X.rows()), X, X.cwiseAbs2();
    return D;
  };
  const Matrix D = design(survey.X);
  return design(Xs) * (D.transpose() * D).inverse() * D.transpose() * survey.y;
}

TEST(SparseCloaking, ACentreOfFewRowsIsAPlaceNearThem) {
  const CloakingSurvey survey = CloakingSineSurvey(50);
  RegressionOptions options =
      OptionsForMethod(RegressionOptions::kSparseCloaking);
  options.inducing = {30};
  const RegressionPlan plan(survey.X, kCloakingBounds, kCloakingBudget, options,
                            Threads(1));
  Randomness randomness = RandomnessForTesting::Seeded(5);
  const Matrix Z =
      plan.Execute(Secret<Vector>(survey.y), randomness).content().basis_points;
  ASSERT_EQ(Z.rows(), 30);
  // Most centres of 30 clusters of 50 rows are rows.
  const Matrix centres = KMeans(survey.X, 30, Threads(1)).centres;
  for (Index k = 0; k < 30; ++k) {
    const double apart = (survey.X.array() - Z(k, 0)).abs().minCoeff();
    EXPECT_GT(apart, 0);
    EXPECT_NEAR(Z(k, 0), centres(k, 0), 0.05);
  }
}

// The mean of many rows may be one of them.
TEST(SparseCloaking, ACentreOfManyRowsIsNoRowEither) {
  RegressionOptions options =
      OptionsForMethod(RegressionOptions::kSparseCloaking);
  options.inducing = {1};
  const Matrix X = Vector::LinSpaced(11, 1.5, 11.5);
  ASSERT_EQ(KMeans(X, 1, Threads(1)).centres(0, 0), X(5, 0));
  const RegressionPlan plan(X, kCloakingBounds, kCloakingBudget, options,
                            Threads(1));
  Randomness randomness = RandomnessForTesting::Seeded(5);
  const Matrix Z = plan.Execute(Secret<Vector>(Vector(X.col(0))), randomness)
                       .content()
                       .basis_points;
  EXPECT_GT((X.array() - Z(0, 0)).abs().minCoeff(), 0);
}

TEST(CloakedMethods, PredictWhatTheirSmootherDoesPlusNoise) {
  const CloakingSurvey survey = CloakingSineSurvey(150);
  const Matrix Xs = Vector::LinSpaced(12, 0, 10);
  const ExactGp exact(SomeKernel(), kNoise, survey.X, Threads(1));
  for (const auto design :
       {RegressionOptions::kVolume, RegressionOptions::kTrace}) {
    RegressionOptions options = At(RegressionOptions::kCloaking, Xs);
    options.design = design;
    EXPECT_LT((MeanWithoutNoise(survey, options, Xs) -
               exact.PosteriorMean(Xs, survey.y))
                  .norm(),
              1e-3);
    options.method = RegressionOptions::kSparseCloaking;
    const Vector fitc = DenseFitc(survey, 6, Xs);
    EXPECT_LT((MeanWithoutNoise(survey, options, Xs) - fitc).norm(), 1e-3);
    // Also where there are fewer query points than inducing points, and where
    // the inputs stand for them.
    const Matrix few = Xs.topRows(3);
    options.query_points = few;
    EXPECT_LT((MeanWithoutNoise(survey, options, few) - fitc.head(3)).norm(),
              1e-3);
    options.query_points.reset();
    EXPECT_LT((MeanWithoutNoise(survey, options, Xs) - fitc).norm(), 1e-3);

    options = OptionsForMethod(RegressionOptions::kPolynomial);
    options.design = design;
    EXPECT_LT((MeanWithoutNoise(survey, options, Xs) - LeastSquares(survey, Xs))
                  .norm(),
              1e-3);
  }
}

TEST(CloakedMethods, VaryBetweenReleasesAsMuchAsTheyClaim) {
  const CloakingSurvey survey = CloakingSineSurvey(60);
  const Matrix Xs = Vector::LinSpaced(4, 1, 9);
  for (const auto method :
       {RegressionOptions::kSparseCloaking, RegressionOptions::kPolynomial}) {
    const RegressionPlan plan(survey.X, kCloakingBounds, kCloakingBudget,
                              OptionsForMethod(method), Threads(1));
    const int draws = 400;
    Matrix means(4, draws);
    for (int k = 0; k < draws; ++k) {
      means.col(k) = MeanOf(plan, survey.y, Xs, static_cast<uint64_t>(k));
    }
    Randomness randomness = RandomnessForTesting::Seeded(1);
    const Vector claimed = plan.Execute(Secret<Vector>(survey.y), randomness)
                               .Predict(Xs, {}, Threads(1))
                               .privacy_sd;
    const Vector centre = means.rowwise().mean();
    const Vector sd =
        ((means.colwise() - centre).rowwise().squaredNorm() / draws)
            .cwiseSqrt();
    for (Index i = 0; i < 4; ++i) {
      EXPECT_NEAR(sd(i) / claimed(i), 1, 5 / std::sqrt(2.0 * draws))
          << NameOf(method);
    }
  }
}

TEST(NonstationaryCloaking, HasTheLengthscalesOfTheDensityOfInputs) {
  // Crowded on the left, scarce on the right.
  CloakingSurvey survey = CloakingSineSurvey(60);
  survey.X.topRows(55) = survey.X.topRows(55).array() / 10;
  const Matrix Xs = Vector::LinSpaced(8, 0, 10);
  RegressionOptions options = At(RegressionOptions::kNonstationaryCloaking, Xs);
  const RegressionPlan plan(survey.X, kCloakingBounds, kCloakingBudget, options,
                            Threads(1));
  Randomness randomness = RandomnessForTesting::Seeded(1);
  const Release release = plan.Execute(Secret<Vector>(survey.y), randomness);
  const Kernel& kernel = release.content().posteriors[0].kernel;
  const auto correlation = [&](double x) {
    const Matrix a = Matrix::Constant(1, 1, x);
    const Matrix b = Matrix::Constant(1, 1, x + 0.3);
    return (kernel.CrossCovariance(a, b, Threads(1))(0, 0) - 4) / 4;
  };
  EXPECT_LT(correlation(0.3), 0.93);
  EXPECT_GT(correlation(8), 0.97);
  // Never longer than the eq it stands for.
  EXPECT_LE(correlation(1000), std::exp(-0.5 * 0.04) + 1e-9);
  // It is the exact process with that kernel.
  const ExactGp exact(kernel, kNoise, survey.X, Threads(1));
  EXPECT_LT((MeanWithoutNoise(survey, options, Xs) -
             exact.PosteriorMean(Xs, survey.y))
                .norm(),
            1e-3);
  options.kernel = Kernel::Matern32(4, 1.5);  // has no eq
  EXPECT_THROW(RegressionPlan(survey.X, kCloakingBounds, kCloakingBudget,
                              options, Threads(1)),
               InvalidInput);
  options.kernel = SomeKernel();
  options.neighbours = 0;
  EXPECT_THROW(RegressionPlan(survey.X, kCloakingBounds, kCloakingBudget,
                              options, Threads(1)),
               InvalidInput);
}

TEST(FunctionalMethod, HasTheExactSensitivityInTheRkhs) {
  const CloakingSurvey survey = CloakingSineSurvey(40);
  const RegressionPlan plan(survey.X, kCloakingBounds, kCloakingBudget,
                            OptionsForMethod(RegressionOptions::kFunctional),
                            Threads(1));
  const Matrix K = SomeKernel().Covariance(survey.X, Threads(1));
  Matrix Ky = K;
  Ky.diagonal().array() += kNoise;
  const Matrix inverse = Ky.inverse();
  const double exact = std::sqrt((inverse * K * inverse).diagonal().maxCoeff());
  EXPECT_NEAR(plan.privacy().sensitivity, kCloakingBounds.width() * exact,
              1e-3 * kCloakingBounds.width() * exact);
  // Never more, but for the rounding of R to integers.
  EXPECT_LT(plan.privacy().sensitivity,
            kCloakingBounds.width() * exact * (1 + 1e-6));
}

TEST(FunctionalMethod, IsTheExactProcessWhereThereIsNoNoise) {
  const CloakingSurvey survey = CloakingSineSurvey(50);
  const Matrix Xs = Vector::LinSpaced(12, 0, 10);
  const ExactGp exact(SomeKernel(), kNoise, survey.X, Threads(1));
  const RegressionPlan plan(survey.X, kCloakingBounds, Budget(1e6, 0.01),
                            OptionsForMethod(RegressionOptions::kFunctional),
                            Threads(1));
  EXPECT_LT((MeanOf(plan, survey.y, Xs, 5) - exact.PosteriorMean(Xs, survey.y))
                .norm(),
            0.05);
}

// Functions and outputs are drawn from the prior that is given.
TEST(FunctionalMethod, HasErrorBarsThatHold) {
  constexpr Index kRows = 40;
  constexpr int kDraws = 300;
  const CloakingSurvey survey = CloakingSineSurvey(kRows);
  const Matrix Xs{{1}, {4}, {9}};
  Matrix all(kRows + Xs.rows(), 1);
  all << survey.X, Xs;
  Matrix K = SomeKernel().Covariance(all, Threads(1));
  K.diagonal().array() += 1e-9;
  const Matrix L = Cholesky(K, Threads(1)).L();
  std::mt19937_64 generator(4);
  std::normal_distribution<double> normal;
  const auto normals = [&](Index count) -> Vector {
    return Vector::NullaryExpr(count, [&] { return normal(generator); });
  };
  // Where the noise drowns the function, and where it does not.
  for (const double epsilon : {1.0, 50.0}) {
    // Nothing is clipped: that is no part of the model.
    const RegressionPlan plan(
        survey.X, OutputBounds(-15, 15), Budget(epsilon, 0.01),
        OptionsForMethod(RegressionOptions::kFunctional), Threads(1));
    std::vector<double> errors;
    for (int draw = 0; draw < kDraws; ++draw) {
      const Vector f = L * normals(all.rows());
      const Vector y = f.head(kRows) + std::sqrt(kNoise) * normals(kRows);
      Randomness randomness =
          RandomnessForTesting::Seeded(static_cast<uint64_t>(draw));
      const Predictions predictions =
          plan.Execute(Secret<Vector>(y), randomness)
              .Predict(Xs, {.latent = true}, Threads(1));
      const Index place = draw % Xs.rows();
      errors.push_back((predictions.mean(place) - f(kRows + place)) /
                       predictions.sd(place));
    }
    EXPECT_GT(NormalScalePValue(errors, 1), 1e-3) << epsilon;
    EXPECT_LT(NormalScalePValue(errors, 1.3), 1e-3) << epsilon;
  }
}

TEST(PriorMean, IsWhatPredictionsReturnToFarFromTheData) {
  const CloakingSurvey survey = CloakingSineSurvey(50);
  const Matrix far = Matrix::Constant(1, 1, 100);
  RegressionOptions options =
      At(RegressionOptions::kCloaking, survey.X.topRows(9));
  options.kernel = Kernel::Eq(4, 1.5);
  options.prior_mean = 1.5;
  const RegressionPlan plan(survey.X, kCloakingBounds, kCloakingBudget, options,
                            Threads(1));
  EXPECT_NEAR(MeanOf(plan, survey.y, far, 1)(0), 1.5, 1e-9);
  // Near them, C (y − m) + m.
  const Matrix Xs = *options.query_points;
  const ExactGp exact(*options.kernel, kNoise, survey.X, Threads(1));
  const Vector expected =
      exact.PosteriorMean(Xs, survey.y.array() - 1.5).array() + 1.5;
  EXPECT_LT((MeanWithoutNoise(survey, options, Xs) - expected).norm(), 1e-3);
  options.prior_mean = 4.1;  // outside the bounds
  EXPECT_THROW(RegressionPlan(survey.X, kCloakingBounds, kCloakingBudget,
                              options, Threads(1)),
               InvalidInput);
}

TEST(PublishedNoise, IsNeverLessThanTheBudgetNeeds) {
  const CloakingSurvey survey = CloakingSineSurvey(50);
  for (const double epsilon : {0.1, 1.0, 10.0, 100.0}) {
    const Budget budget(epsilon, 0.01);
    RegressionOptions options =
        At(RegressionOptions::kCloaking, survey.X.topRows(5));
    const RegressionPlan plain(survey.X, kCloakingBounds, budget, options,
                               Threads(1));
    options.published_noise = true;
    const RegressionPlan plan(survey.X, kCloakingBounds, budget, options,
                              Threads(1));
    const double sigma = plan.privacy().noise_sd / plan.privacy().sensitivity;
    EXPECT_NEAR(sigma,
                std::max(PublishedGaussianSigma(budget), GaussianSigma(budget)),
                1e-6 * sigma);
    EXPECT_GE(plan.privacy().noise_sd, plain.privacy().noise_sd);
  }
}

TEST(RowNoiseVariances, WeighTheRows) {
  const CloakingSurvey survey = CloakingSineSurvey(60);
  const Vector noise = (Vector::LinSpaced(60, -3, 3).array()).exp() * 0.1;
  const Matrix Xs = Vector::LinSpaced(10, 1, 9);
  const ExactGp exact(SomeKernel(), noise, survey.X, Threads(1));
  RegressionOptions options = At(RegressionOptions::kCloaking, Xs);
  options.noise_variance.reset();
  options.row_noise_variances = noise;
  EXPECT_LT((MeanWithoutNoise(survey, options, Xs) -
             exact.PosteriorMean(Xs, survey.y))
                .norm(),
            1e-3);
  // So little privacy that noise hardly matters: `optimal` is exact too.
  options = OptionsForMethod(RegressionOptions::kOptimal);
  options.noise_variance.reset();
  options.row_noise_variances = noise;
  const RegressionPlan plan(survey.X, kCloakingBounds, Budget(1e5, 0.5),
                            options, Threads(1));
  EXPECT_LT((MeanOf(plan, survey.y, Xs, 1) - exact.PosteriorMean(Xs, survey.y))
                .cwiseAbs()
                .maxCoeff(),
            0.1);
  Randomness randomness = RandomnessForTesting::Seeded(1);
  EXPECT_NEAR(plan.Execute(Secret<Vector>(survey.y), randomness)
                  .content()
                  .posteriors[0]
                  .noise_variance,
              noise.mean(), 1e-12);
}

TEST(CloakedMethods, RefuseWhatDoesNotFit) {
  CloakingSurvey survey = CloakingSineSurvey(20);
  survey.X.bottomRows(15).setConstant(1);  // 6 different rows
  const auto plan = [&](const RegressionOptions& options) {
    RegressionPlan(survey.X, kCloakingBounds, kCloakingBudget, options,
                   Threads(1));
  };
  RegressionOptions options =
      OptionsForMethod(RegressionOptions::kSparseCloaking);
  EXPECT_NO_THROW(plan(options));
  options.inducing = {7};
  EXPECT_THROW(plan(options), InvalidInput);
  options.inducing = {0};
  EXPECT_THROW(plan(options), InvalidInput);
  options = OptionsForMethod(RegressionOptions::kFunctional);
  options.design = RegressionOptions::kTrace;
  EXPECT_THROW(plan(options), InvalidInput);
  options = OptionsForMethod(RegressionOptions::kOptimal);
  options.published_noise = true;
  EXPECT_THROW(plan(options), InvalidInput);
  options = OptionsForMethod(RegressionOptions::kSparseCloaking);
  options.row_noise_variances = Vector::Zero(20);
  EXPECT_THROW(plan(options), InvalidInput);
  options.row_noise_variances = Vector::Ones(19);
  EXPECT_THROW(plan(options), InvalidInput);
}

}  // namespace
}  // namespace cloak
