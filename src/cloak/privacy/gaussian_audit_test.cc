// Tries to falsify the guarantee from the outside, with nothing but the
// numbers that are published.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

constexpr double kClaimedEpsilon = 1;
constexpr double kDelta = 0.01;
constexpr int kReleases = 500000;

GaussianMechanism MechanismFor(const Budget& budget) {
  return GaussianMechanism(Matrix::Constant(1, 1, 0.7), OutputBounds(0, 1),
                           budget);
}

std::vector<double> Releases(const GaussianMechanism& mechanism, double output,
                             uint64_t seed) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  const Secret<Vector> y(Vector(Vector::Constant(1, output)));
  std::vector<double> values;
  values.reserve(kReleases);
  for (int i = 0; i < kReleases; ++i) {
    values.push_back(mechanism.Release(y, random).value(0));
  }
  return values;
}

// An attacker's estimate of delta at kClaimedEpsilon, P(S | y = 1) - e^epsilon
// P(S | y = 0), with S where the likelihood ratio is above e^epsilon (no other
// set gives more), and its standard error.
struct Estimate {
  double delta;
  double error;
};
Estimate Attack(const GaussianMechanism& mechanism) {
  const double mu = mechanism.noise().mu();
  const double threshold = mechanism.noise().sd() * kClaimedEpsilon / mu;
  const auto fraction_above = [&](double output, uint64_t seed) {
    double count = 0;
    for (const double value : Releases(mechanism, output, seed)) {
      count += value > threshold ? 1 : 0;
    }
    return count / kReleases;
  };
  const double p = fraction_above(1, 1);
  const double q = fraction_above(0, 2);
  const double e = std::exp(kClaimedEpsilon);
  return {p - e * q,
          std::sqrt((p * (1 - p) + e * e * q * (1 - q)) / kReleases)};
}

TEST(GaussianAuditTest, TheBestAttackGainsDeltaAndNoMore) {
  const Estimate estimate =
      Attack(MechanismFor(Budget(kClaimedEpsilon, kDelta)));
  EXPECT_GT(2 * NormalCdf(-std::abs(estimate.delta - kDelta) / estimate.error),
            kFalseAlarm);
}

TEST(GaussianAuditTest, TheAttackDetectsTenPercentTooLittleNoise) {
  const double sigma = 0.9 * GaussianSigma(Budget(kClaimedEpsilon, kDelta));
  const Budget weaker(kClaimedEpsilon,
                      GaussianDeltaUpper(kClaimedEpsilon, sigma));
  const Estimate estimate = Attack(MechanismFor(weaker));
  EXPECT_LT(NormalCdf(-(estimate.delta - kDelta) / estimate.error),
            kFalseAlarm);
}

TEST(GaussianAuditTest, TheNoiseHasTheScaleThatIsReported) {
  const GaussianMechanism mechanism =
      MechanismFor(Budget(kClaimedEpsilon, kDelta));
  const std::vector<double> noise = Releases(mechanism, 0.5, 3);
  EXPECT_GT(NormalScalePValue(noise, mechanism.noise().sd()), kFalseAlarm);
  EXPECT_LT(NormalScalePValue(noise, 0.9 * mechanism.noise().sd()),
            kFalseAlarm);
  EXPECT_LT(NormalScalePValue(noise, 1.1 * mechanism.noise().sd()),
            kFalseAlarm);
}

}  // namespace
}  // namespace cloak
