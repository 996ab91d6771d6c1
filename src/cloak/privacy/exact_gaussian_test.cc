#include "cloak/privacy/exact_gaussian.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/privacy/exact_normal.h"
#include "cloak/privacy/randomness.h"
#include "tests/testing/exact_integers.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

using boost::multiprecision::cpp_rational;

constexpr double kLeastStep = std::numeric_limits<double>::min();

TEST(ExactGaussianTest, ScaleIsTheSmallestIntegerThatIsEnough) {
  const ExactGaussian exact(16, 2.5);
  EXPECT_TRUE(exact.scale() == 10);
  EXPECT_TRUE(exact.sensitivity_squared() == 16);
  const ExactGaussian more(17, 2.5);
  EXPECT_TRUE(more.scale() == 11);
}

// In exact rational numbers: whether `root` is √square, rounded up.
testing::AssertionResult IsRootUp(double root, const cpp_rational& square) {
  const cpp_rational above(root);
  const cpp_rational below = above * (1 - cpp_rational(0x1p-51));
  return testing::AssertionResult(above * above >= square &&
                                  below * below < square);
}

TEST(ExactGaussianTest, MuAndSensitivityAreRoundedUp) {
  for (const Uint128 squared :
       {Uint128{2}, Uint128{12345678901}, (Uint128{1} << 125) + 7}) {
    for (const double sigma : {0.3, 5.559390689, 1e6}) {
      const double step = 0.1;
      const ExactGaussian gaussian(squared, sigma, step);
      const cpp_rational square(Exact(squared));
      const cpp_rational scale(Exact(gaussian.scale()));
      EXPECT_TRUE(IsRootUp(gaussian.mu(), square / scale / scale));
      EXPECT_TRUE(IsRootUp(gaussian.sensitivity(),
                           square * cpp_rational(step) * cpp_rational(step)));
      EXPECT_EQ(gaussian.sd(), static_cast<double>(gaussian.scale()) * step);
    }
  }
}

TEST(ExactGaussianTest, NoNoiseAndNoiseThatCannotBeDrawnAreRefused) {
  EXPECT_THROW(ExactGaussian(0, 1), PrivacyFailure);
  for (const double sigma : {0.0, -1.0, kNan, kInfinity, 0x1p101}) {
    EXPECT_THROW(ExactGaussian(1, sigma), PrivacyFailure) << sigma;
  }
  EXPECT_NO_THROW(ExactGaussian(1, 0x1p100));
}

TEST(ExactGaussianTest, PublishesTheIntegersPlusTheNormalsDrawnInTurn) {
  const ExactGaussian gaussian(100, 3, 0.25);
  Scratch<Int128> t(3);
  t[0] = 5;
  t[1] = -(Int128{1} << 90);
  Randomness random = RandomnessForTesting::Seeded(1);
  const std::vector<Int128> integers = gaussian.Draw(3, random).AddTo(t);
  const Vector value = gaussian.Value(integers);
  Randomness same = RandomnessForTesting::Seeded(1);
  for (Index k = 0; k < 3; ++k) {
    const Int128 expected = t[k] + RoundedNormal(gaussian.scale(), same);
    EXPECT_TRUE(integers[static_cast<size_t>(k)] == expected) << k;
    EXPECT_EQ(value(k), static_cast<double>(expected) * 0.25);
  }
}

TEST(ExactGaussianTest, NoiseThatIsDrawnIsUsedOnceAndForAsManyNumbers) {
  static_assert(!std::is_copy_constructible_v<DrawnNoise>);
  Randomness random = RandomnessForTesting::Seeded(2);
  const ExactGaussian gaussian(1, 3);
  const Scratch<Int128> three(3);
  EXPECT_THROW(gaussian.Draw(2, random).AddTo(three), PrivacyFailure);
  EXPECT_THROW(gaussian.Draw(4, random).AddTo(three), PrivacyFailure);
  DrawnNoise noise = gaussian.Draw(3, random);
  EXPECT_EQ(std::move(noise).AddTo(three).size(), 3);
  // NOLINTNEXTLINE(bugprone-use-after-move): that is what is tested.
  EXPECT_THROW(std::move(noise).AddTo(three), PrivacyFailure);
}

TEST(ExactGaussianTest, ASumThatDoesNotFitIsRefused) {
  Randomness random = RandomnessForTesting::Seeded(3);
  const ExactGaussian gaussian(1, 0x1p99);
  const auto add = [&](Int128 far) {
    Scratch<Int128> t(40);
    for (Index k = 0; k < t.size(); ++k) t[k] = far;
    return gaussian.Draw(t.size(), random).AddTo(t);
  };
  EXPECT_THROW(add(kMaxInt128), PrivacyFailure);
  EXPECT_THROW(add(kMinInt128), PrivacyFailure);
}

TEST(ExactGaussianTest, StepsAreFineIfAllTheirMultiplesAreDoubles) {
  for (const double step : {kLeastStep, 1.0, 0x1p896}) {
    EXPECT_EQ(ValidStep(step, "it is", "rescale it"), step);
    EXPECT_TRUE(std::isfinite(static_cast<double>(kMinInt128) * step));
  }
  for (const double step :
       {0.0, kLeastStep / 2, 0x1.1p896, kInfinity, kNan, -1.0}) {
    EXPECT_THROW(ValidStep(step, "it is", "rescale it"), InvalidInput) << step;
  }
}

}  // namespace
}  // namespace cloak
