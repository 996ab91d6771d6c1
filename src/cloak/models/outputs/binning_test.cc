#include "cloak/models/outputs/binning.h"

#include <gmock/gmock.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <random>
#include <string>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/grid.h"
#include "cloak/linalg/rounded_range.h"
#include "cloak/release/file_format.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using testing::HasSubstr;

constexpr int64_t kWidthInSteps = int64_t{1} << 20;

Setting SettingOfBins(const Matrix& X) {
  std::vector<std::string> names;
  for (Index d = 0; d < X.cols(); ++d) names.push_back(Text("x", d));
  return {.input_names = names,
          .inputs = PublicInputs{X},
          .output = NumberOutput{"y", OutputBounds(-4, 4)},
          .threads = Threads(1)};
}

SharedSetting Shared(Setting setting) {
  return std::make_shared<const Setting>(std::move(setting));
}

Matrix UniformInputs(Index rows, Index inputs, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 10);
  Matrix X(rows, inputs);
  for (double& x : X.reshaped()) x = uniform(random);
  return X;
}

Vector NormalVector(Index size, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Vector z(size);
  for (double& entry : z) entry = normal(random);
  return z;
}

Release ExecuteBinning(const BinningPlan& plan, const Vector& y,
                       uint64_t seed) {
  Randomness randomness = RandomnessForTesting::Seeded(seed);
  return plan.Execute(Secret<Vector>(y), randomness);
}

// The sums and then the outputs that are not missing, both by bin.
std::vector<int64_t> Published(const Release& release) {
  const ReleaseContent& content = release.content();
  std::vector<int64_t> integers;
  for (const std::string& text : content.statistic.integers) {
    integers.push_back(std::stoll(text));
  }
  for (const std::string& text : content.earlier_statistics[0].integers) {
    integers.push_back(std::stoll(text));
  }
  return integers;
}

// Σ_b |t_b − t_b'| of two tables with the same noise.
int64_t Distance(const BinningPlan& plan, const Vector& y, const Vector& other,
                 uint64_t seed) {
  const std::vector<int64_t> a = Published(ExecuteBinning(plan, y, seed));
  const std::vector<int64_t> b = Published(ExecuteBinning(plan, other, seed));
  int64_t distance = 0;
  for (size_t k = 0; k < a.size(); ++k) distance += std::abs(a[k] - b[k]);
  return distance;
}

Regression Binning(double epsilon) {
  return {.budget = PureBudget(epsilon), .method = Regression::kBinning};
}

Regression TenBins(double epsilon = 1) {
  Regression options = Binning(epsilon);
  options.bins = 10;
  options.lower = Vector{{0.0}};
  options.upper = Vector{{10.0}};
  return options;
}

Regression Integral(const char* kernel, double epsilon = 1) {
  Regression options = TenBins(epsilon);
  options.method = Regression::kIntegralBinning;
  options.kernel = Kernel::Parse(kernel);
  options.noise_variance = 0.25;
  return options;
}

TEST(BinningPrivacy, TheWorstNeighbourMovesTheIntegersByTheWidthExactly) {
  const Matrix X = UniformInputs(60, 1, 1);
  const BinningPlan plan(Shared(SettingOfBins(X)), TenBins());
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> anywhere(-6, 6);
  for (Index i = 0; i < 60; i += 7) {
    Vector y = NormalVector(60, random);
    y(i) = -4;
    Vector other = y;
    other(i) = 4;
    EXPECT_EQ(Distance(plan, y, other, 10 + i), kWidthInSteps);
    // Beyond the bounds it moves no farther, whatever it is.
    y(i) = -std::numeric_limits<double>::infinity();
    other(i) = 1e300;
    EXPECT_EQ(Distance(plan, y, other, 10 + i), kWidthInSteps);
    // Missing: half of that in the sums, and half in how many are not.
    other(i) = std::nan("");
    EXPECT_EQ(Distance(plan, y, other, 10 + i), kWidthInSteps);
    other(i) = anywhere(random);
    EXPECT_LE(Distance(plan, y, other, 10 + i), kWidthInSteps);
  }
  // The noise that goes with it: scale 2^20/ε, at least.
  EXPECT_GE(plan.sums().noise_sd() / plan.sums().sum_step(),
            std::sqrt(2.0) * kWidthInSteps * 0.999999);
  EXPECT_LE(plan.sums().noise_sd() / plan.sums().sum_step(),
            std::sqrt(2.0) * kWidthInSteps * 1.000001);
  EXPECT_NEAR(plan.privacy().noise_sd, std::sqrt(2.0) * 8, 1e-4);
  EXPECT_EQ(plan.privacy().sensitivity, 8);
}

