#include "cloak/privacy/coinpress_mean.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/exact_normal.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/exact_integers.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;
using Precise100 = boost::multiprecision::cpp_bin_float_100;

static_assert(
    !std::is_invocable_v<decltype(&CoinpressMean::Release),
                         const CoinpressMean&, const Matrix&, Randomness&>);

CoinpressOptions Steps(int steps) {
  CoinpressOptions options;
  options.steps = steps;
  return options;
}

NoisyMean ReleaseMean(const CoinpressMean& mechanism, const Matrix& rows,
                      uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  return mechanism.Release(Secret<Matrix>(rows), random);
}

// In exact integers: with the same seed the noise is the same, and cancels.
cpp_int MeanDistance(const CoinpressMean& mechanism, const Matrix& rows,
                     const Matrix& others) {
  return SquaredDistance(ReleaseMean(mechanism, rows, 1).integers,
                         ReleaseMean(mechanism, others, 1).integers);
}

double AnyCoordinate() {
  const double part = 1e-6 * *rc::gen::inRange(-1000000, 1000000);
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return *rc::gen::element(kInfinity, -kInfinity, kNan, 0.0);
    case 1:
      return std::ldexp(part, *rc::gen::inRange(-1070, 1024));
    case 2:
      return 1e6 * part;
    default:
      return 10 * part;
  }
}

// One step is what every step does, with a ball that is public.
RC_GTEST_PROP(CoinpressMeanTest, OneRowMovedAnywhereStaysWithinTheSensitivity,
              ()) {
  const Index n = *rc::gen::inRange(1, 5);
  const Index columns = *rc::gen::inRange(1, 6);
  Vector centre(columns);
  for (double& number : centre) number = *rc::gen::inRange(-5, 5);
  const double radius = std::ldexp(1.3, *rc::gen::inRange(-100, 100));
  const CoinpressMean mechanism(n, centre, radius, Budget(1, 1e-5), Steps(1));
  Matrix rows(n, columns);
  for (double& number : rows.reshaped()) number = AnyCoordinate();
  Matrix others = rows;
  const Index moved = *rc::gen::inRange<Index>(0, n);
  for (Index k = 0; k < columns; ++k) others(moved, k) = AnyCoordinate();
  RC_ASSERT(MeanDistance(mechanism, rows, others) <=
            Exact(mechanism.noises().front().sensitivity_squared()));
}

TEST(CoinpressMeanTest, OppositeRowsFarAwayAttainTheSensitivity) {
  for (const Index columns : {1, 2, 7}) {
    const CoinpressMean mechanism(3, Vector::Zero(columns), 10, Budget(1, 1e-5),
                                  Steps(1));
    Matrix rows = Matrix::Random(3, columns);
    Matrix others = rows;
    rows.row(1) = 1e9 * Vector::Random(columns).transpose();
    others.row(1) = -rows.row(1);
    const double ratio =
        MeanDistance(mechanism, rows, others).convert_to<double>() /
        static_cast<double>(mechanism.noises().front().sensitivity_squared());
    EXPECT_GT(ratio, 1 - 1e-8) << columns;
  }
}

TEST(CoinpressMeanTest, EachRowIsClippedBeforeTheMeanIsTaken) {
  const Index n = 100;
  const Vector centre = Vector::Constant(2, 1);
  const CoinpressMean mechanism(n, centre, 10, Budget(1, 1e-5), Steps(1));
  const Matrix rows = Matrix::Random(n, 2);
  const NoisyMean before = ReleaseMean(mechanism, rows, 5);
  Matrix others = rows;
  others.row(7) << 1 + 3e30, 1 - 4e30;
  const Vector moved = ReleaseMean(mechanism, others, 5).mean - before.mean;
  Vector expected(2);
  expected << 0.6, -0.8;
  expected = centre + before.clip_radius * expected - rows.row(7).transpose();
  EXPECT_LT((n * moved - expected).norm(), 1e-6);
  // A row within the ball is not touched.
  others.row(7) << 5, -6;
  const Vector within = ReleaseMean(mechanism, others, 5).mean - before.mean;
  EXPECT_LT((n * within - (others.row(7) - rows.row(7)).transpose()).norm(),
            1e-6);
  // And one that is not a number counts as the centre.
  others.row(7) << kNan, 3;
  const Vector missing = ReleaseMean(mechanism, others, 5).mean - before.mean;
  EXPECT_LT((n * missing - (centre - rows.row(7).transpose())).norm(), 1e-6);
}

// In 100 digits.
TEST(CoinpressMeanTest, AllStepsTogetherKeepTheBudget) {
  for (const int steps : {1, 3, 12}) {
    for (const double last_share : {0.1, 0.75}) {
      const Budget budget(0.7, 1e-6);
      CoinpressOptions options = Steps(steps);
      options.last_share = last_share;
      const CoinpressMean mechanism(50, Vector::Zero(2), 10, budget, options);
      ASSERT_EQ(mechanism.noises().size(), static_cast<size_t>(steps));
      Precise100 squared_mu = 0;
      for (const ExactGaussian& noise : mechanism.noises()) {
        const Precise100 s(Exact(noise.scale()));
        squared_mu += Precise100(Exact(noise.sensitivity_squared())) / (s * s);
      }
      const Precise100 sigma(GaussianSigma(budget));
      const Precise100 used = squared_mu * sigma * sigma;
      EXPECT_LE(used, 1 + Precise100("1e-90"));
      EXPECT_GT(used, 0.999999);
      const Precise100 mu(mechanism.mu());
      EXPECT_GE(mu * mu, squared_mu);
    }
  }
}

