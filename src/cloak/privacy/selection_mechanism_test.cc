#include "cloak/privacy/selection_mechanism.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_rational;

static_assert(!std::is_invocable_v<decltype(&SelectionMechanism::Select),
                                   const SelectionMechanism&, const Vector&,
                                   Randomness&>);

// A double likely to break something: many digits, near the grid, huge, tiny.
double AnyUtility(const UtilityGrid& grid) {
  const double part = 1e-6 * *rc::gen::inRange(-1000000, 1000000);
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return grid.step() * *rc::gen::inRange(-4, 5) / 2;
    case 1:
      return grid.step() * (*rc::gen::inRange(-4, 5) / 2.0 + 0x1p-50);
    case 2:
      return std::ldexp(part, *rc::gen::inRange(-1070, 1020));
    case 3:
      return grid.step() * 0x1p62 * part;
    default:
      return 100 * part;
  }
}

RC_GTEST_PROP(UtilityGridTest, NeighboursStayWithinTheSensitivity, ()) {
  const double sensitivity =
      std::ldexp(1e-6 * *rc::gen::inRange(500000, 1000000),
                 *rc::gen::element(-900, -20, 0, 0, 0, 3, 30, 900));
  const UtilityGrid grid(sensitivity);
  const double u = AnyUtility(grid);
  const double shift = *rc::gen::element(-1.0, -0.5, 0.001, 0.999, 1.0);
  const double v = u + shift * sensitivity;
  // Floating point may have moved it too far: then it is no neighbour.
  RC_PRE(std::isfinite(u) && std::isfinite(v));
  RC_PRE(abs(cpp_rational(u) - cpp_rational(v)) <= cpp_rational(sensitivity));
  const int64_t moved = grid.RoundDown(u) - grid.RoundDown(v);
  RC_ASSERT(static_cast<uint64_t>(std::abs(moved)) <= grid.sensitivity_steps());
}

// Where rounding to the nearest would go both ways from zero.
TEST(UtilityGridTest, HalfStepsOnBothSidesOfZeroStayWithinTheSensitivity) {
  const UtilityGrid grid(1);
  for (const double u : {-0.5 * grid.step(), -1.5 * grid.step()}) {
    EXPECT_LE(static_cast<uint64_t>(grid.RoundDown(u + 1) - grid.RoundDown(u)),
              grid.sensitivity_steps());
  }
}

TEST(UtilityGridTest, TheSlackIsBelowTwoMillionths) {
  for (const double sensitivity : {1e-290, 0.3, 1.0, 1.5, 12345.6, 1e290}) {
    const UtilityGrid grid(sensitivity);
    const double units = static_cast<double>(grid.sensitivity_steps());
    EXPECT_GE(units * grid.step(), sensitivity);
    EXPECT_LE(units * grid.step(), sensitivity * (1 + 0x1p-19));
  }
}

TEST(UtilityGridTest, WhatIsNotFiniteIsAtTheEnds) {
  const UtilityGrid grid(1);
  EXPECT_EQ(grid.RoundDown(kInfinity), UtilityGrid::kLimit);
  EXPECT_EQ(grid.RoundDown(-kInfinity), -UtilityGrid::kLimit);
  EXPECT_EQ(grid.RoundDown(kNan), -UtilityGrid::kLimit);
}

TEST(UtilityGridTest, ASensitivityThatIsNoneIsRefused) {
  for (const double bad : {0.0, -1.0, kNan, kInfinity, 1e-300, 1e300}) {
    EXPECT_THROW(UtilityGrid{bad}, InvalidInput) << bad;
  }
}

std::vector<uint64_t> Choices(const SelectionMechanism& mechanism,
                              const Vector& utilities, int draws,
                              uint64_t seed = 1) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  const Secret<Vector> secret(utilities);
  std::vector<uint64_t> counts(static_cast<size_t>(utilities.size()));
  for (int i = 0; i < draws; ++i) {
    ++counts.at(static_cast<size_t>(mechanism.Select(secret, random)));
  }
  return counts;
}

// exp(-rate (max - u_i)).
Vector PassProbabilities(const Vector& utilities, double rate) {
  return (rate * (utilities.array() - utilities.maxCoeff())).exp();
}

std::vector<double> ExponentialProbabilities(const Vector& utilities,
                                             double rate) {
  const Vector p = PassProbabilities(utilities, rate);
  const Vector normalised = p / p.sum();
  return {normalised.begin(), normalised.end()};
}

const Vector& Utilities() {
  static const Vector utilities = [] {
    Vector u(5);
    u << 1000.25, 1003, 998.5, 1003.125, 1001;
    return u;
  }();
  return utilities;
}

constexpr double kSensitivity = 1.5;
constexpr double kSelectionEpsilon = 0.8;
constexpr double kRate = kSelectionEpsilon / (2 * kSensitivity);

