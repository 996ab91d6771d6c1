#include "cloak/privacy/count_mechanism.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/zcdp.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using CountVector = std::vector<int64_t>;
using Precise = boost::multiprecision::cpp_bin_float_100;

// Nothing that is not a Secret is taken, so that nothing is noised twice or
// compared by accident.
static_assert(!std::is_invocable_v<decltype(&CountMechanism::Release),
                                   const CountMechanism&, const CountVector&,
                                   Randomness&>);

std::vector<Int128> ReleaseCounts(const CountMechanism& mechanism,
                                  const CountVector& counts, uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  return mechanism.Release(Secret<CountVector>(counts), random);
}

std::vector<CountMechanism> Mechanisms() {
  return {CountMechanism::Laplace(2, 0.7), CountMechanism::Gaussian(2, 0.1)};
}

TEST(CountMechanismTest, WithTheSameNoiseNeighboursDifferByTheirCountsAlone) {
  const int64_t largest = std::numeric_limits<int64_t>::max();
  const CountVector counts = {0, 5, -3, largest, 1000};
  CountVector neighbour = counts;
  --neighbour[1];
  ++neighbour[4];
  for (const CountMechanism& mechanism : Mechanisms()) {
    for (uint64_t seed = 0; seed < 100; ++seed) {
      const std::vector<Int128> a = ReleaseCounts(mechanism, counts, seed);
      const std::vector<Int128> b = ReleaseCounts(mechanism, neighbour, seed);
      ASSERT_EQ(a.size(), counts.size());
      for (size_t k = 0; k < counts.size(); ++k) {
        EXPECT_TRUE(a[k] - b[k] == Int128{counts[k]} - neighbour[k]);
      }
    }
  }
}

// One count is worth 2^30 of what is published, and so is a change of one.
TEST(CountMechanismTest, RoundedGaussianNoiseIsAnalyticAndExact) {
  const Budget budget(0.4, 1e-3);
  const CountMechanism mechanism =
      CountMechanism::RoundedGaussian(2, GaussianSigma(budget));
  EXPECT_EQ(mechanism.step(), 0x1p-30);
  EXPECT_LE(mechanism.mu(), GaussianMu(budget));
  EXPECT_EQ(mechanism.epsilon(), kInfinity);
  EXPECT_NEAR(mechanism.noise_sd(), std::sqrt(2) * 5.559390689, 1e-4);
  EXPECT_LT(mechanism.noise_sd(),
            CountMechanism::Gaussian(2, ZcdpRho(budget)).noise_sd());
  const int64_t largest = std::numeric_limits<int64_t>::max();
  const std::vector<Int128> a = ReleaseCounts(mechanism, {0, largest, -7}, 3);
  const std::vector<Int128> b =
      ReleaseCounts(mechanism, {1, largest - 1, -7}, 3);
  EXPECT_TRUE(b[0] - a[0] == Int128{1} << 30);
  EXPECT_TRUE(a[1] - b[1] == Int128{1} << 30);
  EXPECT_TRUE(a[2] == b[2]);
  constexpr size_t kDraws = 20000;
  double squares = 0;
  for (const Int128 noise :
       ReleaseCounts(mechanism, CountVector(kDraws, 0), 4)) {
    const double value = static_cast<double>(noise) * mechanism.step();
    squares += value * value / kDraws;
  }
  EXPECT_NEAR(std::sqrt(squares) / mechanism.noise_sd(), 1, 0.025);
  EXPECT_THROW(CountMechanism::RoundedGaussian(0, 1), InvalidInput);
  EXPECT_THROW(CountMechanism::RoundedGaussian(2, 0), PrivacyFailure);
  EXPECT_THROW(CountMechanism::RoundedGaussian(2, kInfinity), PrivacyFailure);
}

constexpr int kReach = 60;

// How often 200,000 noises were -kReach, …, kReach.
std::vector<uint64_t> NoiseCounts(const CountMechanism& mechanism) {
  const int64_t count = 12345;
  std::vector<uint64_t> cells(2 * kReach + 1);
  for (const Int128 noisy :
       ReleaseCounts(mechanism, CountVector(200000, count), /*seed=*/5)) {
    ++cells.at(static_cast<size_t>(noisy - count + kReach));
  }
  return cells;
}

