#include "cloak/privacy/moment_mechanism.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/integer_moments.h"
#include "cloak/privacy/quantized_output.h"
#include "tests/testing/any_number.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/exact_integers.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

MomentSetting SettingOfMoments(Index rows, Index inputs, Index features) {
  return {.rows = rows,
          .lower = Vector::Constant(inputs, -1),
          .upper = Vector::Constant(inputs, 1),
          .bounds = OutputBounds(-1, 1),
          .centre = 0,
          .features = features,
          .norm = 1,
          .budget = Budget(1, 1e-5)};
}

// The inputs themselves: M features of M inputs.
Matrix Inputs(const Matrix& X) { return X; }

// Rows of inputs and, last, the output.
NoisyMoments ReleaseMoments(const MomentMechanism& mechanism,
                            const Matrix& table, const FeatureMap& features,
                            uint64_t seed, int threads = 1) {
  std::vector<Secret<Vector>> inputs;
  for (Index j = 0; j + 1 < table.cols(); ++j) {
    inputs.emplace_back(Vector(table.col(j)));
  }
  Randomness random = RandomnessForTesting::Seeded(seed);
  return mechanism.Release(inputs,
                           Secret<Vector>(Vector(table.col(table.cols() - 1))),
                           features, random, Threads(threads));
}

std::vector<cpp_int> Difference(const std::vector<Int128>& a,
                                const std::vector<Int128>& b) {
  std::vector<cpp_int> difference;
  for (size_t k = 0; k < a.size(); ++k) {
    difference.push_back(Exact(a[k]) - Exact(b[k]));
  }
  return difference;
}

// How far apart the releases of two tables are, in units of noise, squared.
// With the same seed the noise is the same, and cancels.
cpp_rational SquaredMu(const MomentMechanism& mechanism, const Matrix& table,
                       const Matrix& other, const FeatureMap& features) {
  const NoisyMoments a = ReleaseMoments(mechanism, table, features, 1);
  const NoisyMoments b = ReleaseMoments(mechanism, other, features, 1);
  cpp_int first = 0;
  for (const cpp_int& d : Difference(a.first_integers, b.first_integers)) {
    first += d * d;
  }
  cpp_int diagonal = 0;
  cpp_int off_diagonal = 0;
  const std::vector<cpp_int> second =
      Difference(a.second_integers, b.second_integers);
  for (size_t j = 0, entry = 0; entry < second.size(); ++j) {
    for (size_t k = 0; k <= j; ++k, ++entry) {
      (k == j ? diagonal : off_diagonal) += second[entry] * second[entry];
    }
  }
  const auto over = [](const cpp_int& squares, Uint128 scale) {
    return cpp_rational(squares, Exact(scale) * Exact(scale));
  };
  const MomentScales& scales = mechanism.scales();
  return over(first, scales.first) + over(diagonal, scales.diagonal) +
         over(off_diagonal, scales.off_diagonal);
}

double AnyMomentCell() {
  if (*rc::gen::inRange(0, 3) > 0) return Uniform(-1, 1);
  return *rc::gen::element(kInfinity, -kInfinity, kNan, 1e308, -1e308, -0.0,
                           0.0, 5e-324, 1.0, -1.0);
}

MomentSetting AnySetting(Index inputs, Index features) {
  MomentSetting setting =
      SettingOfMoments(*rc::gen::inRange(1, 5), inputs, features);
  const double scale = std::pow(10.0, *rc::gen::inRange(-3, 4));
  setting.bounds = OutputBounds(-scale, 2 * scale);
  setting.centre = *rc::gen::element(-1.0, 0.0, 0.5, 1.234, 2.0) * scale;
  setting.norm = std::pow(10.0, *rc::gen::inRange(-3, 4));
  setting.budget = Budget(*rc::gen::element(1e-3, 0.5, 1.0, 30.0), 1e-5);
  return setting;
}

// Nothing when it is refused, which is safe: the published sensitivity may be
// as many times the exact one as one likes.
std::optional<MomentMechanism> AnyMoments(const MomentSetting& setting) {
  const MomentOptions options{
      .ratio = std::pow(10.0, *rc::gen::inRange(-3, 4)),
      .bound = *rc::gen::element(MomentBound::kExact, MomentBound::kPublished)};
  try {
    return MomentMechanism(setting, options);
  } catch (const PrivacyFailure&) {
    RC_TAG("too much noise");
    RC_ASSERT(options.bound == MomentBound::kPublished);
  }
  return std::nullopt;
}

