#include "cloak/privacy/count_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using CountVector = std::vector<int64_t>;

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

TEST(CountMechanismTest, WithTheSameNoiseNeighboursDifferByTheirCountsAlone) {
  const int64_t largest = std::numeric_limits<int64_t>::max();
  const CountVector counts = {0, 5, -3, largest, 1000};
  CountVector neighbour = counts;
  --neighbour[1];
  ++neighbour[4];
  const CountMechanism mechanism = CountMechanism::Laplace(2, 0.7);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<Int128> a = ReleaseCounts(mechanism, counts, seed);
    const std::vector<Int128> b = ReleaseCounts(mechanism, neighbour, seed);
    ASSERT_EQ(a.size(), counts.size());
    for (size_t k = 0; k < counts.size(); ++k) {
      EXPECT_TRUE(a[k] - b[k] == Int128{counts[k]} - neighbour[k]);
    }
  }
}

// One count is worth 2^30 of what is published, and so is a change of one.
TEST(CountMechanismTest, GaussianNoiseIsAnalyticAndExact) {
  const Budget budget(0.4, 1e-3);
  const CountMechanism mechanism =
      CountMechanism::Gaussian(2, GaussianSigma(budget));
  EXPECT_EQ(mechanism.step(), 0x1p-30);
  EXPECT_LE(mechanism.mu(), GaussianMu(budget));
  EXPECT_EQ(mechanism.epsilon(), kInfinity);
  EXPECT_NEAR(mechanism.noise_sd(), std::sqrt(2) * 5.559390689, 1e-4);
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
  EXPECT_THROW(CountMechanism::Gaussian(0, 1), InvalidInput);
  EXPECT_THROW(CountMechanism::Gaussian(2, 0), PrivacyFailure);
  EXPECT_THROW(CountMechanism::Gaussian(2, kInfinity), PrivacyFailure);
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

TEST(CountMechanismTest, TheStandardDeviationIsTheOneReported) {
  const CountMechanism mechanism = CountMechanism::Laplace(2, 0.7);
  double squares = 0;
  const int draws = 200000;
  for (const Int128 noise :
       ReleaseCounts(mechanism, CountVector(draws, 0), 6)) {
    squares += static_cast<double>(noise * noise);
  }
  EXPECT_NEAR(std::sqrt(squares / draws), mechanism.noise_sd(),
              0.01 * mechanism.noise_sd());
}

TEST(CountMechanismTest, NoMoreIsSpentThanGivenAndHardlyLess) {
  for (const uint64_t sensitivity :
       {uint64_t{1}, uint64_t{3}, uint64_t{1} << 32}) {
    for (const double budget : {1e-4, 0.1, 1.0 / 3, 1.0, 7.3, 1e6}) {
      const CountMechanism laplace =
          CountMechanism::Laplace(sensitivity, budget);
      EXPECT_LE(laplace.epsilon(), budget);
      EXPECT_GT(laplace.epsilon(), budget * (1 - 1e-9));
    }
  }
}

TEST(CountMechanismTest, WhatIsNoBudgetOrSensitivityIsRefused) {
  for (const double bad : {0.0, -1.0, std::nan(""), kInfinity, 2e6}) {
    EXPECT_THROW(CountMechanism::Laplace(1, bad), InvalidInput) << bad;
  }
  for (const uint64_t bad : {uint64_t{0}, (uint64_t{1} << 32) + 1}) {
    EXPECT_THROW(CountMechanism::Laplace(bad, 1), InvalidInput) << bad;
    EXPECT_THROW(CountMechanism::Gaussian(bad, 1), InvalidInput) << bad;
  }
  EXPECT_THROW(CountMechanism::Laplace(1, 5e-324), PrivacyFailure);
}

}  // namespace
}  // namespace cloak
