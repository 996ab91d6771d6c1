#include "cloak/privacy/draw_repeats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "cloak/base/error.h"
#include "tests/testing/child_process_for_testing.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using Probability = std::function<double(int)>;

// By products of gamma functions, not by recursion.
Probability NegativeBinomial(double eta, double gamma) {
  return [=](int k) {
    if (k < 1) return 0.0;
    if (eta == 0) return std::pow(1 - gamma, k) / (k * -std::log(gamma));
    return std::pow(1 - gamma, k) / (std::pow(gamma, -eta) - 1) *
           std::tgamma(k + eta) / (std::tgamma(eta) * std::tgamma(k + 1.0));
  };
}

Probability Poisson(double mean) {
  return [=](int k) {
    return std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
  };
}

double PValueOfRepeats(const Repeats& repeats, const Probability& probability) {
  constexpr int kDraws = 8000;
  constexpr int kCells = 100;
  Randomness random = RandomnessForTesting::Seeded(17);
  std::vector<uint64_t> counts(kCells);
  std::vector<double> probabilities;
  probabilities.reserve(kCells + 1);
  for (int k = 0; k < kCells; ++k) probabilities.push_back(probability(k));
  // Those beyond are the rest, and must be counted.
  uint64_t beyond = 0;
  for (int i = 0; i < kDraws; ++i) {
    const int64_t k = DrawRepeats(repeats, random);
    ++(k < kCells ? counts[static_cast<size_t>(k)] : beyond);
  }
  counts.push_back(beyond);
  probabilities.push_back(0);
  return ChiSquarePValue(counts, probabilities);
}

TEST(DrawRepeatsTest, HasItsDistributionAndNoOther) {
  for (const double eta : {1.0, 0.0, -0.5, 3.0}) {
    const NegativeBinomialRepeats repeats(eta, 0.1);
    EXPECT_GT(PValueOfRepeats(repeats, NegativeBinomial(eta, 0.1)), kFalseAlarm)
        << eta;
    EXPECT_LT(PValueOfRepeats(repeats, NegativeBinomial(eta, 0.13)),
              kFalseAlarm)
        << eta;
    EXPECT_LT(PValueOfRepeats(repeats, NegativeBinomial(eta + 0.3, 0.1)),
              kFalseAlarm)
        << eta;
  }
  EXPECT_GT(PValueOfRepeats(PoissonRepeats(8), Poisson(8)), kFalseAlarm);
  EXPECT_LT(PValueOfRepeats(PoissonRepeats(8), Poisson(8.5)), kFalseAlarm);
}

TEST(DrawRepeatsTest, MeansHaveTheirClosedForms) {
  EXPECT_DOUBLE_EQ(MeanRepeats(NegativeBinomialRepeats(1, 0.01)), 100);
  EXPECT_DOUBLE_EQ(MeanRepeats(NegativeBinomialRepeats(0, 0.1)),
                   9 / std::log(10));
  EXPECT_DOUBLE_EQ(MeanRepeats(PoissonRepeats(7)), 7);
}

TEST(DrawRepeatsTest, FailsClosed) {
  Randomness of_the_parent = Randomness::FromSystem();
  EXPECT_TRUE(IsRefusedInChild(
      [&] { DrawRepeats(NegativeBinomialRepeats(1, 0.1), of_the_parent); }));
  EXPECT_THROW(DrawRepeats(PoissonRepeats(1e7), of_the_parent), InvalidInput);
}

// A number beyond those that are drawn would not be as improbable as said.
TEST(DrawRepeatsTest, HeavyTailsAreRefused) {
  EXPECT_THROW(RequireDrawable(PoissonRepeats(1e7)), InvalidInput);
  // Expects 10^5, and the logarithmic one fewer.
  EXPECT_NO_THROW(RequireDrawable(NegativeBinomialRepeats(1, 1e-5)));
  EXPECT_THROW(RequireDrawable(NegativeBinomialRepeats(1, 2e-6)), InvalidInput);
  EXPECT_THROW(RequireDrawable(NegativeBinomialRepeats(0, 1e-6)), InvalidInput);
  EXPECT_THROW(RequireDrawable(NegativeBinomialRepeats(-0.5, 1e-9)),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