// The p-value of the counts against weight(|x|), normalised.
template <typename Weight>
double PValueOfCounts(const std::vector<uint64_t>& cells,
                      const Weight& weight) {
  std::vector<double> probabilities;
  double total = 0;
  for (int x = -kReach; x <= kReach; ++x) {
    probabilities.push_back(weight(std::abs(x)));
    total += probabilities.back();
  }
  for (double& probability : probabilities) probability /= total;
  return ChiSquarePValue(cells, probabilities);
}

TEST(CountMechanismTest, LaplaceNoiseHasTheScaleThatEpsilonAsksFor) {
  const std::vector<uint64_t> cells =
      NoiseCounts(CountMechanism::Laplace(2, 0.7));
  const auto p_value = [&](double epsilon) {
    return PValueOfCounts(cells,
                          [=](int x) { return std::exp(-x * epsilon / 2); });
  };
  EXPECT_GT(p_value(0.7), kFalseAlarm);
  EXPECT_LT(p_value(0.95 * 0.7), kFalseAlarm);
  EXPECT_LT(p_value(1.05 * 0.7), kFalseAlarm);
}

TEST(CountMechanismTest, GaussianNoiseHasTheScaleThatRhoAsksFor) {
  const std::vector<uint64_t> cells =
      NoiseCounts(CountMechanism::Gaussian(2, 0.1));
  const auto p_value = [&](double rho) {
    return PValueOfCounts(cells,
                          [=](int x) { return std::exp(-x * x * rho / 2); });
  };
  EXPECT_GT(p_value(0.1), kFalseAlarm);
  EXPECT_LT(p_value(0.95 * 0.1), kFalseAlarm);
  EXPECT_LT(p_value(1.05 * 0.1), kFalseAlarm);
}

TEST(CountMechanismTest, TheStandardDeviationIsTheOneReported) {
  for (const CountMechanism& mechanism : Mechanisms()) {
    double squares = 0;
    const int draws = 200000;
    for (const Int128 noise :
         ReleaseCounts(mechanism, CountVector(draws, 0), 6)) {
      squares += static_cast<double>(noise * noise);
    }
    EXPECT_NEAR(std::sqrt(squares / draws), mechanism.noise_sd(),
                0.01 * mechanism.noise_sd());
  }
}

TEST(CountMechanismTest, NoMoreIsSpentThanGivenAndHardlyLess) {
  for (const uint64_t sensitivity :
       {uint64_t{1}, uint64_t{3}, uint64_t{1} << 32}) {
    for (const double budget : {1e-4, 0.1, 1.0 / 3, 1.0, 7.3, 1e6}) {
      const CountMechanism laplace =
          CountMechanism::Laplace(sensitivity, budget);
      EXPECT_LE(laplace.epsilon(), budget);
      EXPECT_GT(laplace.epsilon(), budget * (1 - 1e-9));
      EXPECT_GE(laplace.rho(), laplace.epsilon() * laplace.epsilon() / 2);
      const CountMechanism gaussian =
          CountMechanism::Gaussian(sensitivity, budget);
      EXPECT_LE(gaussian.rho(), budget);
      EXPECT_GT(gaussian.rho(), budget * (1 - 1e-6));
      EXPECT_EQ(gaussian.epsilon(), kInfinity);
      EXPECT_NEAR(gaussian.noise_sd() * gaussian.noise_sd() * 2 * budget,
                  static_cast<double>(sensitivity), 1e-6 * double(sensitivity));
    }
  }
}

TEST(CountMechanismTest, WhatIsNoBudgetOrSensitivityIsRefused) {
  for (const double bad : {0.0, -1.0, std::nan(""), kInfinity, 2e6}) {
    EXPECT_THROW(CountMechanism::Laplace(1, bad), InvalidInput) << bad;
    EXPECT_THROW(CountMechanism::Gaussian(1, bad), InvalidInput) << bad;
  }
  for (const uint64_t bad : {uint64_t{0}, (uint64_t{1} << 32) + 1}) {
    EXPECT_THROW(CountMechanism::Laplace(bad, 1), InvalidInput) << bad;
    EXPECT_THROW(CountMechanism::Gaussian(bad, 1), InvalidInput) << bad;
  }
  EXPECT_THROW(CountMechanism::Laplace(1, 5e-324), PrivacyFailure);
  EXPECT_THROW(CountMechanism::Gaussian(1, 1e-20), PrivacyFailure);
}