TEST(SelectionMechanismTest, ExponentialChoicesHaveTheirProbabilities) {
  const SelectionMechanism mechanism(kSensitivity, kSelectionEpsilon);
  const std::vector<uint64_t> counts = Choices(mechanism, Utilities(), 1000000);
  const auto p_value = [&](double rate) {
    return ChiSquarePValue(counts, ExponentialProbabilities(Utilities(), rate));
  };
  EXPECT_GT(p_value(kRate), kFalseAlarm);
  EXPECT_LT(p_value(0.95 * kRate), kFalseAlarm);
  EXPECT_LT(p_value(1.05 * kRate), kFalseAlarm);

  const Vector said = mechanism.Probabilities(Utilities());
  const auto expected = ExponentialProbabilities(Utilities(), kRate);
  for (Index i = 0; i < said.size(); ++i) {
    EXPECT_NEAR(said(i), expected[static_cast<size_t>(i)], 1e-5);
  }
  EXPECT_THROW(mechanism.Probabilities(Vector()), InvalidInput);
}

// Every neighbour that moves each utility by ±sensitivity.
std::vector<Vector> Neighbours(const Vector& utilities) {
  std::vector<Vector> neighbours;
  for (unsigned signs = 0; signs < 1U << utilities.size(); ++signs) {
    Vector moved = utilities;
    for (Index i = 0; i < moved.size(); ++i) {
      moved(i) += (signs >> i & 1U) != 0 ? kSensitivity : -kSensitivity;
    }
    neighbours.push_back(moved);
  }
  return neighbours;
}

TEST(SelectionMechanismTest, TheProbabilitiesOfNeighboursKeepEpsilon) {
  for (const Vector& moved : Neighbours(Utilities())) {
    const std::vector<double> p = ExponentialProbabilities(Utilities(), kRate);
    const std::vector<double> q = ExponentialProbabilities(moved, kRate);
    double low = kInfinity, high = -kInfinity;
    for (size_t i = 0; i < p.size(); ++i) {
      low = std::min(low, std::log(p[i] / q[i]));
      high = std::max(high, std::log(p[i] / q[i]));
    }
    EXPECT_LE(high - low, kSelectionEpsilon + 1e-9);
    EXPECT_LE(std::max(high, -low), kSelectionEpsilon + 1e-9);
  }
}

TEST(SelectionMechanismTest,
     AnAttackOnTheWorstNeighboursGainsEpsilonAndNoMore) {
  // One good candidate of many, and the neighbour where it is not good: the
  // ratio of its probabilities comes near e^epsilon.
  const Index many = 60;
  Vector u = Vector::Constant(many, -kSensitivity / 2);
  u(0) = kSensitivity / 2;
  const Vector v = -u;
  const int draws = 200000;
  const SelectionMechanism mechanism(kSensitivity, 2);
  const double p =
      static_cast<double>(Choices(mechanism, u, draws, 3)[0]) / draws;
  const double q =
      static_cast<double>(Choices(mechanism, v, draws, 4)[0]) / draws;
  const double error = std::sqrt((1 - p) / (p * draws) + (1 - q) / (q * draws));
  EXPECT_LT(std::log(p / q), 2 + 5 * error);
  EXPECT_GT(std::log(p / q), 1.9 - 5 * error);
}

TEST(SelectionMechanismTest, EpsilonIsRoundedDownByLessThanABillionth) {
  for (const double epsilon : {0x1p-60, 1e-9, 0.1, 1.0, 1e6}) {
    const SelectionMechanism mechanism(1, epsilon);
    EXPECT_LE(mechanism.epsilon(), epsilon);
    EXPECT_GT(mechanism.epsilon(), epsilon * (1 - 1e-9));
    // And the smallest and largest can be used.
    EXPECT_NO_THROW(Choices(mechanism, Utilities(), 10));
  }
}

TEST(SelectionMechanismTest, UtilitiesThatAreNotFiniteAreTheWorstOrTheBest) {
  const SelectionMechanism mechanism(1, 1);
  Vector u(4);
  u << -kInfinity, 3, kNan, -std::numeric_limits<double>::max();
  EXPECT_EQ(Choices(mechanism, u, 1000)[1], 1000);
  u(3) = kInfinity;
  EXPECT_EQ(Choices(mechanism, u, 1000)[3], 1000);
  const std::vector<uint64_t> counts =
      Choices(mechanism, Vector::Constant(2, kNan), 10000);
  EXPECT_GT(BinomialPValue(counts[0], 10000, 0.5), kFalseAlarm);
}

TEST(SelectionMechanismTest, WhatIsNoBudgetOrHasNoCandidatesIsRefused) {
  for (const double bad : {0.0, -1.0, kNan, kInfinity, 1e-30, 2e6}) {
    EXPECT_THROW(SelectionMechanism(1, bad), InvalidInput) << bad;
  }
  EXPECT_THROW(SelectionMechanism(0, 1), InvalidInput);
  EXPECT_THROW(Choices(SelectionMechanism(1, 1), Vector(), 1), InvalidInput);
}

}  // namespace
}  // namespace cloak
