// Private cells that are missing: what a release makes of the rest.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "cloak/base/special_values.h"
#include "cloak/models/rows/histogram.h"
#include "cloak/models/rows/rows_optimal.h"
#include "tests/testing/planned_table.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

constexpr Index kRowsOfCurve = 500;

// Far from the middle of the bounds, 100.
double CurveOfMissing(double x) { return 150 + 20 * std::sin(x); }

struct CurveTable {
  Matrix X = Vector::LinSpaced(kRowsOfCurve, 0, 7);
  Vector y = Vector(kRowsOfCurve);
  std::vector<Index> present;

  explicit CurveTable(unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, 4);
    for (Index i = 0; i < kRowsOfCurve; ++i) {
      y(i) = CurveOfMissing(X(i, 0)) + noise(random);
      if (random() % 5 > 0) present.push_back(i);
    }
  }
  // The outputs, with `value` in place of those that are missing.
  Vector With(double value) const {
    Vector outputs = Vector::Constant(kRowsOfCurve, value);
    for (const Index i : present) outputs(i) = y(i);
    return outputs;
  }
};

const OutputBounds kCurveBounds(0, 200);
const Budget kCurveBudget(2, 1e-4);

double SquaredError(const Release& release) {
  const Matrix at = Vector::LinSpaced(71, 0, 7);
  const Vector mean = release.Predict(at, {}, Threads(1)).mean;
  return (mean.array() - at.col(0).array().unaryExpr(&CurveOfMissing))
      .square()
      .mean();
}

// Root mean squared errors over draws of the table and the noise.
struct MissingErrors {
  double missing = 0;  // a fifth of the outputs is not there
  double dropped = 0;  // those rows are not in the table
  double middle = 0;   // the middle of the bounds stands in their place
};

using ReleaseCurve = std::function<Release(const Matrix& X, const Vector& y,
                                           Randomness& random)>;

// Enough to see a curve that is bent.
constexpr unsigned kFewDraws = 16;

MissingErrors ErrorsOf(const ReleaseCurve& release, unsigned draws) {
  MissingErrors errors;
  for (unsigned draw = 0; draw < draws; ++draw) {
    const CurveTable table(draw);
    Randomness random = RandomnessForTesting::Seeded(draw);
    errors.missing += SquaredError(release(table.X, table.With(kNan), random));
    if (draw < kFewDraws) {
      errors.middle += SquaredError(
          release(table.X, table.With(kCurveBounds.middle()), random));
    }
    errors.dropped += SquaredError(release(table.X(table.present, Eigen::all),
                                           table.y(table.present), random));
  }
  errors.missing = std::sqrt(errors.missing / draws);
  errors.middle = std::sqrt(errors.middle / std::min(draws, kFewDraws));
  errors.dropped = std::sqrt(errors.dropped / draws);
  return errors;
}

// Missing outputs cost hardly more than leaving their rows out, which would
// tell whose they are; taken for the middle of the bounds, they would bend the
// curve.
void ExpectUnbent(const ReleaseCurve& release, unsigned draws) {
  const MissingErrors errors = ErrorsOf(release, draws);
  EXPECT_LT(errors.missing, 1.15 * errors.dropped);
  EXPECT_GT(errors.middle, 1.25 * errors.dropped);
}

RegressionOptions GivenCurve(RegressionOptions::Method method) {
  RegressionOptions options;
  options.method = method;
  options.kernel =
      Kernel::Parse("bias(3000) + eq(variance=400, lengthscale=1.5)");
  options.noise_variance = 16;
  options.input_names = {"x"};
  options.output_name = "y";
  return options;
}

ReleaseCurve ByRegression(const RegressionOptions& options) {
  return [options](const Matrix& X, const Vector& y, Randomness& random) {
    return RegressionPlan(X, kCurveBounds, kCurveBudget, options, Threads(1))
        .Execute(Secret<Vector>(y), random);
  };
}

TEST(MissingCellsTest, OutputsDoNotBendACurveThatIsLearned) {
  RegressionOptions options;
  options.input_names = {"x"};
  options.output_name = "y";
  // What is learned differs much from draw to draw: the ratio of 16 draws is
  // anywhere between 1 and 1.3, that of 128 about 1.1.
  ExpectUnbent(ByRegression(options), 128);
}

