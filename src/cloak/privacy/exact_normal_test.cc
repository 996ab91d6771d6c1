#include "cloak/privacy/exact_normal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <vector>

#include "cloak/base/error.h"
#include "tests/testing/distributions_for_testing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_int;

// A million exact standard normals, rounded to 2^-50.
const std::vector<double>& Sample() {
  static const std::vector<double> sample = [] {
    Randomness random = RandomnessForTesting::Seeded(2014);
    std::vector<double> draws(1000000);
    for (double& x : draws) {
      x = std::ldexp(
          static_cast<double>(RoundedNormal(Uint128{1} << 50, random)), -50);
    }
    return draws;
  }();
  return sample;
}

TEST(ExactNormalTest, TheTrueScaleIsAcceptedAndOneFivePercentOffRejected) {
  EXPECT_GT(NormalScalePValue(Sample(), 1), kFalseAlarm);
  EXPECT_LT(NormalScalePValue(Sample(), 0.95), kFalseAlarm);
  EXPECT_LT(NormalScalePValue(Sample(), 1.05), kFalseAlarm);
  EXPECT_LT(NormalScalePValue(Sample(), 0.99), kFalseAlarm);
  EXPECT_LT(NormalScalePValue(Sample(), 1.01), kFalseAlarm);
}

TEST(ExactNormalTest, TheDistributionIsNormal) {
  EXPECT_GT(NormalKolmogorovSmirnovPValue(Sample()), kFalseAlarm);
}

TEST(ExactNormalTest, ADistributionThatIsOnePercentTooWideIsNotNormal) {
  std::vector<double> wide = Sample();
  for (double& x : wide) x *= 1.01;
  EXPECT_LT(NormalKolmogorovSmirnovPValue(wide), kFalseAlarm);
}

TEST(ExactNormalTest, TheTailsHaveTheirProbability) {
  for (const double limit : {1.0, 2.0, 3.0, 3.5, 4.0}) {
    for (const double side : {-1.0, 1.0}) {
      uint64_t beyond = 0;
      for (const double x : Sample()) beyond += side * x > limit ? 1 : 0;
      EXPECT_GT(BinomialPValue(beyond, Sample().size(), NormalCdf(-limit)),
                kFalseAlarm)
          << side * limit;
    }
  }
}

TEST(ExactNormalTest, ConsecutiveDrawsAreUncorrelated) {
  double product = 0, product_of_squares = 0;
  const std::vector<double>& x = Sample();
  for (size_t i = 1; i < x.size(); ++i) {
    product += x[i] * x[i - 1];
    product_of_squares += (x[i] * x[i] - 1) * (x[i - 1] * x[i - 1] - 1) / 2;
  }
  const double n = static_cast<double>(x.size());
  EXPECT_GT(2 * NormalCdf(-std::abs(product) / std::sqrt(n)), kFalseAlarm);
  EXPECT_GT(2 * NormalCdf(-std::abs(product_of_squares) / std::sqrt(n)),
            kFalseAlarm);
}

TEST(ExactNormalTest, StreamsOfTwoGeneratorsAreUncorrelated) {
  Randomness first = RandomnessForTesting::Seeded(1);
  Randomness second = RandomnessForTesting::Seeded(2);
  const int n = 300000;
  const auto draw = [&](Randomness& random) {
    return std::ldexp(
        static_cast<double>(RoundedNormal(Uint128{1} << 50, random)), -50);
  };
  double product = 0, next_product = 0, product_of_squares = 0, last = 0;
  for (int i = 0; i < n; ++i) {
    const double x = draw(first), y = draw(second);
    product += x * y;
    next_product += last * y;
    product_of_squares += (x * x - 1) * (y * y - 1) / 2;
    last = x;
  }
  for (const double sum : {product, next_product, product_of_squares}) {
    EXPECT_GT(2 * NormalCdf(-std::abs(sum) / std::sqrt(n)), kFalseAlarm);
  }
}

// Groups of 1 and 4 digits meet equal groups, and roundings that are not
// decided by the first, all the time; 64 is the product's.
template <typename Normal>
class DigitsTest : public testing::Test {};
using Widths = testing::Types<BasicExactNormal<1>, BasicExactNormal<4>,
                              BasicExactNormal<64>>;
TYPED_TEST_SUITE(DigitsTest, Widths);

// The p-value of `draws` rounded normals of scale `sigma` against the exact
// probabilities for `claimed_sigma`.
template <typename Normal>
double RoundedPValue(unsigned sigma, double claimed_sigma, int draws) {
  Randomness random = RandomnessForTesting::Seeded(sigma);
  const int reach = 40;
  std::vector<uint64_t> counts(2 * reach + 1);
  for (int i = 0; i < draws; ++i) {
    const Int128 value = Normal::Draw(random).RoundedTimes(sigma, random);
    ++counts.at(static_cast<size_t>(value + reach));
  }
  std::vector<double> probabilities;
  for (int j = -reach; j <= reach; ++j) {
    // From the nearer tail, so that small probabilities are accurate.
    const double far = -(std::abs(j) - 0.5) / claimed_sigma;
    const double near = -(std::abs(j) + 0.5) / claimed_sigma;
    probabilities.push_back(NormalCdf(far) - NormalCdf(near));
  }
  return ChiSquarePValue(counts, probabilities);
}

