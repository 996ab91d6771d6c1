#include "cloak/privacy/svm_mechanism.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/hinge_dual.h"
#include "cloak/privacy/hinge_solver.h"
#include "tests/testing/exact_integers.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;

constexpr auto kK = static_cast<double>(kLargestFeatures);
constexpr auto kA = static_cast<double>(HingeDual::kLargestWeight);

SvmSetting SettingOfSvm(Index rows, Index inputs, double cost,
                        double epsilon = 1) {
  return {.rows = rows,
          .lower = Vector::Constant(inputs, -1),
          .upper = Vector::Constant(inputs, 1),
          .features = inputs,
          .norm = 1,
          .cost = cost,
          .budget = Budget(epsilon, 1e-5)};
}

// The inputs themselves, within the unit ball.
Matrix InBall(const Matrix& X) {
  return X / std::sqrt(static_cast<double>(X.cols()));
}
// Much longer than the setting says.
Matrix TooLong(const Matrix& X) { return 1e3 * X; }

// Rows of inputs and, last, the label.
NoisyWeights ReleaseWeights(const SvmMechanism& mechanism, const Matrix& table,
                            const FeatureMap& features, int threads = 1) {
  std::vector<Secret<Vector>> inputs;
  for (Index j = 0; j + 1 < table.cols(); ++j) {
    inputs.emplace_back(Vector(table.col(j)));
  }
  Randomness random = RandomnessForTesting::Seeded(1);
  return mechanism.Release(inputs,
                           Secret<Vector>(Vector(table.col(table.cols() - 1))),
                           features, random, Threads(threads));
}

// |t - t'|² of two tables: with the same seed the noise is the same, and
// cancels.
cpp_int SquaredMove(const SvmMechanism& mechanism, const Matrix& table,
                    const Matrix& other, const FeatureMap& features) {
  const NoisyWeights a = ReleaseWeights(mechanism, table, features);
  const NoisyWeights b = ReleaseWeights(mechanism, other, features);
  cpp_int square = 0;
  for (size_t j = 0; j < a.integers.size(); ++j) {
    const cpp_int d = Exact(a.integers[j]) - Exact(b.integers[j]);
    square += d * d;
  }
  return square;
}

double AnySvmCell() {
  if (*rc::gen::inRange(0, 4) > 0) {
    return -1 + 2e-3 * *rc::gen::inRange(0, 1001);
  }
  return *rc::gen::element(kInfinity, -kInfinity, kNan, 1e308, -0.0, 5e-324,
                           1.0, -1.0);
}

Matrix AnyTable(Index rows, Index columns) {
  return Matrix::NullaryExpr(rows, columns, [] { return AnySvmCell(); });
}

RC_GTEST_PROP(SvmMechanism, NoRowMovesTheWeightsByMoreThanTheSensitivity, ()) {
  const Index rows = *rc::gen::inRange(1, 9);
  const Index inputs = *rc::gen::inRange(1, 4);
  const SvmMechanism mechanism(SettingOfSvm(
      rows, inputs, *rc::gen::element(1e-3, 0.5, 1.0, 7.0, 1e3, 1e6)));
  const Matrix table = AnyTable(rows, inputs + 1);
  Matrix other = table;
  other.row(*rc::gen::inRange(Index{0}, rows)) = AnyTable(1, inputs + 1);
  const FeatureMap features = *rc::gen::arbitrary<bool>() ? InBall : TooLong;
  RC_ASSERT(SquaredMove(mechanism, table, other, features) <=
            Exact(mechanism.noise().sensitivity_squared()));
}

TEST(SvmMechanism, ALabelThatChangesAttainsTheSensitivityButForTheGap) {
  const SvmMechanism mechanism(SettingOfSvm(1, 1, 0.5));
  const cpp_int moved =
      SquaredMove(mechanism, Matrix{{1, 1}}, Matrix{{1, -1}}, InBall);
  const auto ratio =
      static_cast<double>(moved) /
      static_cast<double>(mechanism.noise().sensitivity_squared());
  EXPECT_NEAR(std::sqrt(ratio), 1 / (1 + 0x1p-6), 1e-5);
}

TEST(SvmMechanism, HasThePublishedSensitivityAndTheAnalyticNoise) {
  SvmSetting setting = SettingOfSvm(200, 3, 5);
  setting.norm = 2;
  const SvmMechanism mechanism(setting);
  EXPECT_NEAR(mechanism.noise().sensitivity(), 2 * 5 * 2.0 / 200 * (1 + 0x1p-6),
              1e-6);
  EXPECT_NEAR(mechanism.noise().sd(),
              mechanism.noise().sensitivity() * GaussianSigma(setting.budget),
              1e-9);
  EXPECT_LE(mechanism.noise().mu(), GaussianMu(setting.budget));
}

