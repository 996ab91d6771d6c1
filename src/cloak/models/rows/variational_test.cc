#include "cloak/models/rows/variational.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/release/file_format.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

// max_x |k(x)| over a dense grid of one or two inputs.
double DenseNorm(const Kernel& kernel, const Matrix& Z, double lower,
                 double upper) {
  const Index steps = Z.cols() == 1 ? 4001 : 161;
  const Vector line = Vector::LinSpaced(steps, lower, upper);
  Matrix X = line;
  if (Z.cols() == 2) {
    X.resize(steps * steps, 2);
    for (Index i = 0; i < X.rows(); ++i) {
      X.row(i) << line(i % steps), line(i / steps);
    }
  }
  return kernel.CrossCovariance(Z, X, Threads(1)).colwise().norm().maxCoeff();
}

double Norm(const Kernel& kernel, const Matrix& Z, double lower, double upper,
            NormBound bound) {
  return FeatureNorm(kernel, Z, Vector::Constant(Z.cols(), lower),
                     Vector::Constant(Z.cols(), upper), bound);
}

Matrix SquareGrid(Index side, double lower, double upper) {
  const Vector line = Vector::LinSpaced(side, lower, upper);
  Matrix Z(side * side, 2);
  for (Index i = 0; i < Z.rows(); ++i) {
    Z.row(i) << line(i % side), line(i / side);
  }
  return Z;
}

TEST(FeatureNormTest, NoBoundIsBelowTheLargestNormForAnyNumberOfPoints) {
  for (Index points = 1; points <= 12; ++points) {
    const Matrix Z = points == 1 ? Matrix(Matrix::Constant(1, 1, 0.3))
                                 : Matrix(Vector::LinSpaced(points, -3, 3));
    for (const char* text :
         {"eq(2, lengthscale=1)", "eq(1, lengthscale=0.1)",
          "eq(1, lengthscale=5)", "matern12(1)", "rq(3, alpha=2)"}) {
      const Kernel kernel = Kernel::Parse(text);
      const double dense = DenseNorm(kernel, Z, -4, 4);
      for (const NormBound bound :
           {NormBound::kTrivial, NormBound::kOrdered, NormBound::kSeparated,
            NormBound::kCertified, NormBound::kTightest}) {
        EXPECT_GE(Norm(kernel, Z, -4, 4, bound), dense)
            << text << " " << points << " " << NameOf(bound);
      }
      EXPECT_LT(Norm(kernel, Z, -4, 4, NormBound::kTightest),
                dense * (1 + 1e-3))
          << text << " " << points;
    }
  }
}

TEST(FeatureNormTest, HasTheClosedFormsOfThePaper) {
  const Kernel kernel = Kernel::Eq(1.5, 1);
  const Matrix Z = Vector::LinSpaced(9, -3, 3);
  const double v = 1.5;
  EXPECT_NEAR(Norm(kernel, Z, -4, 4, NormBound::kTrivial), 3 * v, 1e-7);
  EXPECT_NEAR(Norm(kernel, Z, -4, 4, NormBound::kSeparated),
              v * std::sqrt(1 + 8 * std::exp(-0.375 * 0.375)), 1e-7);
  // Five terms on one side of x and four on the other.
  const auto term = [](int i) { return std::exp(-std::pow(0.75 * i, 2)); };
  EXPECT_NEAR(
      Norm(kernel, Z, -4, 4, NormBound::kOrdered),
      v * std::sqrt(2 * (term(0) + term(1) + term(2) + term(3)) + term(4)),
      1e-7);
}

TEST(FeatureNormTest, OnAGridAProductKernelIsBoundedInputByInput) {
  const Kernel kernel =
      Kernel::Parse("eq(variance=2, lengthscale=[1, 2]) * bias(3)");
  const Matrix Z = SquareGrid(4, -2, 3);
  const double dense = DenseNorm(kernel, Z, -3, 3);
  const double certified = Norm(kernel, Z, -3, 3, NormBound::kCertified);
  EXPECT_GE(certified, dense);
  EXPECT_LT(certified, dense * (1 + 2e-3));
}

