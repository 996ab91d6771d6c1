#include "cloak/models/infer_anew.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "cloak/base/error.h"
#include "cloak/linalg/microaggregate.h"
#include "cloak/models/make_plan.h"
#include "cloak/release/file_format.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using testing::HasSubstr;

const char kTrueKernel[] = "bias(3000) + eq(variance=900, lengthscale=1.5)";
const char kOtherKernel[] = "bias(3000) + eq(variance=400, lengthscale=0.7)";

constexpr Index kAnewRows = 600;

// Thirty different inputs, of which each belongs to twenty rows.
Setting AnewSetting(std::optional<Vector> noise_variances = {}) {
  Matrix X(kAnewRows, 1);
  for (Index i = 0; i < kAnewRows; ++i) {
    X(i, 0) = 0.25 * static_cast<double>(i % 30);
  }
  return {.input_names = {"x"},
          .inputs = PublicInputs{.X = std::move(X),
                                 .noise_variances = std::move(noise_variances)},
          .output = NumberOutput{"y", OutputBounds(60, 210), {}}};
}

double AnewCurve(double x) { return 130 + 30 * std::sin(x); }

Vector AnewOutputs(unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 4);
  const Matrix X = AnewSetting().X();
  return X.col(0).unaryExpr(
      [&](double x) { return AnewCurve(x) + noise(random); });
}

Regression AnewTask() { return {.budget = Budget(1, 1e-3)}; }

Regression GivenTask(const char* kernel) {
  Regression task = AnewTask();
  task.kernel = Kernel::Parse(kernel);
  task.noise_variance = 16;
  return task;
}

Release MakeRelease(const Setting& setting, const Regression& task,
                    uint64_t seed) {
  const std::unique_ptr<Plan> plan = MakePlan(setting, task);
  Randomness randomness = RandomnessForTesting::Seeded(seed);
  return plan->Execute(Secret<Vector>(AnewOutputs(static_cast<unsigned>(seed))),
                       randomness);
}

// As somebody has it who only has the file.
Release FromFile(const Release& release) {
  return ReleaseFromJson(ReleaseToJson(release), "anew.cloak");
}

Predictions CurveOf(const Release& release) {
  return release.Predict(Vector::LinSpaced(50, -1, 8.5), {.latent = true},
                         Threads(1));
}

void ExpectSameAnswers(const Release& one, const Release& other,
                       double tolerance) {
  const Predictions a = CurveOf(one);
  const Predictions b = CurveOf(other);
  EXPECT_LE((a.mean - b.mean).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_LE((a.sd - b.sd).cwiseAbs().maxCoeff(), tolerance);
}

TEST(InferAnewTest, WithWhatItWasMadeWithItSaysTheSame) {
  Vector noise(kAnewRows);  // the same for all rows of an input
  for (Index i = 0; i < kAnewRows; ++i) {
    noise(i) = 9 + static_cast<double>(i % 30);
  }
  const struct {
    Setting setting;
    Regression task;
  } cases[] = {{AnewSetting(), AnewTask()},
               {AnewSetting(), GivenTask(kTrueKernel)},
               {AnewSetting(noise), GivenTask(kTrueKernel)}};
  for (const auto& [setting, task] : cases) {
    const Release release = MakeRelease(setting, task, 3);
    ASSERT_TRUE(release.content().sites);
    ExpectSameAnswers(InferAnew(FromFile(release), {}, Threads(2)), release,
                      1e-6);
  }
}

// By the basis of the kernel in between, which is another one.
TEST(InferAnewTest, ThereAndBackIsWhereItWas) {
  const Release release = MakeRelease(AnewSetting(), GivenTask(kTrueKernel), 4);
  const InferOptions other = {.kernel = Kernel::Parse(kOtherKernel)};
  const Release there = InferAnew(FromFile(release), other, Threads(1));
  EXPECT_GT((CurveOf(there).mean - CurveOf(release).mean).norm(), 10);
  const InferOptions as_it_was = {.kernel = Kernel::Parse(kTrueKernel),
                                  .noise_variance = 16};
  ExpectSameAnswers(InferAnew(FromFile(there), as_it_was, Threads(1)), release,
                    0.1);
}

// With everything learned, and then inferred with a kernel, the error is that
// of a release that was planned with the kernel: the mean over draws, within
// the noise of so many.
TEST(InferAnewTest, AnotherKernelSaysWhatAReleaseWithItWouldHaveSaid) {
  constexpr int kDraws = 30;
  const Vector x = Vector::LinSpaced(50, 0, 7.25);
  const Vector truth = x.unaryExpr(&AnewCurve);
  const InferOptions options = {.kernel = Kernel::Parse(kTrueKernel),
                                .noise_variance = 16};
  Vector difference(kDraws);
  double error = 0;
  double sd_anew = 0;
  double sd_planned = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const auto seed = static_cast<uint64_t>(100 + draw);
    const Predictions anew =
        InferAnew(MakeRelease(AnewSetting(), AnewTask(), seed), options,
                  Threads(1))
            .Predict(x, {.latent = true}, Threads(1));
    const Predictions planned =
        MakeRelease(AnewSetting(), GivenTask(kTrueKernel), seed)
            .Predict(x, {.latent = true}, Threads(1));
    const double of_planned = (planned.mean - truth).squaredNorm() / 50;
    difference(draw) = (anew.mean - truth).squaredNorm() / 50 - of_planned;
    error += of_planned / kDraws;
    sd_anew += anew.sd.mean() / kDraws;
    sd_planned += planned.sd.mean() / kDraws;
  }
  const double mean = difference.mean();
  const double standard_error =
      (difference.array() - mean).matrix().norm() / kDraws;
  EXPECT_LE(std::abs(mean), 3 * standard_error + 0.1 * error)
      << "of " << error << ", standard error " << standard_error;
  EXPECT_NEAR(sd_anew, sd_planned, 0.2 * sd_planned);
}