TEST(BinningPrivacy, AUnitMovesThemByItsRowsWhereverTheyAre) {
  const Matrix X = UniformInputs(30, 1, 4);
  Setting setting = SettingOfBins(X);
  std::vector<std::string> labels;
  for (int i = 0; i < 30; ++i) labels.push_back(i < 5 ? "a" : Text(i));
  setting.inputs =
      PublicInputs{.X = X,
                   .units = PrivacyUnits::FromLabels(labels, "person"),
                   .unit_name = "person"};
  const BinningPlan plan(Shared(setting), TenBins());
  Vector y = Vector::Zero(30);
  Vector other = y;
  y.head(5).setConstant(-4);
  other.head(5).setConstant(4);
  EXPECT_EQ(Distance(plan, y, other, 3), 5 * kWidthInSteps);
  EXPECT_GE(plan.sums().noise_sd() / plan.sums().sum_step(),
            4.99999 * std::sqrt(2.0) * kWidthInSteps);
  EXPECT_EQ(plan.neighbours(), Neighbours::kUnit);
  EXPECT_EQ(plan.privacy().sensitivity, 40);
}

TEST(BinningPrivacy, IsPureAndSaysSo) {
  const BinningPlan plan(Shared(SettingOfBins(UniformInputs(50, 1, 3))),
                         TenBins(0.7));
  const auto event = plan.event();
  ASSERT_TRUE(std::holds_alternative<PureEvent>(event));
  EXPECT_LE(std::get<PureEvent>(event).epsilon(), 0.7);
  EXPECT_GE(std::get<PureEvent>(event).epsilon(), 0.6999999);
  EXPECT_EQ(plan.privacy().delta, 0);
  const Release release = ExecuteBinning(plan, Vector::Zero(50), 1);
  EXPECT_THAT(release.PrivacyInWords(), testing::Not(HasSubstr("delta")));
  const Release read = ReleaseFromJson(ReleaseToJson(release), "binning");
  const Matrix Xs = Vector::LinSpaced(30, -1, 11);
  EXPECT_EQ(read.Predict(Xs, {}, Threads(1)).mean,
            release.Predict(Xs, {}, Threads(1)).mean);
}

TEST(Binning, PredictsTheNoisyMeanOfTheBinWithItsError) {
  // 3 rows in [0, 1), 1 in [9, 10], nothing between.
  const Matrix X{{0.1}, {0.5}, {0.9}, {9.5}};
  Regression options = TenBins(2);
  options.noise_variance = 0.5;
  const BinningPlan plan(Shared(SettingOfBins(X)), options);
  const Release release = ExecuteBinning(plan, Vector{{1, 2, 3, -1}}, 8);
  const std::vector<int64_t> t = Published(release);
  ASSERT_EQ(t.size(), 4U);
  const Predictions at = release.Predict(
      Matrix{{0.0}, {0.99}, {9.0}, {5.0}, {1e6}}, {.latent = true}, Threads(1));
  const double unit = 8.0 / kWidthInSteps;
  const double first = static_cast<double>(t[0]) * unit / 3;
  const double last = static_cast<double>(t[1]) * unit;
  EXPECT_NEAR(at.mean(0), first, 1e-9);
  EXPECT_NEAR(at.mean(1), first, 1e-9);
  EXPECT_NEAR(at.mean(2), last, 1e-9);
  EXPECT_NEAR(at.mean(4), last, 1e-9);  // the nearest bin
  const double noise = std::sqrt(2.0) * 8 / 2;
  EXPECT_NEAR(at.sd(0), std::sqrt(0.5 / 3 + noise * noise / 9), 2e-4);
  EXPECT_NEAR(at.privacy_sd(0), noise / 3, 2e-4);
  EXPECT_NEAR(at.sd(2), std::sqrt(0.5 + noise * noise), 5e-4);
  // An empty bin has the prior: the middle of the bounds, and their width is
  // two standard deviations.
  EXPECT_NEAR(at.mean(3), 0, 1e-12);
  EXPECT_NEAR(at.sd(3), 4, 1e-12);
  EXPECT_NEAR(plan.summary().expected_sd,
              std::sqrt((0.5 + noise * noise / 3 + 0.5 + noise * noise) / 4),
              1e-5);
  EXPECT_NEAR(plan.summary().expected_sd_without_privacy, std::sqrt(1.0 / 4),
              1e-9);
}