RC_GTEST_PROP(MomentMechanismTest, OneRowMovedAnywhereStaysWithinMu, ()) {
  const Index inputs = *rc::gen::inRange(1, 4);
  const MomentSetting setting = AnySetting(inputs, inputs);
  const std::optional<MomentMechanism> mechanism = AnyMoments(setting);
  if (!mechanism) return;
  // Features may be longer than was promised, or not be numbers.
  const double factor =
      setting.norm *
      *rc::gen::element(0.5, 1 / std::sqrt(3), 1 + 1e-9, 3.0, 1e280, kNan);
  const FeatureMap features = [=](const Matrix& X) -> Matrix {
    return factor * X;
  };
  Matrix table(setting.rows, inputs + 1);
  for (double& cell : table.reshaped()) cell = AnyMomentCell();
  table.col(inputs) *= setting.bounds.upper();
  Matrix other = table;
  const Index moved = *rc::gen::inRange<Index>(0, setting.rows);
  for (Index j = 0; j <= inputs; ++j) other(moved, j) = AnyMomentCell();
  other(moved, inputs) *= setting.bounds.upper();
  const cpp_rational mu(mechanism->mu());
  RC_ASSERT(SquaredMu(*mechanism, table, other, features) <= mu * mu);
}

RC_GTEST_PROP(MomentMechanismTest, MuIsWithinTheBudget, ()) {
  const MomentSetting setting = AnySetting(1, *rc::gen::inRange(1, 1000));
  const std::optional<MomentMechanism> mechanism = AnyMoments(setting);
  if (!mechanism) return;
  RC_ASSERT(mechanism->mu() <= GaussianMu(setting.budget));
}

// p and q of one row by the definition, in integers.
struct IntegerRow {
  std::vector<cpp_int> p;
  cpp_int q;
};
IntegerRow ByDefinition(const MomentMechanism& mechanism,
                        const Eigen::RowVectorXd& row) {
  IntegerRow result;
  const Index inputs = row.size() - 1;
  const bool missing = row.array().isNaN().any();
  for (Index j = 0; j < inputs; ++j) {
    const double x = missing ? 0.0 : std::clamp(row(j), -1.0, 1.0);
    result.p.emplace_back(std::llround(x / 2 / mechanism.feature_step()));
  }
  result.q = QuantizeOutput(row(inputs), mechanism.setting().bounds);
  return result;
}

TEST(MomentMechanismTest, ReleasesDifferByExactlyTheDifferenceOfStatistics) {
  const MomentMechanism mechanism(SettingOfMoments(2000, 3, 3), {});
  const FeatureMap halves = [](const Matrix& X) -> Matrix { return X / 2; };
  std::srand(5);
  const Matrix table = Matrix::Random(2000, 4);
  for (const double cell : {0.3, 1e308, -kInfinity, kNan, -0.0}) {
    Matrix other = table;
    other.row(1234) << cell, -0.7, 0.1, cell;
    const NoisyMoments a = ReleaseMoments(mechanism, table, halves, 9);
    const NoisyMoments b = ReleaseMoments(mechanism, other, halves, 9);
    const IntegerRow old_row = ByDefinition(mechanism, table.row(1234));
    const IntegerRow new_row = ByDefinition(mechanism, other.row(1234));
    const auto first = Difference(b.first_integers, a.first_integers);
    const auto second = Difference(b.second_integers, a.second_integers);
    size_t entry = 0;
    for (size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(first[j], new_row.p[j] * new_row.q - old_row.p[j] * old_row.q);
      for (size_t k = 0; k <= j; ++k) {
        EXPECT_EQ(second[entry++],
                  new_row.p[j] * new_row.p[k] - old_row.p[j] * old_row.p[k]);
      }
    }
  }
}