// One feature, all rows alike: w²/2 + C max(0, 1 − w) is least at min(C, 1).
TEST(SvmMechanism, FindsTheMinimumInClosedForm) {
  for (const double cost : {0.2, 0.7, 1.5, 40.0}) {
    const SvmMechanism mechanism(SettingOfSvm(50, 1, cost, 1e6));
    Matrix table = Matrix::Ones(50, 2);
    table.topRows(20) *= -1;  // the same features times labels
    const NoisyWeights noisy = ReleaseWeights(mechanism, table, InBall);
    EXPECT_NEAR(
        noisy.value(0), std::min(cost, 1.0),
        mechanism.noise().sensitivity() * 0x1p-6 + 5 * mechanism.noise().sd());
  }
}

// Rows of two classes that overlap.
Matrix Clouds(Index rows, Index inputs, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 0.3);
  Matrix table(rows, inputs + 1);
  for (Index i = 0; i < rows; ++i) {
    const double label = i % 3 == 0 ? 1 : -1;
    for (Index j = 0; j < inputs; ++j) {
      table(i, j) = std::clamp(0.2 * label + normal(random), -1.0, 1.0);
    }
    table(i, inputs) = label;
  }
  return table;
}

double Objective(const Matrix& table, double cost, const Vector& w) {
  const Index inputs = table.cols() - 1;
  const Vector margins =
      (InBall(table.leftCols(inputs)) * w).cwiseProduct(table.col(inputs));
  return w.squaredNorm() / 2 + cost * (1 - margins.array()).max(0).mean();
}

// No other weights are better, wherever they are: the objective is convex, so
// that it is enough to look nearby.
TEST(SvmMechanism, NothingNearbyIsBetter) {
  constexpr Index kRows = 2000;
  const double cost = 20;
  const SvmMechanism mechanism(SettingOfSvm(kRows, 3, cost, 1e6));
  const Matrix table = Clouds(kRows, 3, 5);
  const Vector w = ReleaseWeights(mechanism, table, InBall, 2).value;
  const double here = Objective(table, cost, w);
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  for (int draw = 0; draw < 300; ++draw) {
    const double length = std::pow(10.0, -draw % 4);
    const Vector step =
        length * Vector::NullaryExpr(3, [&] { return normal(random); });
    // Half the strong convexity is left when w is so near the minimum.
    EXPECT_GT(Objective(table, cost, w + step),
              here + step.squaredNorm() / 2 - 2e-4 * length);
  }
}

TEST(SvmMechanism, IsTheSameOnAnyNumberOfThreads) {
  const SvmMechanism mechanism(SettingOfSvm(3000, 4, 3));
  const Matrix table = Clouds(3000, 4, 2);
  EXPECT_EQ(ReleaseWeights(mechanism, table, InBall, 1).integers,
            ReleaseWeights(mechanism, table, InBall, 3).integers);
}

TEST(SvmMechanism, RefusesWhatItCannotDoBeforeItReadsARow) {
  EXPECT_THROW(SvmMechanism(SettingOfSvm(0, 1, 1)), InvalidInput);
  EXPECT_THROW(SvmMechanism(SettingOfSvm(1 << 25, 1, 1)), InvalidInput);
  EXPECT_THROW(SvmMechanism(SettingOfSvm(10, 1, kNan)), InvalidInput);
  EXPECT_THROW(SvmMechanism(SettingOfSvm(10, 1, 0)), InvalidInput);
  EXPECT_THROW(SvmMechanism(SettingOfSvm(10, 1, 1e12)), InvalidInput);
  const SvmMechanism mechanism(SettingOfSvm(2, 1, 1));
  const Secret<Vector> column(Vector::Ones(2));
  const Secret<Vector> shorter(Vector::Ones(1));
  Randomness random = RandomnessForTesting::Seeded(1);
  const auto release = [&](const std::vector<Secret<Vector>>& inputs,
                           const Secret<Vector>& labels,
                           const FeatureMap& features) {
    mechanism.Release(inputs, labels, features, random, Threads(1));
  };
  EXPECT_THROW(release({column, column}, column, InBall), InvalidInput);
  EXPECT_THROW(release({shorter}, column, InBall), InvalidInput);
  EXPECT_THROW(release({column}, shorter, InBall), InvalidInput);
  const FeatureMap two = [](const Matrix& X) -> Matrix {
    return X.replicate(1, 2);
  };
  EXPECT_THROW(release({column}, column, two), InvalidInput);
  EXPECT_THROW(RandomnessForTesting::WithFailingEntropy(), PrivacyFailure);
}