TEST(InferAnewTest, ThePriorMeanMovesWhereNothingIsKnown) {
  const Release release =
      MakeRelease(AnewSetting(), GivenTask(kOtherKernel), 5);
  const Matrix far = Matrix::Constant(1, 1, 1000);
  const InferOptions lower = {
      .kernel = Kernel::Parse("eq(variance=400, lengthscale=0.7)"),
      .prior_mean = 100};
  const Release anew = InferAnew(FromFile(release), lower, Threads(1));
  EXPECT_NEAR(anew.Predict(far, {}, Threads(1)).mean(0), 100, 1e-9);
  EXPECT_EQ(anew.content().offset, 100);
}

TEST(InferAnewTest, ThePromiseAndTheStatisticsStayAndTheFileSaysSo) {
  const Release release = MakeRelease(AnewSetting(), AnewTask(), 6);
  EXPECT_FALSE(release.content().inferred_anew);
  const Release anew = InferAnew(
      FromFile(release), {.kernel = Kernel::Parse(kOtherKernel)}, Threads(1));
  const Release read = FromFile(anew);
  EXPECT_TRUE(read.content().inferred_anew);
  EXPECT_EQ(read.PrivacyInWords(), release.PrivacyInWords());
  EXPECT_EQ(read.content().statistic.integers,
            release.content().statistic.integers);
  EXPECT_EQ(read.content().earlier_statistics.size(),
            release.content().earlier_statistics.size());
  ASSERT_TRUE(read.content().sites);
  for (size_t j = 0; j < 5; ++j) {
    EXPECT_EQ(read.content().sites->rounds[j].R,
              release.content().sites->rounds[j].R);
  }
}

TEST(InferAnewTest, NoSiteStandsForFewerThanTenRows) {
  // Each different input belongs to one row.
  Setting setting = AnewSetting();
  std::get<PublicInputs>(setting.inputs).X =
      Vector::LinSpaced(kAnewRows, 0, 7.25);
  for (const double lengthscale : {3.0, 0.15}) {
    Regression task = GivenTask(kTrueKernel);
    task.kernel = Kernel::Bias(3000) + Kernel::Eq(900, lengthscale);
    const ReleaseContent content = MakeRelease(setting, task, 7).content();
    // What is wide is the same for ten rows that lie together, and what is
    // narrow is not.
    EXPECT_EQ(content.sites.has_value(), lengthscale > 1) << content.no_sites;
    EXPECT_EQ(content.no_sites.empty(), lengthscale > 1);
    if (!content.sites) {
      EXPECT_THAT(content.no_sites, HasSubstr("% more error"));
      continue;
    }
    EXPECT_GE(content.sites->rows.minCoeff(), kLeastGroup);
    EXPECT_EQ(content.sites->rows.sum(), kAnewRows);
  }
}

TEST(InferAnewTest, WhatCannotBeIsRefused) {
  const auto refusal = [](const Release& release, const InferOptions& options) {
    try {
      InferAnew(release, options, Threads(1));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  const Release release = MakeRelease(AnewSetting(), AnewTask(), 8);
  EXPECT_THAT(refusal(release, {.prior_mean = 500}), HasSubstr("prior mean"));
  EXPECT_THAT(refusal(release, {.noise_variance = 1e-40}),
              HasSubstr("noise variance"));
  EXPECT_THAT(refusal(release, {.kernel = Kernel::Eq(1, {1, 2})}),
              HasSubstr("input"));
  Regression compact = AnewTask();
  compact.compact = true;
  EXPECT_THAT(
      refusal(MakeRelease(AnewSetting(), compact, 8), {.noise_variance = 9}),
      HasSubstr("left out, as was asked for"));
  Regression cloaking = GivenTask(kTrueKernel);
  cloaking.method = Regression::kCloaking;
  cloaking.query_points = AnewSetting().X().topRows(30);
  EXPECT_THAT(
      refusal(MakeRelease(AnewSetting(), cloaking, 8), {.noise_variance = 9}),
      HasSubstr("'optimal'"));
}

TEST(InferAnewTest, NumbersOutOfProportionAreNoCrash) {
  ReleaseContent content = MakeRelease(AnewSetting(), AnewTask(), 8).content();
  content.sites->rounds.back().R *= 1e300;
  EXPECT_THROW(InferAnew(Release(content), {.noise_variance = 9}, Threads(1)),
               InvalidInput);
}

TEST(InferAnewTest, WithoutSitesAFileIsSmaller) {
  Regression compact = AnewTask();
  compact.compact = true;
  EXPECT_LT(ReleaseToJson(MakeRelease(AnewSetting(), compact, 9)).size(),
            ReleaseToJson(MakeRelease(AnewSetting(), AnewTask(), 9)).size());
}

}  // namespace
}  // namespace cloak