// Two unit vectors at the angle where the bound is largest, and opposite
// outputs at their bounds.
TEST(MomentMechanismTest, TheWorstNeighbourAttainsMu) {
  for (const double ratio : {0.01, 0.3, 0.75, 1.0, 2.0, 100.0}) {
    const MomentMechanism mechanism(SettingOfMoments(3, 2, 2),
                                    {.ratio = ratio});
    // t = Q²/(2c) with K = Q = 1.
    const double t = std::min(1.0, 1 / (2 * ratio * ratio));
    Matrix table = Matrix::Constant(3, 3, 0.2);
    Matrix other = table;
    table.row(1) << 1, 0, 1;
    other.row(1) << t, std::sqrt(1 - t * t), -1;
    const double squared =
        SquaredMu(mechanism, table, other, Inputs).convert_to<double>();
    const double mu = mechanism.mu();
    EXPECT_LE(squared, mu * mu) << ratio;
    EXPECT_GT(squared, mu * mu * (1 - 1e-5)) << ratio;
    // And it is what the budget allows.
    EXPECT_GT(mu, GaussianMu(Budget(1, 1e-5)) * (1 - 1e-9)) << ratio;
  }
}

TEST(MomentMechanismTest, SensitivityHasItsClosedForm) {
  const MomentMechanism equal(SettingOfMoments(3, 2, 2), {});
  // √(1/2 + 2 + 2).
  EXPECT_NEAR(equal.sensitivity(), std::sqrt(4.5), 1e-5);
  EXPECT_NEAR(equal.published_sensitivity(), std::sqrt(4.5), 1e-5);
  MomentSetting setting = SettingOfMoments(3, 2, 2);
  setting.bounds = OutputBounds(-3, 3);
  const MomentMechanism wide(setting, {});
  // 2 R_y R_k, where the paper has √(81/2 + 18 + 2).
  EXPECT_NEAR(wide.sensitivity(), 6, 1e-5);
  EXPECT_NEAR(wide.published_sensitivity(), std::sqrt(60.5), 1e-5);
  const MomentMechanism published(setting, {.bound = MomentBound::kPublished});
  EXPECT_NEAR(published.first_sd() / wide.first_sd(), std::sqrt(60.5) / 6,
              1e-6);
  EXPECT_LT(published.mu(), wide.mu());
  EXPECT_NEAR(published.sensitivity(), 6, 1e-5);
}

TEST(MomentMechanismTest, NoiseHasTheDeviationsOfThePaper) {
  MomentSetting setting = SettingOfMoments(1, 1, 60);
  const MomentMechanism mechanism(setting, {.ratio = 2});
  EXPECT_NEAR(mechanism.first_sd() / mechanism.diagonal_sd(), 2, 1e-9);
  EXPECT_NEAR(mechanism.diagonal_sd() / mechanism.off_diagonal_sd(),
              std::numbers::sqrt2, 1e-9);
  const FeatureMap none = [](const Matrix& X) -> Matrix {
    return Matrix::Zero(X.rows(), 60);
  };
  std::vector<double> first, diagonal, off_diagonal;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const NoisyMoments noisy =
        ReleaseMoments(mechanism, Matrix::Zero(1, 2), none, seed);
    EXPECT_EQ(noisy.B, noisy.B.transpose());
    for (Index j = 0; j < 60; ++j) {
      first.push_back(noisy.A(j));
      diagonal.push_back(noisy.B(j, j));
      for (Index k = 0; k < j; ++k) off_diagonal.push_back(noisy.B(j, k));
    }
  }
  const auto check = [](const std::vector<double>& noise, double sd) {
    EXPECT_GT(NormalScalePValue(noise, sd), kFalseAlarm);
    EXPECT_LT(NormalScalePValue(noise, 1.3 * sd), kFalseAlarm);
    EXPECT_LT(NormalScalePValue(noise, sd / 1.3), kFalseAlarm);
  };
  check(first, mechanism.first_sd());
  check(diagonal, mechanism.diagonal_sd());
  check(off_diagonal, mechanism.off_diagonal_sd());
}

TEST(MomentMechanismTest, ReleasesTheMomentsAboutTheCentre) {
  MomentSetting setting = SettingOfMoments(20000, 2, 2);
  setting.bounds = OutputBounds(10, 20);
  setting.centre = 11.3;
  setting.budget = Budget(1000, 0.1);
  const MomentMechanism mechanism(setting, {});
  EXPECT_NEAR(mechanism.centre(), 11.3, 1e-5);
  std::srand(3);
  Matrix table = Matrix::Random(20000, 3);
  table.leftCols(2) /= 2;
  table.col(2) = 15 + 5 * table.col(2).array();
  const NoisyMoments noisy = ReleaseMoments(mechanism, table, Inputs, 4, 2);
  const Vector y = table.col(2).array() - 11.3;
  const Matrix K = table.leftCols(2);
  EXPECT_LT((noisy.A - K.transpose() * y).norm(), 10 * mechanism.first_sd());
  EXPECT_LT((noisy.B - K.transpose() * K).norm(), 10 * mechanism.diagonal_sd());
  // The integers do not depend on the threads.
  const NoisyMoments again = ReleaseMoments(mechanism, table, Inputs, 4, 1);
  EXPECT_EQ(Difference(noisy.second_integers, again.second_integers),
            std::vector<cpp_int>(3));
  EXPECT_EQ(Difference(noisy.first_integers, again.first_integers),
            std::vector<cpp_int>(2));
}

