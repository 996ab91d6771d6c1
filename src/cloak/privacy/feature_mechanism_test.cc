#include "cloak/privacy/feature_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cloak/base/error.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

constexpr double kSigma = 2;

Grid TwoByThree() { return {Vector{{0, 0}}, Vector{{1, 1}}, {2, 3}}; }

Matrix Features() {
  return Matrix{{0.3, -0.2, 0.9, 0.1, 0.5, -0.7},
                {0.4, 0.8, 0.1, -0.6, 0.2, 0.3},
                {-0.1, 0.5, 0.2, 0.7, -0.9, 0.4}};
}

std::vector<Secret<Vector>> SecretRows(const Matrix& X) {
  std::vector<Secret<Vector>> columns;
  for (Index j = 0; j < X.cols(); ++j) columns.emplace_back(Vector(X.col(j)));
  return columns;
}

NoisyFeatures ReleaseOf(const FeatureMechanism& mechanism, const Matrix& X) {
  Randomness random = RandomnessForTesting::Seeded(3);
  return mechanism.Release(SecretRows(X), random);
}

TEST(FeatureMechanismTest, SensitivityIsTheLargestDistanceOfTwoCellsOrNone) {
  const FeatureMechanism mechanism(TwoByThree(), Features(), 4, kSigma);
  const Matrix& P = mechanism.features();
  EXPECT_LT((P - Features()).cwiseAbs().maxCoeff(), 1e-8);
  double largest = 0;
  for (Index a = 0; a < P.cols(); ++a) {
    largest = std::max(largest, P.col(a).norm());
    for (Index b = 0; b < P.cols(); ++b) {
      largest = std::max(largest, (P.col(a) - P.col(b)).norm());
    }
  }
  EXPECT_GE(mechanism.noise().sensitivity(), largest * (1 - 1e-15));
  EXPECT_NEAR(mechanism.noise().sensitivity(), largest, 1e-12);
  EXPECT_NEAR(mechanism.noise().sd(), kSigma * largest, 1e-6);
  EXPECT_LE(mechanism.noise().mu(), 1 / kSigma);
}

// With the same noise, neighbours differ by what the one row changed, exactly:
// the features of its cells, whatever the cells hold.
TEST(FeatureMechanismTest, NeighboursDifferByTheFeaturesOfTwoCellsAtMost) {
  const FeatureMechanism mechanism(TwoByThree(), Features(), 4, kSigma);
  const Matrix base{{0.1, 0.1}, {0.9, 0.5}, {0.6, 0.9}, {0.2, 0.4}};
  const NoisyFeatures before = ReleaseOf(mechanism, base);
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double hostile : {double{NAN}, infinite, -infinite, 1e308, -1e308,
                               5e-324, 0.5, 1.0, -0.0}) {
    for (const double other : {0.3, double{NAN}, infinite}) {
      Matrix neighbour = base;
      neighbour.row(2) << hostile, other;
      const NoisyFeatures after = ReleaseOf(mechanism, neighbour);
      Uint128 squared = 0;
      for (size_t k = 0; k < before.integers.size(); ++k) {
        const Int128 moved = after.integers[k] - before.integers[k];
        squared += static_cast<Uint128>(moved * moved);
      }
      EXPECT_LE(squared, mechanism.noise().sensitivity_squared());
    }
  }
}

TEST(FeatureMechanismTest, WhatIsReleasedIsTheSumAndTheNoiseItSays) {
  const FeatureMechanism mechanism(TwoByThree(), Features(), 2, kSigma);
  // Cells 0 (first of both) and 5 (last of both).
  const Matrix X{{0, 0}, {1, 1}};
  const Vector expected =
      mechanism.features().col(0) + mechanism.features().col(5);
  Randomness random = RandomnessForTesting::Seeded(11);
  constexpr int kReleases = 4000;
  Vector mean = Vector::Zero(3);
  double squares = 0;
  for (int i = 0; i < kReleases; ++i) {
    const NoisyFeatures noisy = mechanism.Release(SecretRows(X), random);
    mean += (noisy.sums - expected) / kReleases;
    squares += (noisy.sums - expected).squaredNorm() / (3.0 * kReleases);
  }
  const double sd = mechanism.noise().sd();
  EXPECT_LT(mean.cwiseAbs().maxCoeff(), 4.5 * sd / std::sqrt(kReleases));
  EXPECT_NEAR(squares / (sd * sd), 1, 4.5 * std::sqrt(2 / (3.0 * kReleases)));
}

// Cells that cannot be told apart can be told from a row that is missing.
TEST(FeatureMechanismTest, ARowThatIsMissingIsWithinTheSensitivity) {
  const FeatureMechanism alike(TwoByThree(), Matrix::Ones(2, 6), 2, kSigma);
  EXPECT_NEAR(alike.noise().sensitivity(), std::sqrt(2), 1e-6);
  const NoisyFeatures both = ReleaseOf(alike, Matrix{{0, 0}, {1, 1}});
  const NoisyFeatures one = ReleaseOf(alike, Matrix{{0, 0}, {1, NAN}});
  EXPECT_NEAR((both.sums - one.sums).norm(), std::sqrt(2), 1e-6);
}

TEST(FeatureMechanismTest, RefusesWhatItCannotProtect) {
  const Grid cells = TwoByThree();
  EXPECT_THROW(FeatureMechanism(cells, Matrix::Zero(2, 6), 3, kSigma),
               PrivacyFailure);
  Matrix bad = Features();
  bad(1, 1) = NAN;
  EXPECT_THROW(FeatureMechanism(cells, bad, 3, kSigma), PrivacyFailure);
  EXPECT_THROW(FeatureMechanism(cells, Matrix::Ones(2, 5), 3, kSigma),
               InvalidInput);
  EXPECT_THROW(FeatureMechanism(cells, Features(), 0, kSigma), InvalidInput);
  EXPECT_THROW(FeatureMechanism(cells, Features(), 3, 0), PrivacyFailure);
  const FeatureMechanism mechanism(cells, Features(), 3, kSigma);
  EXPECT_THROW(ReleaseOf(mechanism, Matrix::Zero(4, 2)), InvalidInput);
  EXPECT_THROW(ReleaseOf(mechanism, Matrix::Zero(3, 1)), InvalidInput);
}

}  // namespace
}  // namespace cloak