TYPED_TEST(DigitsTest, RoundedNormalsHaveTheirExactProbabilities) {
  for (const unsigned sigma : {1, 2, 3, 7}) {
    EXPECT_GT(RoundedPValue<TypeParam>(sigma, sigma, 200000), kFalseAlarm)
        << sigma;
    EXPECT_LT(RoundedPValue<TypeParam>(sigma, 0.95 * sigma, 200000),
              kFalseAlarm)
        << sigma;
  }
}

TYPED_TEST(DigitsTest, TheIntegerPartHasItsExactProbability) {
  Randomness random = RandomnessForTesting::Seeded(11);
  std::vector<uint64_t> counts(20);
  uint64_t negative = 0;
  const int draws = 200000;
  for (int i = 0; i < draws; ++i) {
    const TypeParam normal = TypeParam::Draw(random);
    ++counts.at(normal.whole());
    negative += normal.negative() ? 1 : 0;
  }
  std::vector<double> probabilities;
  probabilities.reserve(20);
  for (int k = 0; k < 20; ++k) {
    probabilities.push_back(2 * (NormalCdf(-k) - NormalCdf(-k - 1)));
  }
  EXPECT_GT(ChiSquarePValue(counts, probabilities), kFalseAlarm);
  EXPECT_GT(BinomialPValue(negative, draws, 0.5), kFalseAlarm);
}

template <int kDigitBits>
double HalfPValue() {
  Randomness random = RandomnessForTesting::Seeded(12);
  const int trials = 300000;
  uint64_t successes = 0;
  for (int i = 0; i < trials; ++i) {
    successes += BernoulliExpMinusHalf<kDigitBits>(random) ? 1 : 0;
  }
  return BinomialPValue(successes, trials, std::exp(-0.5));
}

TEST(BernoulliTest, AlgorithmHSucceedsWithProbabilityExpMinusHalf) {
  EXPECT_GT(HalfPValue<1>(), kFalseAlarm);
  EXPECT_GT(HalfPValue<4>(), kFalseAlarm);
  EXPECT_GT(HalfPValue<64>(), kFalseAlarm);
}

TEST(BernoulliTest, AlgorithmBSucceedsWithItsProbabilityForEveryX) {
  for (const uint64_t k : {0, 1, 2, 5}) {
    Randomness random = RandomnessForTesting::Seeded(k);
    std::vector<uint64_t> trials(16), successes(16);
    for (int i = 0; i < 400000; ++i) {
      LazyUniform<4> x(random);
      const bool success = BernoulliExp(k, x, random);
      const size_t cell = x.Digit(0, random);
      ++trials[cell];
      successes[cell] += success ? 1 : 0;
    }
    const double twice_k = 2 * static_cast<double>(k);
    const auto probability = [=](double x) {
      return std::exp(-x * (twice_k + x) / (twice_k + 2));
    };
    for (size_t cell = 0; cell < 16; ++cell) {
      const double low = static_cast<double>(cell) / 16;
      const double mean =
          16 * boost::math::quadrature::gauss<double, 15>::integrate(
                   probability, low, low + 1 / 16.0);
      EXPECT_GT(BinomialPValue(successes[cell], trials[cell], mean),
                kFalseAlarm / 64)
          << k << " " << cell;
    }
  }
}

RC_GTEST_PROP(ExactNormalTest, TheFastPathRoundsAsTheGeneralOneDoes,
              (uint64_t seed)) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  for (int bits = 1; bits <= 63; ++bits) {
    const Uint128 sigma = (random.Bits64() >> (64 - bits)) | 1;
    ExactNormal normal = ExactNormal::Draw(random);
    RC_ASSERT(normal.RoundedTimes(sigma, random) ==
              normal.RoundedTimesGeneral(sigma, random));
  }
}

cpp_int Big(Int128 value) { return cpp_int(DecimalText(value)); }

// |m - sigma N| <= 1/2 and |M - 2^90 N| <= 1/2 give a bound without N.
template <int kDigitBits>
void CheckRounding(uint64_t seed, uint64_t bits) {
  Randomness random = RandomnessForTesting::Seeded(seed);
  const Uint128 sigma = (Uint128{bits} >> *rc::gen::inRange(0, 64)) | 1;
  auto normal = BasicExactNormal<kDigitBits>::Draw(random);
  const cpp_int m = Big(normal.RoundedTimes(sigma, random));
  const cpp_int M = Big(normal.RoundedTimes(Uint128{1} << 90, random));
  const cpp_int scale = cpp_int(1) << 90;
  const cpp_int exact_sigma(DecimalText(sigma));
  RC_ASSERT(2 * abs(m * scale - exact_sigma * M) <= scale + exact_sigma);
}

RC_GTEST_PROP(ExactNormalTest, ASmallScaleRoundsTheSameNumberAsALargeOne,
              (uint64_t seed, uint64_t bits)) {
  CheckRounding<64>(seed, bits);
  CheckRounding<4>(seed, bits);
  CheckRounding<1>(seed, bits);
}

TEST(ExactNormalTest, AScaleOfZeroOrBeyondTheLimitIsRefused) {
  Randomness random = RandomnessForTesting::Seeded(1);
  EXPECT_THROW(RoundedNormal(0, random), PrivacyFailure);
  EXPECT_THROW(RoundedNormal(ExactNormal::kMaxSigma + 1, random),
               PrivacyFailure);
  EXPECT_NO_THROW(RoundedNormal(ExactNormal::kMaxSigma, random));
}

}  // namespace
}  // namespace cloak