TEST(MomentMechanismTest, RefusesWhatDoesNotFit) {
  const auto refuses = [](void (*spoil)(MomentSetting&)) {
    MomentSetting setting = SettingOfMoments(3, 2, 2);
    spoil(setting);
    EXPECT_THROW(MomentMechanism(setting, {}), InvalidInput);
  };
  refuses([](MomentSetting& s) { s.rows = 0; });
  refuses([](MomentSetting& s) { s.lower(0) = kNan; });
  refuses([](MomentSetting& s) { s.upper(1) = -2; });
  refuses([](MomentSetting& s) { s.features = 0; });
  refuses([](MomentSetting& s) { s.norm = 0; });
  refuses([](MomentSetting& s) { s.norm = kNan; });
  refuses([](MomentSetting& s) { s.centre = 1.1; });
  EXPECT_THROW(MomentMechanism(SettingOfMoments(3, 2, 2), {.ratio = kNan}),
               InvalidInput);
  const MomentMechanism mechanism(SettingOfMoments(3, 2, 2), {});
  EXPECT_THROW(ReleaseMoments(mechanism, Matrix::Zero(3, 2), Inputs, 1),
               InvalidInput);
  EXPECT_THROW(ReleaseMoments(mechanism, Matrix::Zero(4, 3), Inputs, 1),
               InvalidInput);
  const FeatureMap three = [](const Matrix& X) -> Matrix {
    return Matrix::Zero(X.rows(), 3);
  };
  EXPECT_THROW(ReleaseMoments(mechanism, Matrix::Zero(3, 3), three, 1),
               InvalidInput);
}

TEST(MomentScalesTest, TooLittleNoiseOffTheDiagonalIsRefused) {
  // 2·7² < 10² < 2·8².
  EXPECT_THROW(MomentMu(1, 1, {10, 10, 7}), PrivacyFailure);
  EXPECT_NEAR(MomentMu(1, 1, {10, 10, 8}), std::sqrt(4.5) / 10, 1e-12);
  EXPECT_NEAR(MomentMu(1, 10, {10, 10, 8}), 2, 1e-12);
}

TEST(IntegerMomentsTest, RowsThatWouldNotBeExactAreRefused) {
  IntegerMoments moments(1);
  EXPECT_THROW(moments.Add(Matrix::Zero(513, 1), Vector::Zero(513)),
               PrivacyFailure);
}

// Blocks of 300 do not fill up what is exact, and sums are asked for in
// between.
TEST(IntegerMomentsTest, LargestRowsAreAddedExactly) {
  for (const Index size : {IntegerMoments::kExactRows, Index{300}, Index{7}}) {
    SCOPED_TRACE(size);
    IntegerMoments moments(2);
    Matrix p(size, 2);
    p.col(0).setConstant(1);
    p.col(1).setConstant(static_cast<double>(kLargestFeatures) - 1);
    const Vector q = Vector::Constant(p.rows(), -(1 << 20) + 1);
    constexpr int64_t kLast = kLargestFeatures - 1;
    int64_t rows = 0;
    while (rows + size <= IntegerMoments::kMostRows) {
      moments.Add(p, q);
      rows += size;
      if (rows / size % 1000 == 1) {
        EXPECT_EQ(moments.second(1, 1), rows * kLast * kLast);
      }
    }
    EXPECT_EQ(moments.second(0, 0), rows);
    EXPECT_EQ(moments.second(1, 0), rows * kLast);
    EXPECT_EQ(moments.second(1, 1), rows * kLast * kLast);
    EXPECT_EQ(moments.first(1), -rows * kLast * ((1 << 20) - 1));
  }
}

}  // namespace
}  // namespace cloak