TEST(Binning, SumsAreRelativeToThePriorMean) {
  const Matrix X{{0.5}, {0.6}, {5.5}};
  Setting setting = SettingOfBins(X);
  setting.output = NumberOutput{"y", OutputBounds(-4, 4), 3};
  const Vector y{{1, 2, -3}};
  for (const Regression& options :
       {TenBins(1e5), Integral("eq(1e4, lengthscale=5)", 1e5)}) {
    const Release release =
        ExecuteBinning(BinningPlan(Shared(setting), options), y, 5);
    const Vector mean =
        release.Predict(Matrix{{0.5}, {5.5}}, {}, Threads(1)).mean;
    EXPECT_NEAR(mean(0), 1.5, 0.05);
    EXPECT_NEAR(mean(1), -3, 0.05);
  }
}

// The textbook: f(x*) | ȳ with ȳ_b = F_b + N(0, σ²/n_b + s²/n_b²).
TEST(IntegralBinning, IsTheProcessGivenTheNoisyMeans) {
  const Matrix X = UniformInputs(300, 2, 6);
  Regression options = Binning(1);
  options.method = Regression::kIntegralBinning;
  options.bins = {4, 5};
  options.kernel = Kernel::Parse("bias(2) + eq(3, lengthscale=[4, 6])");
  options.noise_variance = 0.25;
  const BinningPlan plan(Shared(SettingOfBins(X)), options);
  std::mt19937_64 random(9);
  const Release release = ExecuteBinning(plan, NormalVector(300, random), 11);

  const auto [low, high] = RoundBox(X);
  const Grid grid(low, high, {4, 5});
  std::vector<Index> cells(20);
  Vector counts = Vector::Zero(20);
  for (Index c = 0; c < 20; ++c) cells[static_cast<size_t>(c)] = c;
  for (const Index cell : grid.CellsOf(X)) ++counts(cell);
  ASSERT_GE(counts.minCoeff(), 1);
  const Boxes boxes = grid.BoxesOf(cells);
  const std::vector<int64_t> t = Published(release);
  Vector means(20);
  for (Index b = 0; b < 20; ++b) {
    means(b) = static_cast<double>(t[static_cast<size_t>(b)]) * 8 /
               kWidthInSteps / counts(b);
  }
  const double s = plan.privacy().noise_sd;
  Matrix A = options.kernel->BoxCovariance(boxes, boxes, Threads(1));
  A.diagonal().array() +=
      0.25 / counts.array() + s * s / counts.array().square();
  const Matrix Xs = UniformInputs(25, 2, 7);
  const Matrix C = options.kernel->BoxCovariance({Xs, Xs}, boxes, Threads(1));
  const Eigen::LLT<Matrix> factor(A);
  const Vector mean = C * factor.solve(means);
  const Vector variance =
      options.kernel->Variances(Xs) -
      C.cwiseProduct(factor.solve(C.transpose()).transpose()).rowwise().sum();

  const Predictions at = release.Predict(Xs, {.latent = true}, Threads(1));
  EXPECT_LT((at.mean - mean).cwiseAbs().maxCoeff(), 2e-3);
  EXPECT_LT((at.sd - variance.cwiseSqrt()).cwiseAbs().maxCoeff(), 2e-3);
  EXPECT_GT(at.privacy_sd.minCoeff(), 0.01);
  const Predictions inputs = release.Predict(X, {.latent = true}, Threads(1));
  EXPECT_NEAR(plan.summary().expected_sd,
              std::sqrt(inputs.sd.squaredNorm() / 300), 5e-5);
  EXPECT_LT(plan.summary().expected_sd_without_privacy,
            plan.summary().expected_sd);
}