// sum max(0, P(x) - e^epsilon P(x - v)) for the two cells that change when a
// record moves from one to the other.
double ExactDelta(double sigma, double epsilon) {
  const int reach = static_cast<int>(9 * sigma) + 3;
  const auto weight = [=](int x) {
    return std::exp(-x * x / (2 * sigma * sigma));
  };
  double total = 0;
  for (int x = -reach; x <= reach; ++x) total += weight(x);
  double delta = 0;
  for (int x = -reach; x <= reach; ++x) {
    for (int y = -reach; y <= reach; ++y) {
      const double here = weight(x) * weight(y);
      const double there = weight(x + 1) * weight(y - 1);
      delta += std::max(0.0, here - std::exp(epsilon) * there);
    }
  }
  return delta / (total * total);
}

TEST(CountMechanismTest, AHistogramKeepsItsBudgetByTheExactProbabilities) {
  for (const double epsilon : {0.3, 1.0, 4.0}) {
    for (const double delta : {0.1, 1e-3, 1e-6}) {
      const CountMechanism mechanism =
          CountMechanism::Gaussian(2, ZcdpRho(Budget(epsilon, delta)));
      const double exact = ExactDelta(mechanism.noise_sd(), epsilon);
      EXPECT_LE(exact, delta) << epsilon << " " << delta;
      // Accounting by rho alone is not exact, but not idle either: with 70 % of
      // the noise the budget is broken.
      EXPECT_GT(ExactDelta(0.7 * mechanism.noise_sd(), epsilon), delta)
          << epsilon << " " << delta;
    }
  }
}

// (1) of zcdp.h in 100 digits, at the order where its derivative is zero.
Precise DeltaOracle(double rho, double epsilon) {
  Precise low = -50, high = 50;
  Precise a;
  for (int i = 0; i < 150; ++i) {
    const Precise middle = (low + high) / 2;
    a = exp(middle);
    const Precise slope = (2 * a + 1) * rho - epsilon + log(a / (a + 1));
    (slope < 0 ? low : high) = middle;
  }
  return exp(a * ((a + 1) * rho - epsilon) + a * log(a) - (a + 1) * log(a + 1));
}

TEST(ZcdpTest, DeltaIsTheOraclesRoundedUp) {
  for (const double rho : {1e-4, 0.05, 1.0, 20.0}) {
    for (const double epsilon : {0.1, 1.0, 10.0, 100.0}) {
      const Precise delta(ZcdpDeltaUpper(rho, epsilon));
      const Precise oracle = DeltaOracle(rho, epsilon);
      EXPECT_GE(delta, oracle) << rho << " " << epsilon;
      // Below 1e-300 a double is coarse.
      EXPECT_LE(delta, oracle * (1 + 1e-10) + 1e-300) << rho << " " << epsilon;
    }
  }
}

TEST(ZcdpTest, DeltaIsNeverBelowThatOfAGaussianOfThisRho) {
  for (const double rho : {1e-4, 0.05, 1.0, 20.0}) {
    for (const double epsilon : {0.1, 1.0, 10.0, 100.0}) {
      EXPECT_GE(ZcdpDeltaUpper(rho, epsilon),
                GaussianDeltaUpper(epsilon, 1 / std::sqrt(2 * rho)));
    }
  }
}

TEST(ZcdpTest, RhoIsTheLargestThatKeepsTheBudget) {
  for (const double epsilon : {0.01, 1.0, 30.0}) {
    for (const double delta : {0.5, 1e-6, 1e-300}) {
      const double rho = ZcdpRho(Budget(epsilon, delta));
      EXPECT_LE(ZcdpDeltaUpper(rho, epsilon), delta);
      EXPECT_GT(ZcdpDeltaUpper(rho * (1 + 1e-9), epsilon), delta);
      // Equation (22) of Honkela 2021, which is Bun and Steinke's, has less.
      const double log_odds = std::log(1 / delta);
      const double simple = std::sqrt(epsilon + log_odds) - std::sqrt(log_odds);
      EXPECT_GT(rho, simple * simple);
    }
  }
}

}  // namespace
}  // namespace cloak