// Normal rows of this mean, and deviation 1.
Matrix NormalRows(Index n, const Vector& mean, uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  Matrix rows(n, mean.size());
  for (double& number : rows.reshaped()) {
    number = std::ldexp(
        static_cast<double>(RoundedNormal(Uint128{1} << 40, random)), -40);
  }
  return rows.rowwise() + mean.transpose();
}

TEST(CoinpressMeanTest, StepsFindAMeanInAVeryLargeBall) {
  const Index n = 2000;
  Vector mean(3);
  mean << 500, -300, 200;
  const Matrix rows = NormalRows(n, mean, 8);
  const Vector exact = rows.colwise().mean();
  const Budget budget(1, 1e-6);
  const CoinpressMean single(n, Vector::Zero(3), 1000, budget, Steps(1));
  const CoinpressMean several(n, Vector::Zero(3), 1000, budget, Steps(4));
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const NoisyMean rough = ReleaseMean(single, rows, seed);
    const NoisyMean fine = ReleaseMean(several, rows, seed);
    EXPECT_LT((fine.mean - exact).norm(), 5 * fine.noise_sd);
    EXPECT_LT((rough.mean - exact).norm(), 5 * rough.noise_sd);
    EXPECT_LT(fine.noise_sd, rough.noise_sd / 50);
    EXPECT_LT(fine.clip_radius, 10);
  }
}

TEST(CoinpressMeanTest, ABallThatCannotBeTightenedStaysAsItWas) {
  const CoinpressMean mechanism(5, Vector::Zero(1), 10, Budget(0.01, 1e-6),
                                Steps(12));
  const NoisyMean noisy = ReleaseMean(mechanism, Matrix::Random(5, 1), 1);
  EXPECT_EQ(noisy.clip_centre, Vector::Zero(1));
  EXPECT_LT(noisy.clip_radius, 20);
}

TEST(CoinpressMeanTest, TheNoiseHasTheScaleThatIsReported) {
  const Matrix rows = Matrix::Zero(4, 2);
  const CoinpressMean mechanism(4, Vector::Zero(2), 3, Budget(1, 1e-5),
                                Steps(1));
  Randomness random = RandomnessForTesting::Seeded(9);
  const Secret<Matrix> secret(rows);
  std::vector<double> noise;
  double noise_sd = 0;
  for (int i = 0; i < 10000; ++i) {
    const NoisyMean noisy = mechanism.Release(secret, random);
    noise.insert(noise.end(), noisy.mean.begin(), noisy.mean.end());
    noise_sd = noisy.noise_sd;
  }
  // Delta = 2 w/n under substitution.
  const double w = ReleaseMean(mechanism, rows, 1).clip_radius;
  EXPECT_NEAR(noise_sd, GaussianSigma(Budget(1, 1e-5)) * 2 * w / 4,
              1e-6 * noise_sd);
  EXPECT_GT(NormalScalePValue(noise, noise_sd), kFalseAlarm);
  EXPECT_LT(NormalScalePValue(noise, 0.95 * noise_sd), kFalseAlarm);
  EXPECT_LT(NormalScalePValue(noise, 1.05 * noise_sd), kFalseAlarm);
}

TEST(CoinpressMeanTest, TheEstimateIsWhatTheUnitsSay) {
  const CoinpressMean mechanism(10, Vector::Constant(2, 4), 3, Budget(1, 1e-5));
  const NoisyMean noisy = ReleaseMean(mechanism, Matrix::Random(10, 2), 3);
  for (Index k = 0; k < 2; ++k) {
    const auto units = static_cast<double>(noisy.integers[size_t(k)]);
    EXPECT_EQ(noisy.mean(k), noisy.clip_centre(k) + units * noisy.step / 10);
  }
}

TEST(CoinpressMeanTest, ArgumentsThatMakeNoSenseAreRefused) {
  const Budget budget(1, 1e-5);
  const Vector zero = Vector::Zero(2);
  EXPECT_THROW(CoinpressMean(0, zero, 1, budget), InvalidInput);
  EXPECT_THROW(CoinpressMean(5, Vector(), 1, budget), InvalidInput);
  EXPECT_THROW(CoinpressMean(5, Vector::Constant(2, kNan), 1, budget),
               InvalidInput);
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) {
    EXPECT_THROW(CoinpressMean(5, zero, bad, budget), InvalidInput) << bad;
    CoinpressOptions options;
    options.deviation = bad;
    EXPECT_THROW(CoinpressMean(5, zero, 1, budget, options), InvalidInput);
    options = {};
    options.last_share = bad;
    EXPECT_THROW(CoinpressMean(5, zero, 1, budget, options), InvalidInput);
    options = {};
    options.failure = bad;
    EXPECT_THROW(CoinpressMean(5, zero, 1, budget, options), InvalidInput);
  }
  EXPECT_THROW(CoinpressMean(5, zero, 1, budget, Steps(0)), InvalidInput);
  EXPECT_THROW(CoinpressMean(5, zero, 1, budget, Steps(101)), InvalidInput);
  const CoinpressMean mechanism(5, zero, 1, budget);
  EXPECT_THROW(ReleaseMean(mechanism, Matrix::Zero(4, 2), 1), InvalidInput);
  EXPECT_THROW(ReleaseMean(mechanism, Matrix::Zero(5, 3), 1), InvalidInput);
}

}  // namespace
}  // namespace cloak
