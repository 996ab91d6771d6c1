#include "cloak/gp/log_intensity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cloak/base/error.h"
#include "cloak/gp/bin_prior.h"
#include "cloak/gp/consistent_counts.h"

namespace cloak {
namespace {

LogIntensityPrior PriorFor(Index bins, double rows, double roughness = 0.5) {
  return PriorOfBins({{bins}}, {2, roughness, {0.3}}, rows, 50);
}

TEST(LogIntensityTest, AlmostWithoutNoiseTheCountsAreWhatWasSeen) {
  const Vector counts{{3, 40, 100, 7, 50}};
  const NoisyBins bins{counts, 1e-4, 200};
  const LogIntensity::Moments moments =
      LogIntensity(PriorFor(5, 200), bins, Threads(1)).Counts();
  EXPECT_LT((moments.mean - counts).cwiseAbs().maxCoeff(), 1e-2);
  EXPECT_LT(moments.variance.maxCoeff(), 1.0001e-4);
  EXPECT_GT(moments.variance.minCoeff(), 0);
}

TEST(LogIntensityTest, WithOverwhelmingNoiseTheCountsAreWhatWasBelieved) {
  const NoisyBins bins{Vector{{9e5, -4e5, 3e5, -2e5}}, 1e12, 400};
  const LogIntensity fit(PriorFor(4, 400), bins, Threads(1));
  EXPECT_LT((fit.Counts().mean.array() - 100).abs().maxCoeff(), 5);
}

// What one sees of other bins tells of a bin: less is left than its noise.
TEST(LogIntensityTest, NeighboursTellOfABin) {
  const NoisyBins bins{Vector::Constant(40, 100), 50, 4000};
  const LogIntensity smooth(PriorFor(40, 4000, 1e-4), bins, Threads(1));
  const LogIntensity rough(PriorFor(40, 4000, 4), bins, Threads(1));
  EXPECT_LT(smooth.Counts().variance.maxCoeff(), 42);
  EXPECT_GT(rough.Counts().variance.minCoeff(), 49);
  EXPECT_LE((smooth.Precision() - smooth.PrecisionWithoutNoise()).maxCoeff(),
            0);
  EXPECT_LT(smooth.Cost(), rough.Cost());
}

// 60 bins of about 2, and one of 60 among them: it is not smoothed away.
TEST(LogIntensityTest, ABinThatLooksImpossibleStandsAlone) {
  Vector counts = Vector::Constant(60, 2);
  counts(20) = 82;
  const NoisyBins bins{counts, 200, 200};
  const LogIntensity::Moments moments =
      LogIntensity(PriorFor(60, 200, 1e-3), bins, Threads(1)).Counts();
  EXPECT_NEAR(moments.mean(20), 82, 1e-9);
  EXPECT_NEAR(moments.variance(20), 200, 1e-9);
  EXPECT_LT(moments.variance(19), 20);
}

// The evidence of two bins by adding up over all u, on a grid: Laplace's
// approximation is good where counts are large.
TEST(LogIntensityTest, TheEvidenceIsThatOfAnIntegral) {
  const double rows = 300;
  const double v = 30;
  const auto integral = [&](const Vector& t, double scale) {
    double sum = 0;
    constexpr double kStep = 0.02;
    for (double a = -3; a < 3; a += kStep) {
      for (double b = -4; b < 4; b += kStep) {
        double log_density = -0.5 * (a * a + b * b);
        for (Index c = 0; c < 2; ++c) {
          const double m =
              rows / 2 * std::exp(a + (c == 0 ? scale * b : -scale * b));
          log_density +=
              -0.5 * (t(c) - m) * (t(c) - m) / (m + v) - 0.5 * std::log(m + v);
        }
        sum += std::exp(log_density);
      }
    }
    return std::log(sum * kStep * kStep / (2 * std::numbers::pi));
  };
  const auto cost = [&](const Vector& t, double scale) {
    LogIntensityPrior prior;
    prior.base = Vector::Constant(2, std::log(rows / 2));
    prior.Phi = Matrix{{1, 1}, {scale, -scale}};
    prior.residual = Vector::Zero(2);
    return LogIntensity(prior, {t, v, rows}, Threads(1)).Cost();
  };
  for (const double part : {150.0, 190.0, 240.0}) {
    const Vector t{{part, rows - part}};
    const double expected = integral(t, 1) - integral(t, 0.2);
    EXPECT_NEAR(cost(t, 0.2) - cost(t, 1), expected, 0.03) << part;
  }
}

TEST(LogIntensityTest, WhatDoesNotFitIsRefused) {
  const NoisyBins bins{Vector::Ones(4), 1, 4};
  EXPECT_THROW(LogIntensity(PriorFor(5, 4), bins, Threads(1)), InvalidInput);
  EXPECT_THROW(
      LogIntensity(PriorFor(4, 4), {Vector::Ones(4), 0, 4}, Threads(1)),
      InvalidInput);
  EXPECT_THROW(LogIntensity(PriorFor(4, 4), {Vector::Constant(4, NAN), 1, 4},
                            Threads(1)),
               InvalidInput);
}

// Their products and the residual make up the covariance that is told.
TEST(BinPriorTest, FunctionsAndResidualMakeUpTheVariance) {
  const std::vector<BinAxis> axes = {{6}, {3, true}};
  const LogIntensityPrior all = PriorOfBins(axes, {2, 0.1, {0.2, 1}}, 90, 100);
  const Matrix f = all.Phi.topRows(all.Phi.rows() - 1);
  const Matrix K = f.transpose() * f;
  // Bins (i, a) and (j, b), of which the second axis is the fastest.
  const auto expected = [](Index p, Index q) {
    const double distance = static_cast<double>(p / 3 - q / 3) / 6 / 0.2;
    return 2 * (0.5 + 0.5 * std::exp(-0.5 * distance * distance)) *
           (p % 3 == q % 3 ? 1 : 0.5);
  };
  for (Index p = 0; p < 18; ++p) {
    for (Index q = 0; q < 18; ++q) {
      EXPECT_NEAR(K(p, q), expected(p, q), 1e-6) << p << " " << q;
    }
  }
  const LogIntensityPrior few = PriorOfBins(axes, {2, 0.1, {0.2, 1}}, 90, 5);
  ASSERT_EQ(few.Phi.rows(), 6);
  const Vector kept = few.Phi.topRows(5).colwise().squaredNorm();
  EXPECT_LT(
      (kept + few.residual - Vector::Constant(18, 2.1)).cwiseAbs().maxCoeff(),
      1e-9);
  EXPECT_NEAR(few.base.array().exp().sum(), 90, 1e-9);
}

TEST(BinPriorTest, WiderBinsAreBelievedToHaveMoreRows) {
  const LogIntensityPrior prior =
      PriorOfBins({{3, false, {1, 2, 7}}}, {1, 1, {0.2}}, 100, 10);
  EXPECT_NEAR(std::exp(prior.base(1)), 20, 1e-9);
  EXPECT_NEAR(std::exp(prior.base(2)), 70, 1e-9);
}

// Far from 0 it is what knowing the sum does to independent normal variables:
// each takes its share of the difference, by its variance.
TEST(ConsistentCountsTest, FarFromZeroTheDifferenceIsSharedByVariance) {
  const ConsistentCounts counts =
      MakeConsistent(Vector{{100, 200}}, Vector{{1, 3}}, 308, 0.95);
  EXPECT_NEAR(counts.count(0), 102, 1e-6);
  EXPECT_NEAR(counts.count(1), 206, 1e-6);
  EXPECT_NEAR(counts.sd(1), std::sqrt(3), 1e-6);
  EXPECT_NEAR(counts.lower(1), 200 - 1.959964 * std::sqrt(3), 1e-4);
  EXPECT_NEAR(counts.upper(1), 206, 1e-4);
  const ConsistentCounts as_they_are =
      MakeConsistent(Vector{{100, 200}}, Vector{{1, 3}}, 300, 0.95);
  EXPECT_NEAR(as_they_are.upper(1), 200 + 1.959964 * std::sqrt(3), 1e-4);
}

// |Z| is a standard normal variable cut off at 0: its variance is 1 − 2/π, its
// quantiles those of |Z|.
TEST(ConsistentCountsTest, NearZeroTheyAreCutOff) {
  const ConsistentCounts counts =
      MakeConsistent(Vector::Zero(7), Vector::Ones(7), 0.7, 0.95);
  EXPECT_NEAR(counts.count(3), 0.1, 1e-6);
  EXPECT_NEAR(counts.sd(3), std::sqrt(1 - 2 / std::numbers::pi), 1e-6);
  EXPECT_EQ(counts.lower(3), 0);
  EXPECT_NEAR(counts.upper(3), 2.2414027, 1e-5);
}

// 200 empty bins, each of which looks as if it had something or owed it, take
// nothing from one that is full.
TEST(ConsistentCountsTest, EmptyBinsTakeNothingFromFullOnes) {
  Vector mean(201);
  for (Index c = 0; c < 200; ++c) mean(c) = c % 2 == 0 ? 4 : -4;
  mean(200) = 1000;
  Vector variance = Vector::Constant(201, 16);
  variance(200) = 50;
  const ConsistentCounts counts = MakeConsistent(mean, variance, 1000, 0.95);
  EXPECT_NEAR(counts.count(200), 1000, 14);
  EXPECT_LT(counts.count.head(200).sum(), 14);
}

TEST(ConsistentCountsTest, WhateverComesInTheyAreNotNegativeAndSumUp) {
  const Vector mean{{-1e9, -50, -3, 0, 5, 1e6}};
  const Vector variance{{1, 1e4, 2, 1e-6, 50, 3}};
  for (const double total : {1.0, 1000.0, 1e12}) {
    const ConsistentCounts counts = MakeConsistent(mean, variance, total, 0.95);
    EXPECT_NEAR(counts.count.sum(), total, 1e-9 * total);
    for (const Vector* numbers :
         {&counts.count, &counts.sd, &counts.lower, &counts.upper}) {
      EXPECT_TRUE(numbers->allFinite() && numbers->minCoeff() >= 0) << total;
    }
    EXPECT_TRUE((counts.lower.array() <= counts.upper.array()).all());
  }
  EXPECT_THROW(MakeConsistent(mean, -variance, 1, 0.95), InvalidInput);
}

}  // namespace
}  // namespace cloak