TEST(MissingCellsTest, OutputsDoNotBendACurveOfAnyMethod) {
  RegressionOptions one_round = GivenCurve(RegressionOptions::kOptimal);
  one_round.one_round = true;
  RegressionOptions cloaking = GivenCurve(RegressionOptions::kCloaking);
  cloaking.query_points = Matrix(Vector::LinSpaced(15, 0, 7));
  for (const RegressionOptions& options :
       {GivenCurve(RegressionOptions::kOptimal), one_round, cloaking}) {
    SCOPED_TRACE(NameOf(options.method));
    ExpectUnbent(ByRegression(options), kFewDraws);
  }
}

// How many outputs of a bin are missing is known only through noise, which
// counts as much as the bin is far from the middle of the bounds: here it costs
// a quarter.
TEST(MissingCellsTest, OutputsDoNotBendBins) {
  RegressionOptions bins = GivenCurve(RegressionOptions::kIntegralBinning);
  bins.bins = 12;
  const MissingErrors errors = ErrorsOf(ByRegression(bins), 100);
  EXPECT_LT(errors.missing, 1.3 * errors.dropped);
  EXPECT_GT(errors.middle, 2 * errors.dropped);
}

TEST(MissingCellsTest, OutputsOfWholeRowsDoNotBendACurve) {
  ExpectUnbent(
      [](const Matrix& X, const Vector& y, Randomness& random) {
        const RowsOptimalPlan plan(
            HiddenSetting(X.rows(), Vector{{0}}, Vector{{7}}, {"x"},
                          NumberOutput{"y", kCurveBounds}, Threads(1)),
            {.budget = kCurveBudget});
        return plan.Execute({{Secret<Vector>(X.col(0))}, Secret<Vector>(y)},
                            random);
      },
      kFewDraws);
}

// Where half of the labels are missing, probabilities are what they are
// without.
TEST(MissingCellsTest, LabelsDoNotMoveProbabilities) {
  constexpr Index kLabels = 2000;
  const Matrix X = Vector::LinSpaced(kLabels, 0, 1);
  Vector y = Vector::Constant(kLabels, -1);
  for (Index i = 0; i < kLabels; ++i) y(i) = i % 20 == 0 ? -1 : 1;
  Vector missing = y;
  for (Index i = 1; i < kLabels; i += 2) missing(i) = kNan;
  // Every tenth of the labels that are left is of the first class.
  ClassificationOptions options;
  options.classes = {"no", "yes"};
  options.input_names = {"x"};
  options.output_name = "y";
  const ClassificationPlan plan(X, Budget(2, 1e-4), options, Threads(1));
  Randomness random = RandomnessForTesting::Seeded(1);
  const Matrix probability = plan.Execute(Secret<Vector>(missing), random)
                                 .PredictClasses(Matrix{{0.5}}, Threads(1))
                                 .probability;
  EXPECT_NEAR(probability(0, 1), 0.9, 0.04);
}

TEST(MissingCellsTest, AHistogramCountsTheRowsThatHaveAValue) {
  constexpr Index kCounted = 5000;
  Vector x = Vector::LinSpaced(kCounted, 0, 10);
  for (Index i = 0; i < kCounted; i += 4) x(i) = kNan;
  const HistogramPlan plan(
      HiddenSetting(kCounted, {}, {}, {}, std::monostate(), Threads(1)),
      {.budget = {.epsilon = 1}, .axes = {EqualBins("x", 0, 10, 10)}});
  Randomness random = RandomnessForTesting::Seeded(1);
  const std::vector<Secret<Vector>> columns = {Secret<Vector>(x)};
  const Release release = plan.Execute(PrivateRows(columns), random);
  const Histogram& histogram = *release.content().histogram;
  EXPECT_NEAR(histogram.count.sum(), 0.75 * kCounted, 15);
  for (const double count : histogram.count) EXPECT_NEAR(count, 375, 20);
  EXPECT_NEAR(release.PredictCounts(Matrix{{5.5}}).fraction(0), 0.1, 0.005);
}

}  // namespace
}  // namespace cloak