// How often the 95 % interval holds f, which is drawn as the model says.
double Coverage(const Regression& options, const Kernel& truth) {
  const Matrix X = UniformInputs(400, 1, 12);
  const Matrix Xs = Vector::LinSpaced(20, 0.25, 9.75);
  Matrix both(420, 1);
  both << X, Xs;
  Matrix K = truth.Covariance(both, Threads(1));
  K.diagonal().array() += 1e-8;
  const Matrix L = Eigen::LLT<Matrix>(K).matrixL();
  const BinningPlan plan(Shared(SettingOfBins(X)), options);
  std::mt19937_64 random(13);
  double held = 0;
  constexpr int kTrials = 200;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Vector f = L * NormalVector(420, random);
    const Release release = ExecuteBinning(
        plan, f.head(400) + 0.5 * NormalVector(400, random), trial);
    const Predictions at = release.Predict(Xs, {.latent = true}, Threads(1));
    held += ((at.lower.array() <= f.tail(20).array()) &&
             (f.tail(20).array() <= at.upper.array()))
                .cast<double>()
                .mean();
  }
  return held / kTrials;
}

TEST(Binning, IntervalsHoldTheFunctionAsOftenAsTheySay) {
  Regression options = TenBins();
  options.noise_variance = 0.25;
  const double held = Coverage(options, Kernel::Bins(1, 0, 10, 10));
  EXPECT_GT(held, 0.92);
  EXPECT_LT(held, 0.98);
}

TEST(IntegralBinning, IntervalsHoldTheFunctionAsOftenAsTheySay) {
  const char* kernel = "eq(1, lengthscale=2)";
  const double held = Coverage(Integral(kernel), Kernel::Parse(kernel));
  EXPECT_GT(held, 0.92);
  EXPECT_LT(held, 0.98);
}

TEST(BinningErrors, SayWhatDoesNotFit) {
  const auto message = [](const Setting& setting,
                          const Regression& options) -> std::string {
    try {
      BinningPlan(Shared(setting), options);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "no error";
  };
  const Setting setting = SettingOfBins(UniformInputs(30, 1, 1));
  Regression options = Integral("matern32()");
  EXPECT_THAT(message(setting, options), HasSubstr("matern32 has no means"));
  options.kernel.reset();
  EXPECT_THAT(message(setting, options), HasSubstr("give the kernel"));
  options = TenBins();
  options.kernel = Kernel::Eq(1, 1);
  EXPECT_THAT(message(setting, options), HasSubstr("'binning' has no kernel"));
  options = TenBins();
  options.bins = 2.5;
  EXPECT_THAT(message(setting, options), HasSubstr("whole number"));
  options = TenBins();
  options.upper = Vector{{1, 2}};
  EXPECT_THAT(message(setting, options), HasSubstr("each of the 1 inputs"));
  options.upper = Vector{{-1.0}};
  EXPECT_THAT(message(setting, options), HasSubstr("lower < upper"));
  options = Binning(1);
  options.bins = 1e6;
  EXPECT_THAT(message(SettingOfBins(UniformInputs(2500, 1, 1)), options),
              HasSubstr("at most 2000 bins, but occupy 2"));
  Setting large = SettingOfBins(Matrix::Ones(5000, 1));
  auto& inputs = std::get<PublicInputs>(large.inputs);
  inputs.units =
      PrivacyUnits::FromLabels(std::vector<std::string>(5000, "a"), "person");
  inputs.unit_name = "person";
  EXPECT_THAT(message(large, Binning(1)), HasSubstr("at most 4096 rows"));
  // Outputs of another number than the rows.
  const BinningPlan plan(Shared(setting), TenBins());
  EXPECT_THROW(ExecuteBinning(plan, Vector::Zero(29), 1), InvalidInput);
}

TEST(Binning, OfAnInputThatIsAlwaysTheSameHasOneBin) {
  const BinningPlan plan(Shared(SettingOfBins(Matrix::Constant(20, 1, 7))),
                         Binning(100));
  EXPECT_EQ(plan.summary().rank, 2);
  const Release release = ExecuteBinning(plan, Vector::Constant(20, 2), 1);
  EXPECT_NEAR(release.Predict(Matrix{{7.0}}, {}, Threads(1)).mean(0), 2, 0.1);
}

}  // namespace
}  // namespace cloak
