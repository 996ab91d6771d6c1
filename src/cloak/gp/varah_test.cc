#include "cloak/gp/varah.h"

#include <gmock/gmock.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "cloak/base/error.h"
#include "cloak/kernels/kernel.h"

namespace cloak {
namespace {

using testing::HasSubstr;

double LargestRowSum(const Matrix& A) {
  return A.cwiseAbs().rowwise().sum().maxCoeff();
}

TEST(VarahTest, BoundsTheInverseOfDominantMatrices) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 2 + trial % 9;
    Matrix J(n, n);
    for (double& entry : J.reshaped()) entry = uniform(random);
    for (Index i = 0; i < n; ++i) {
      J(i, i) = (trial % 2 == 0 ? 1 : -1) *
                (J.row(i).cwiseAbs().sum() + 0.01 + std::abs(J(i, i)));
    }
    EXPECT_LE(LargestRowSum(J.inverse()), VarahBound(J) * (1 + 1e-12));
  }
}

// J = a I − b(11ᵀ − I) has J 1 = (a − (n − 1) b) 1 and a positive inverse.
TEST(VarahTest, IsAttained) {
  Matrix J = Matrix::Constant(5, 5, -0.2);
  J.diagonal().setConstant(1);
  EXPECT_NEAR(VarahBound(J), 1 / (1 - 4 * 0.2), 1e-13);
  EXPECT_NEAR(LargestRowSum(J.inverse()), VarahBound(J), 1e-12);
  // Never rounded below the truth, in the exact case 1/(2 − 1).
  EXPECT_GE(VarahBound(Matrix{{2, 1}, {1, 2}}), 1);
}

TEST(VarahTest, RefusesWhatIsNotStrictlyDominant) {
  EXPECT_THROW(VarahBound(Matrix{{1, 1}, {0, 1}}), InvalidInput);
  EXPECT_THROW(VarahBound(Matrix{{1, 0, 0}, {0, 1, 0}}), InvalidInput);
  EXPECT_THROW(VarahBound(Matrix(0, 0)), InvalidInput);
  const Matrix K =
      Kernel::Eq(1, 1).Covariance(Vector::LinSpaced(9, 0, 1), Threads(1)) +
      0.1 * Matrix::Identity(9, 9);
  EXPECT_THROW(VarahBound(K), InvalidInput);
}

class SeparatedTest : public testing::Test {
 protected:
  static constexpr double kSeparation = 2.5;
  static constexpr double kNoise = 0.3;
  static constexpr double kWidth = 7;

  static Matrix Covariance(const Vector& x) {
    return kKernel.Covariance(x, Threads(1)) +
           kNoise * Matrix::Identity(x.size(), x.size());
  }
  // Σ|α − α'| for the worst output to change by kWidth.
  static double Moved(const Vector& x) {
    return kWidth * LargestRowSum(Covariance(x).inverse().transpose());
  }
  static SeparatedInputs Known(Index count) {
    return {.count = count,
            .variance = 1,
            .largest_covariance = std::exp(-kSeparation * kSeparation / 2),
            .noise_variance = kNoise};
  }
  inline static const Kernel kKernel = Kernel::Eq(1, 1);
};

TEST_F(SeparatedTest, HoldsForAllInputsThatKeepTheSeparation) {
  std::mt19937_64 random(5);
  std::exponential_distribution<double> gap(2);
  const double bound = VarahWeightSensitivity(Known(12), kWidth);
  EXPECT_NEAR(bound, 7 / (1.3 - 11 * std::exp(-3.125)), 1e-9);
  for (int trial = 0; trial < 100; ++trial) {
    Vector x(12);
    for (Index i = 0; i < 12; ++i) {
      x(i) = i == 0 ? 0 : x(i - 1) + kSeparation + gap(random);
    }
    EXPECT_LE(Moved(x), bound);
    EXPECT_LE(kWidth * VarahBound(Covariance(x)), bound * (1 + 1e-12));
  }
}

TEST_F(SeparatedTest, DoesNotHoldWhereTheSeparationIsNotKept) {
  Vector x = 10 * Vector::LinSpaced(12, 0, 11);
  const double bound = VarahWeightSensitivity(Known(12), kWidth);
  EXPECT_LE(Moved(x), bound);
  x(1) = x(0) + 0.1;
  EXPECT_GT(Moved(x), 1.2 * bound);
}

TEST_F(SeparatedTest, WithoutASeparationNeedsNoiseAboveAllOtherInputs) {
  SeparatedInputs known{.count = 12,
                        .variance = 1,
                        .largest_covariance = 1,
                        .noise_variance = 10.5};
  EXPECT_NEAR(VarahWeightSensitivity(known, kWidth), kWidth / 0.5, 1e-9);
  known.noise_variance = 10;
  try {
    VarahWeightSensitivity(known, kWidth);
    FAIL() << "accepted";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("noise variance must be above 10"));
  }
  known.largest_covariance = 1.1;
  EXPECT_THROW(VarahWeightSensitivity(known, kWidth), InvalidInput);
  EXPECT_THROW(VarahWeightSensitivity(Known(12), -1), InvalidInput);
  EXPECT_THROW(VarahWeightSensitivity(Known(0), 1), InvalidInput);
}

}  // namespace
}  // namespace cloak
