#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/privacy/discrete_laplace.h"
#include "cloak/privacy/exact_bernoulli.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

constexpr int kSamplerDraws = 1000000;

struct Trial {
  Uint128 p;
  Uint128 q;
  double value;
};

const std::vector<Trial>& Trials() {
  const Uint128 huge = Uint128{1} << 127;
  static const std::vector<Trial> trials = {{1, 2, 0.5},
                                            {1, 3, 1 / 3.0},
                                            {2, 3, 2 / 3.0},
                                            {999, 1000, 0.999},
                                            {1, 1000, 0.001},
                                            {huge / 3, huge - 1, 1 / 3.0},
                                            {huge / 8, huge, 0.125}};
  return trials;
}

double PValueOfTrials(const std::function<bool(Randomness&)>& trial,
                      double probability) {
  Randomness random = RandomnessForTesting::Seeded(77);
  uint64_t successes = 0;
  for (int i = 0; i < kSamplerDraws; ++i) successes += trial(random) ? 1 : 0;
  return BinomialPValue(successes, kSamplerDraws, probability);
}

TEST(ExactBernoulliTest, ARatioIsItsProbability) {
  for (const Trial& trial : Trials()) {
    EXPECT_GT(PValueOfTrials(
                  [&](Randomness& random) {
                    return BernoulliRatio(trial.p, trial.q, random);
                  },
                  trial.value),
              kFalseAlarm)
        << trial.value;
  }
}

TEST(ExactBernoulliTest, ExpMinusARatioIsItsProbability) {
  std::vector<Trial> trials = Trials();
  trials.push_back({1, 1, 1});
  trials.push_back({7, 2, 3.5});
  trials.push_back({Uint128{5} << 124, Uint128{1} << 124, 5});
  for (const Trial& trial : trials) {
    const auto draw = [&](Randomness& random) {
      return BernoulliExpMinus(trial.p, trial.q, random);
    };
    EXPECT_GT(PValueOfTrials(draw, std::exp(-trial.value)), kFalseAlarm)
        << trial.value;
    // A test of small or large probabilities needs more to notice.
    if (trial.value > 0.1) {
      EXPECT_LT(PValueOfTrials(draw, std::exp(-1.05 * trial.value)),
                kFalseAlarm)
          << trial.value;
    }
  }
}

TEST(ExactBernoulliTest, CertaintyAndImpossibilityAreExact) {
  Randomness random = RandomnessForTesting::Seeded(1);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(BernoulliRatio(0, 5, random));
    EXPECT_TRUE(BernoulliRatio(5, 5, random));
    EXPECT_TRUE(BernoulliExpMinus(0, 5, random));
    EXPECT_FALSE(BernoulliExpMinus(kMaxUint128, 1, random));
  }
}

TEST(ExactBernoulliTest, WhatIsNoProbabilityIsAPrivacyFailure) {
  Randomness random = RandomnessForTesting::Seeded(1);
  const Uint128 too_large = (Uint128{1} << 127) + 1;
  EXPECT_THROW(BernoulliRatio(0, 0, random), PrivacyFailure);
  EXPECT_THROW(BernoulliRatio(3, 2, random), PrivacyFailure);
  EXPECT_THROW(BernoulliRatio(1, too_large, random), PrivacyFailure);
  EXPECT_THROW(BernoulliExpMinus(1, 0, random), PrivacyFailure);
  EXPECT_THROW(BernoulliExpMinus(1, too_large, random), PrivacyFailure);
}

// How often each integer from -reach to reach was drawn; the last cell is for
// all others.
template <typename Sampler>
std::vector<uint64_t> CountDraws(const Sampler& sampler, int reach) {
  Randomness random = RandomnessForTesting::Seeded(2020);
  std::vector<uint64_t> counts(static_cast<size_t>(2 * reach + 2));
  for (int i = 0; i < kSamplerDraws; ++i) {
    const Int128 x = sampler.Draw(random);
    const bool near = x >= -reach && x <= reach;
    ++counts[near ? static_cast<size_t>(x + reach) : counts.size() - 1];
  }
  return counts;
}

// The p-value of counts against weight(|x|), normalised.
double ChiSquare(const std::vector<uint64_t>& counts, int reach,
                 const std::function<long double(int)>& weight) {
  long double total = weight(0);
  for (int x = 20 * reach; x >= 1; --x) total += 2 * weight(x);
  std::vector<double> probabilities;
  for (int x = -reach; x <= reach; ++x) {
    probabilities.push_back(static_cast<double>(weight(std::abs(x)) / total));
  }
  return ChiSquarePValue(counts, probabilities);
}

struct Ratio {
  uint64_t numerator;
  uint64_t denominator;
  double value() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
};

TEST(DiscreteLaplaceTest, TheTrueScaleIsAcceptedAndOneFivePercentOffRejected) {
  const std::vector<Ratio> scales = {
      {1, 1}, {7, 1}, {10, 3}, {1, 2}, {(uint64_t{1} << 41) + 1, 1ULL << 40}};
  for (const Ratio& scale : scales) {
    const DiscreteLaplace sampler(scale.numerator, scale.denominator);
    const int reach = static_cast<int>(20 * scale.value()) + 10;
    const std::vector<uint64_t> counts = CountDraws(sampler, reach);
    const auto p_value = [&](double claimed) {
      return ChiSquare(counts, reach, [=](int x) {
        return std::exp(-x / static_cast<long double>(claimed));
      });
    };
    EXPECT_GT(p_value(scale.value()), kFalseAlarm) << scale.value();
    EXPECT_LT(p_value(0.95 * scale.value()), kFalseAlarm) << scale.value();
    EXPECT_LT(p_value(1.05 * scale.value()), kFalseAlarm) << scale.value();
  }
}

TEST(DiscreteSamplersTest, ScalesOfZeroOrBeyondTheLimitAreRefused) {
  EXPECT_THROW(DiscreteLaplace(0, 1), PrivacyFailure);
  EXPECT_THROW(DiscreteLaplace(1, 0), PrivacyFailure);
  EXPECT_THROW(DiscreteLaplace(DiscreteLaplace::kMaxTerm + 1, 1),
               PrivacyFailure);
  Randomness random = RandomnessForTesting::Seeded(4);
  EXPECT_NO_THROW(
      DiscreteLaplace(DiscreteLaplace::kMaxTerm, DiscreteLaplace::kMaxTerm)
          .Draw(random));
}

}  // namespace
}  // namespace cloak
