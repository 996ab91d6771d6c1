#include "cloak/models/outputs/linear_prediction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/selection/residual_norm.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

const OutputBounds kPredictionBounds(-5, 7);

Matrix EightInputs() {
  return Vector{{0.0, 0.7, 1.1, 2.5, 3.0, 4.2, 6.0, 6.1}};
}

Vector EightOutputs() { return Vector{{2, -1, 1.5, 4, -0.5, 3, 1, -2}}; }

std::vector<Fold> ThreeFolds() {
  return {{{0, 3, 6}, {1, 2, 4, 5, 7}},
          {{1, 4, 7}, {0, 2, 3, 5, 6}},
          {{2, 5}, {0, 1, 3, 4, 6, 7}}};
}

RegressionOptions OptionsOf(Regression::Method method, double epsilon = 1) {
  RegressionOptions options;
  options.budget = Budget(epsilon, 0.01);
  options.method = method;
  options.inducing = {3};
  if (method != RegressionOptions::kPolynomial) {
    options.kernel = Kernel::Parse("bias(4) + eq(variance=2, lengthscale=1.5)");
  }
  options.noise_variance = 0.3;
  options.input_names = {"x"};
  options.output_name = "y";
  return options;
}

SharedSetting EightRows(const RegressionOptions& options) {
  return OpenSetting(EightInputs(),
                     NumberOutput{{}, kPredictionBounds, options.prior_mean},
                     options, Threads(1));
}

// scikit-learn's figures (testdata/make_fold_oracle.py).
TEST(CrossValidateTest, AgreesWithAnIndependentImplementation) {
  const RegressionOptions options = OptionsOf(RegressionOptions::kCloaking);
  const Residuals residuals =
      CrossValidate(*EightRows(options), options, ThreeFolds());
  const Vector norms{{1.0910785554514257, 1.4299884265890306,
                      1.1895719356562544, 1.2542193581683707,
                      1.4359452741924539, 1.0815679456962377,
                      1.3656385989112967, 1.3135900524428368}};
  EXPECT_LT(
      (residuals.T.colwise().norm().transpose() - norms).cwiseAbs().maxCoeff(),
      1e-6);
  EXPECT_NEAR((residuals.T * (EightOutputs().array() - 1).matrix()).norm(),
              8.488844351811798, 1e-5);
  // The utility as it is chosen by: with the noise, of outputs as integers.
  const ResidualNorm norm(residuals, PrivacyUnits::EachRow(8),
                          kPredictionBounds, 1);
  EXPECT_NEAR(norm.Utility(EightOutputs()),
              -std::sqrt(8.488844351811798 * 8.488844351811798 +
                         residuals.squared_noise),
              1e-4);
  EXPECT_NEAR(norm.sensitivity(), 12 * 1.4359452741924539, 1e-4);
}

// A fold is said to predict what a release of its rest predicts, for
// every method; and the noise in it has the variance it is said to have.
TEST(PredictFoldTest, IsWhatAReleaseOfTheRestPredicts) {
  const Fold fold = ThreeFolds()[0];
  for (const Regression::Method method : LinearMethods()) {
    SCOPED_TRACE(NameOf(method));
    RegressionOptions options = OptionsOf(method, 3);
    options.prior_mean = 0.4;
    // Several rounds clip outputs, which the prediction does not know of.
    options.one_round = true;
    const Matrix X = EightInputs();
    const LinearPrediction predicted =
        PredictFold(*EightRows(options), options, fold);
    const Matrix Xs = X(fold.held_out, Eigen::all);
    const Vector rest = EightOutputs()(fold.rest);
    const Vector expected =
        (predicted.C * (rest.array() - 0.4).matrix()).array() + 0.4;

    if (method == RegressionOptions::kCloaking ||
        method == RegressionOptions::kNonstationaryCloaking) {
      options.query_points = Xs;
    }
    const RegressionPlan plan(X(fold.rest, Eigen::all), kPredictionBounds,
                              Budget(3, 0.01), options, Threads(1));
    Randomness random = RandomnessForTesting::Seeded(5);
    constexpr int kDraws = 1500;
    Vector mean = Vector::Zero(3);
    double squared = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      const Vector drawn = plan.Execute(Secret<Vector>(rest), random)
                               .Predict(Xs, {}, Threads(1))
                               .mean;
      mean += drawn / kDraws;
      squared += (drawn - expected).squaredNorm() / kDraws;
    }
    // Five standard errors of the mean; squares vary by at most √2 of theirs.
    EXPECT_LT((mean - expected).norm(),
              5 * std::sqrt(predicted.squared_noise / kDraws));
    EXPECT_NEAR(squared / predicted.squared_noise, 1,
                5 * std::sqrt(2.0 / kDraws));
  }
}

TEST(PredictFoldTest, UnitsOfTheRestNeedMoreNoise) {
  RegressionOptions options = OptionsOf(RegressionOptions::kSparseCloaking, 3);
  const Fold fold = ThreeFolds()[0];
  const double alone =
      PredictFold(*EightRows(options), options, fold).squared_noise;
  options.units = PrivacyUnits::FromLabels(
      {"a", "b", "b", "a", "b", "c", "c", "c"}, "the units");
  options.unit_name = "unit";
  EXPECT_GT(PredictFold(*EightRows(options), options, fold).squared_noise,
            1.5 * alone);
}

TEST(PredictFoldTest, WhatIsLearnedOrNotGaussianIsRefused) {
  RegressionOptions learned = OptionsOf(RegressionOptions::kOptimal);
  learned.noise_variance.reset();
  EXPECT_THROW(PredictFold(*EightRows(learned), learned, ThreeFolds()[0]),
               InvalidInput);
  RegressionOptions bins = OptionsOf(RegressionOptions::kBinning);
  bins.kernel.reset();
  bins.budget = PureBudget(1);
  EXPECT_THROW(PredictFold(*EightRows(bins), bins, ThreeFolds()[0]),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