TEST(FeatureNormTest, ScatteredPointsAreBoundedToo) {
  std::srand(8);
  const Matrix Z = 2 * Matrix::Random(7, 2);
  for (const char* text :
       {"matern32(1)", "bias(0.2) + eq(1, lengthscale=[0.5, 2])"}) {
    const Kernel kernel = Kernel::Parse(text);
    const double dense = DenseNorm(kernel, Z, -3, 3);
    const double certified = Norm(kernel, Z, -3, 3, NormBound::kCertified);
    EXPECT_GE(certified, dense) << text;
    EXPECT_LT(certified, dense * 1.01) << text;
  }
}

std::string ErrorOf(const char* kernel, const Matrix& Z, NormBound bound) {
  try {
    Norm(Kernel::Parse(kernel), Z, -4, 4, bound);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(FeatureNormTest, SaysWhyThereIsNoBound) {
  const Matrix line = Vector::LinSpaced(3, -1, 1);
  EXPECT_THAT(ErrorOf("bias(1) + linear(1)", line, NormBound::kTightest),
              testing::HasSubstr("grows without limit"));
  EXPECT_THAT(ErrorOf("linear(1) * linear(1)", line, NormBound::kTrivial),
              testing::HasSubstr("has no bound"));
  EXPECT_THAT(ErrorOf("periodic(1)", line, NormBound::kOrdered),
              testing::HasSubstr("equation 7"));
  EXPECT_THAT(ErrorOf("eq(1)", SquareGrid(2, 0, 1), NormBound::kOrdered),
              testing::HasSubstr("one input"));
  EXPECT_THAT(ErrorOf("eq(1) + eq(2)", line, NormBound::kSeparated),
              testing::HasSubstr("equation 8"));
  EXPECT_THAT(ErrorOf("periodic(1)", line, NormBound::kCertified),
              testing::HasSubstr("decreases"));
  EXPECT_THAT(ErrorOf("eq(1)", Vector{{1, 2, 1}}, NormBound::kTightest),
              testing::HasSubstr("coincide"));
  EXPECT_EQ(ErrorOf("periodic(1)", line, NormBound::kTightest), "");
  EXPECT_THROW(NormBoundNamed("best"), InvalidInput);
  EXPECT_EQ(NormBoundNamed("separated"), NormBound::kSeparated);
}

// The first experiment of the paper.
SharedSetting SettingOfVariational(Index rows = 1024,
                                   std::optional<double> prior_mean = {}) {
  return HiddenSetting(
      rows, Vector::Constant(1, -4), Vector::Constant(1, 4), {"x"},
      NumberOutput{"y", OutputBounds(-1.5, 1.5), prior_mean}, Threads(2));
}

VariationalOptions SomeVariational() {
  VariationalOptions options;
  options.kernel = Kernel::Eq(1, 1);
  options.noise_variance = 0.01;
  options.inducing_points = Vector::LinSpaced(9, -3, 3);
  return options;
}

struct Columns {
  Vector x;
  Vector y;
  PrivateRows Rows() const { return {{Secret<Vector>(x)}, Secret<Vector>(y)}; }
};

Columns SincColumns(Index rows) {
  std::srand(12);
  const Vector x = 4 * Vector::Random(rows);
  const Vector noise = Vector::Random(rows) * std::sqrt(0.03);
  return {x, (2 * x.array()).sin() / (2 * x.array()) + noise.array()};
}

Release ReleaseOfVariational(const VariationalPlan& plan,
                             const PrivateRows& rows, uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  return plan.Execute(rows, random);
}

TEST(VariationalTest, WithHardlyAnyPrivacyItIsTheVariationalPosterior) {
  const Columns data = SincColumns(1024);
  const VariationalPlan plan(SettingOfVariational(1024, /*prior_mean=*/0.2),
                             Budget(1e5, 0.5), SomeVariational());
  const Release release = ReleaseOfVariational(plan, data.Rows(), 1);
  const Matrix Xs = Vector::LinSpaced(20, -3.5, 3.5);
  // Titsias 2009, by dense algebra.
  const Matrix Z = plan.inducing_points();
  const Kernel kernel = Kernel::Eq(1, 1);
  const Threads one(1);
  const Matrix K = kernel.Covariance(Z, one);
  const Matrix Kx = kernel.CrossCovariance(Z, data.x, one);
  const Matrix Ks = kernel.CrossCovariance(Z, Xs, one);
  const Eigen::LLT<Matrix> precision(K + Kx * Kx.transpose() / 0.01);
  const Vector mean =
      Ks.transpose() *
      precision.solve(Kx * (data.y.array() - 0.2).matrix() / 0.01);
  const Matrix explained =
      Eigen::LLT<Matrix>(K).solve(Ks) - precision.solve(Ks);
  const Vector variance =
      Vector::Ones(20) - Ks.cwiseProduct(explained).colwise().sum().transpose();
  const Predictions predictions = release.Predict(Xs, {.latent = true}, one);
  EXPECT_LT((predictions.mean.array() - 0.2 - mean.array()).abs().maxCoeff(),
            0.02);
  EXPECT_LT((predictions.sd - variance.cwiseSqrt()).cwiseAbs().maxCoeff(),
            0.02);
}

TEST(VariationalTest, TheFileOfAReleasePredictsTheSame) {
  const VariationalPlan plan(SettingOfVariational(), Budget(1, 1e-4),
                             SomeVariational());
  const Release release =
      ReleaseOfVariational(plan, SincColumns(1024).Rows(), 2);
  const Release back = ReleaseFromJson(ReleaseToJson(release), "sinc.cloak");
  const Matrix Xs = Vector::LinSpaced(20, -4, 4);
  const Predictions a = release.Predict(Xs, {}, Threads(1));
  const Predictions b = back.Predict(Xs, {}, Threads(1));
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.sd, b.sd);
  EXPECT_TRUE(a.sd.allFinite());
  EXPECT_GT(a.privacy_sd.minCoeff(), 0);
  EXPECT_EQ(back.content().method, "variational");
  EXPECT_EQ(back.content().privacy.protect, Protection::kRows);
  EXPECT_EQ(back.content().statistic.integers.size(), 9U);
  ASSERT_EQ(back.content().earlier_statistics.size(), 1U);
  EXPECT_EQ(back.content().earlier_statistics[0].integers.size(), 45U);
}

TEST(VariationalTest, SaysWhatItCosts) {
  const Budget budget(1, 1e-4);
  const VariationalPlan plan(SettingOfVariational(), budget, SomeVariational());
  EXPECT_EQ(plan.neighbours(), Neighbours::kRow);
  EXPECT_EQ(plan.privacy_units().count(), 1024);
  EXPECT_EQ(plan.mechanism(), nullptr);
  EXPECT_EQ(plan.summary().rank, 9 + 45);
  const double mu = std::get<GaussianEvent>(plan.event()).mu();
  EXPECT_LE(mu, GaussianMu(budget));
  EXPECT_GT(mu, GaussianMu(budget) * (1 - 1e-6));
  // Equation (6) with R_y = 1.5 and c = 1.
  const double R = plan.feature_norm();
  const double published =
      std::sqrt(std::pow(1.5, 4) / 2 + 2 * 2.25 * R * R + 2 * std::pow(R, 4));
  EXPECT_NEAR(plan.moments().published_sensitivity(), published,
              1e-5 * published);
  EXPECT_GT(plan.summary().expected_sd,
            plan.summary().expected_sd_without_privacy);
  EXPECT_GT(plan.summary().expected_sd_without_privacy, 0);
}

TEST(VariationalTest, ExpectedDeviationsAreAboutThoseThatComeOut) {
  const VariationalPlan plan(SettingOfVariational(), Budget(3, 1e-4),
                             SomeVariational());
  const Release release =
      ReleaseOfVariational(plan, SincColumns(1024).Rows(), 3);
  const Vector sd =
      release
          .Predict(Vector::LinSpaced(200, -4, 4), {.latent = true}, Threads(1))
          .sd;
  const double rms = std::sqrt(sd.squaredNorm() / 200);
  EXPECT_GT(rms, plan.summary().expected_sd / 2);
  EXPECT_LT(rms, plan.summary().expected_sd * 2);
}

// The noise that a prediction carries is about the noise that it claims: where
// it is small, S₂ is its covariance but for the terms that (17) leaves out.
TEST(VariationalTest, PredictionsVaryBetweenReleasesAboutAsTheyClaim) {
  const Columns data = SincColumns(1024);
  const VariationalPlan plan(SettingOfVariational(), Budget(300, 1e-4),
                             SomeVariational());
  const Matrix Xs = Vector::LinSpaced(5, -2, 2);
  constexpr int kReleases = 200;
  Matrix means(5, kReleases);
  Vector claimed = Vector::Zero(5);
  for (int i = 0; i < kReleases; ++i) {
    const Predictions predictions =
        ReleaseOfVariational(plan, data.Rows(), 100 + i)
            .Predict(Xs, {}, Threads(1));
    means.col(i) = predictions.mean;
    claimed += predictions.privacy_sd.cwiseAbs2() / kReleases;
  }
  const Vector centre = means.rowwise().mean();
  const Vector sd =
      (means.colwise() - centre).rowwise().norm() / std::sqrt(kReleases - 1.0);
  for (Index i = 0; i < 5; ++i) {
    EXPECT_GT(std::sqrt(claimed(i)), 0.5 * sd(i)) << i;
    EXPECT_LT(std::sqrt(claimed(i)), 2 * sd(i)) << i;
  }
}

TEST(VariationalTest, RowsThatAreNoNumbersOrFarOutsideAreNoErrors) {
  const VariationalPlan plan(SettingOfVariational(6), Budget(1, 1e-4),
                             SomeVariational());
  const Columns hostile{Vector{{kNan, kInfinity, -kInfinity, 1e308, -0.0, 9}},
                        Vector{{kInfinity, kNan, -1e308, -0.0, 7, -7}}};
  const Release release = ReleaseOfVariational(plan, hostile.Rows(), 4);
  EXPECT_TRUE(release.Predict(Vector::LinSpaced(9, -4, 4), {}, Threads(1))
                  .mean.allFinite());
  // A cell outside counts as the end of the range it is beyond, and a row of
  // which a cell is missing adds nothing.
  const Columns clipped{Vector{{kNan, 4, -4, 4, 0, 4}},
                        Vector{{1.5, kNan, -1.5, 0, 1.5, -1.5}}};
  EXPECT_EQ(ReleaseOfVariational(plan, clipped.Rows(), 4)
                .content()
                .statistic.integers,
            release.content().statistic.integers);
}

TEST(VariationalTest, InducingPointsAreARegularGridOverTheRanges) {
  const SharedSetting setting =
      HiddenSetting(1024, Vector{{0, 10}}, Vector{{1, 20}}, {"x", "y"},
                    NumberOutput{"y", OutputBounds(-1.5, 1.5)}, Threads(2));
  const Budget budget(1, 1e-4);
  VariationalOptions options = SomeVariational();
  options.inducing_points.reset();
  options.kernel = Kernel::Eq(1, {0.5, 5});
  options.grid = {2, 3};
  Matrix Z(6, 2);
  Z << 0, 10, 1, 10, 0, 15, 1, 15, 0, 20, 1, 20;
  EXPECT_EQ(VariationalPlan(setting, budget, options).inducing_points(), Z);
  options.grid = {1, 1};
  Z.resize(1, 2);
  Z << 0.5, 15;
  EXPECT_EQ(VariationalPlan(setting, budget, options).inducing_points(), Z);
  options.grid = {40};
  EXPECT_THROW(VariationalPlan(setting, budget, options), InvalidInput);
  options.grid = {2, 2, 2};
  EXPECT_THROW(VariationalPlan(setting, budget, options), InvalidInput);
  options.grid = {3};
  options.noise_variance = 0;
  EXPECT_THROW(VariationalPlan(setting, budget, options), InvalidInput);
}

}  // namespace
}  // namespace cloak