// Integer features over K, as columns; and a margin like those of releases.
struct Machine {
  Matrix X;
  Int128 margin = 0;

  Machine(Index rows, Index inputs, double cost, unsigned seed) {
    const Matrix table = Clouds(rows, inputs, seed);
    X = (kK * InBall(table.leftCols(inputs)).transpose())
            .array()
            .round()
            .matrix() *
        table.col(inputs).asDiagonal() / kK;
    margin =
        static_cast<Int128>(kA * kK * kK * static_cast<double>(rows) / cost);
  }

  // F(W) − D(a), doubled, in exact integers.
  cpp_int TwiceGap(const std::vector<cpp_int>& a) const {
    std::vector<cpp_int> W(static_cast<size_t>(X.rows()));
    const auto feature = [&](Index i, Index j) {
      return static_cast<int64_t>(X(j, i) * kK);
    };
    cpp_int sum = 0;
    for (Index i = 0; i < X.cols(); ++i) {
      sum += a[static_cast<size_t>(i)];
      for (Index j = 0; j < X.rows(); ++j) {
        W[static_cast<size_t>(j)] += a[static_cast<size_t>(i)] * feature(i, j);
      }
    }
    cpp_int gap = -2 * Exact(margin) * sum;
    for (const cpp_int& weight : W) gap += 2 * weight * weight;
    for (Index i = 0; i < X.cols(); ++i) {
      cpp_int slack = Exact(margin);
      for (Index j = 0; j < X.rows(); ++j) {
        slack -= W[static_cast<size_t>(j)] * feature(i, j);
      }
      if (slack > 0) gap += 2 * HingeDual::kLargestWeight * slack;
    }
    return gap;
  }
};

// The target is met, or missed, by one part in a million.
TEST(HingeDual, CertifiesNoGapAboveTheTarget) {
  for (const double excess : {-1e-6, 1e-6}) {
    // One row of one feature, far within the margin: all of the gap is
    // (A − a) s.
    Machine machine(1, 1, 1e-3, 1);
    machine.X(0, 0) = 0;
    const double lacking =
        HingeDual::kGapTarget / static_cast<double>(machine.margin);
    ASSERT_GT(lacking, 1e-7);
    machine.margin =
        static_cast<Int128>(HingeDual::kGapTarget / 1000 * (1 + excess));
    HingeDual dual(machine.X, machine.margin, Threads(1));
    dual.Set(Vector::Constant(1, 1 - 1000 / kA));
    const cpp_int twice = machine.TwiceGap({HingeDual::kLargestWeight - 1000});
    EXPECT_EQ(dual.Certified(), excess < 0);
    EXPECT_EQ(twice <= 2 * cpp_int(Exact(Int128{1} << 103)), excess < 0);
  }
}

TEST(HingeDual, SweepsAloneReachTheTargetFromAnywhere) {
  const Machine machine(60, 2, 3, 4);
  for (const double start : {0.0, 0.5, 1.0, kNan, kInfinity, -kInfinity}) {
    HingeDual dual(machine.X, machine.margin, Threads(1));
    dual.Set(Vector::Constant(60, start));
    int sweeps = 0;
    while (!dual.Certified() && sweeps < 100000) {
      ++sweeps;
      if (!dual.Sweep()) break;
    }
    EXPECT_TRUE(dual.Certified()) << start << " after " << sweeps;
  }
}

TEST(HingeSolver, EndsWithACertificateWhateverTheRowsAre) {
  for (const double cost : {1e-3, 1.0, 1e3, 1e6}) {
    Machine machine(400, 3, cost, 8);
    machine.X.leftCols(50).setZero();
    machine.X.middleCols(50, 50) = machine.X.middleCols(100, 50);
    machine.X.middleCols(150, 50) = -machine.X.middleCols(100, 50);
    HingeDual dual(machine.X, machine.margin, Threads(1));
    SolveHinge(machine.X, machine.margin, Threads(1), dual);
    EXPECT_TRUE(dual.Certified()) << cost;
  }
}

TEST(HingeDual, RefusesWhatDoesNotFitItsIntegers) {
  const Matrix X = Matrix::Zero(1, 1);
  EXPECT_THROW(HingeDual(X, 0, Threads(1)), PrivacyFailure);
  EXPECT_THROW(HingeDual(X, (Int128{1} << 110) + 1, Threads(1)),
               PrivacyFailure);
  const Matrix none(1, 0);
  EXPECT_THROW(HingeDual(none, 1, Threads(1)), PrivacyFailure);
}

}  // namespace
}  // namespace cloak
