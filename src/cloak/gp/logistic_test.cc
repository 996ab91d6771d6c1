#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>

#include "cloak/gp/logistic_moments.h"
#include "cloak/gp/logistic_posterior.h"

namespace cloak {
namespace {

struct Reference {
  double mean;
  double variance;
  double probability;
  double slope;
};

// testdata/make_logistic_oracle.py.
constexpr Reference kReferences[] = {
    {0, 1, 0.5, 0.20662096414190704},
    {1.5, 0.25, 0.80630927942290762, 0.15029733620620937},
    {-3, 9, 0.19438573608839076, 0.078734608818823313},
    {2, 400, 0.53966598421044292, 0.019767505525675403},
    {-40, 1, 7.0043520261686451e-18, 7.004352026168645e-18},
    {-60, 100, 1.9029303644073719e-9, 1.12554656021818e-9},
    {0.1, 1e-06, 0.52497918124973223, 0.24937597831571439},
    {5, 30000.0, 0.51151424121349479, 0.0023022087038251655},
};

TEST(LogisticMomentsTest, AgreeWithQuadratureInManyDigitsAlsoInTheTails) {
  for (const Reference& r : kReferences) {
    const LogisticMoments moments = MomentsOfLogistic(r.mean, r.variance);
    EXPECT_NEAR(moments.probability / r.probability, 1, 1e-12) << r.mean;
    EXPECT_NEAR(moments.slope / r.slope, 1, 1e-12) << r.mean;
    const LogisticMoments mirrored = MomentsOfLogistic(-r.mean, r.variance);
    EXPECT_NEAR(mirrored.complement / moments.probability, 1, 1e-13);
    EXPECT_NEAR(moments.probability + moments.complement, 1, 1e-14);
  }
}

// Sums as MomentsOfLogistic does for narrow distributions, with so many terms
// that the link is resolved.
LogisticMoments BySum(double mean, double sd) {
  const double h = 0.2 / sd;
  double total = 0;
  LogisticMoments sum{0, 0, 0};
  for (double z = -39; z <= 39; z += h) {
    const double weight = std::exp(-0.5 * z * z);
    const double f = mean + sd * z;
    const double e = std::exp(-std::abs(f));
    total += weight;
    sum.probability += weight * (f > 0 ? 1 : e) / (1 + e);
    sum.complement += weight * (f > 0 ? e : 1) / (1 + e);
    sum.slope += weight * e / ((1 + e) * (1 + e));
  }
  return {sum.probability / total, sum.complement / total, sum.slope / total};
}

TEST(LogisticMomentsTest, WideDistributionsTakeNoLonger) {
  for (const double sd : {7.9, 8.1, 20.0, 77.0, 79.0, 300.0, 999.0}) {
    for (const double z : {0.0, 0.3, 2.0, 0.49 * sd, 0.51 * sd, 20.0, 36.0}) {
      const double mean = -std::min(z, 36.0) * sd;
      const LogisticMoments moments = MomentsOfLogistic(mean, sd * sd);
      const LogisticMoments sum = BySum(mean, sd);
      EXPECT_NEAR(moments.probability / sum.probability, 1, 1e-10)
          << sd << " " << mean;
      EXPECT_NEAR(moments.slope / sum.slope, 1, 1e-10) << sd << " " << mean;
      EXPECT_NEAR(moments.complement, 1 - moments.probability, 1e-13);
    }
  }
  // Each is a bounded number of terms: these were millions.
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 1000; ++i) MomentsOfLogistic(5e5 + i, 0.99e6);
  for (int i = 0; i < 1000; ++i) MomentsOfLogistic(5e4 + i, 0.99e6);
  EXPECT_LT(std::clock() - begin, 20 * CLOCKS_PER_SEC);
}

TEST(LogisticMomentsTest, AStepStandsForVeryWideDistributions) {
  const LogisticMoments below = MomentsOfLogistic(700, 0.999e6);
  const LogisticMoments above = MomentsOfLogistic(700, 1.001e6);
  EXPECT_NEAR(below.probability, above.probability, 3e-4);
  EXPECT_NEAR(above.slope / below.slope, 1, 2e-3);
  EXPECT_EQ(MomentsOfLogistic(0, 1e300).probability, 0.5);
  EXPECT_EQ(MomentsOfLogistic(-1e5, 0).probability, 0);
  EXPECT_EQ(MomentsOfLogistic(1e5, 1).complement, 0);
}

// Three weights, forty labels, a statistic of two numbers.
struct SmallCase {
  static constexpr Index kRows = 40;
  LabelModel labels{Matrix(3, kRows), Vector::Constant(kRows, 0.2)};
  Matrix R{2, kRows};
  Vector w{{15.0, 8.0}};
  double s = 3.7;

  SmallCase() {
    for (Index i = 0; i < kRows; ++i) {
      const double x = static_cast<double>(i) / kRows;
      labels.Phi.col(i) << 1.5, 1.5 * std::cos(3 * x), std::cos(6 * x);
      R.col(i) << std::cos(1.5 * x), std::sin(1.5 * x);
    }
  }
};

// p(u | w): draws of u and of labels, weighted by the density of w given them.
Vector ImportanceMean(const SmallCase& c, Matrix& covariance) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  double total = 0;
  Vector mean = Vector::Zero(3);
  Matrix square = Matrix::Zero(3, 3);
  for (int draw = 0; draw < 60000; ++draw) {
    const Vector u = Vector::NullaryExpr(3, [&] { return normal(generator); });
    Vector y(SmallCase::kRows);
    for (Index i = 0; i < y.size(); ++i) {
      const double f = c.labels.Phi.col(i).dot(u) +
                       std::sqrt(c.labels.residual(i)) * normal(generator);
      y(i) = uniform(generator) < 1 / (1 + std::exp(-f)) ? 1 : -1;
    }
    const double density =
        std::exp(-0.5 * (c.w - c.R * y).squaredNorm() / (c.s * c.s));
    total += density;
    mean += density * u;
    square += density * u * u.transpose();
  }
  mean /= total;
  covariance = square / total - mean * mean.transpose();
  return mean;
}

TEST(LogisticPosteriorTest, IsCloseToThePosteriorByBruteForce) {
  const SmallCase c;
  Matrix covariance;
  const Vector mean = ImportanceMean(c, covariance);
  const LinearPosterior inferred =
      InferFromLabels(c.labels, c.R, c.s, c.w, Threads(1));
  const Matrix S = Matrix::Identity(3, 3) -
                   inferred.explained.transpose() * inferred.explained +
                   inferred.noise.transpose() * inferred.noise;
  // A tenth of the prior standard deviation of 1 at most.
  EXPECT_LT((inferred.mean - mean).cwiseAbs().maxCoeff(), 0.1)
      << inferred.mean.transpose() << " against " << mean.transpose();
  EXPECT_LT((S - covariance).cwiseAbs().maxCoeff(), 0.1) << S << "\nagainst\n"
                                                         << covariance;
  // The statistic says something: it could fail.
  EXPECT_GT(mean.norm(), 0.2);
}

TEST(LogisticPosteriorTest, IsAFixedPointOfItsOwnLinearModel) {
  const SmallCase c;
  const LinearPosterior found =
      InferFromLabels(c.labels, c.R, c.s, c.w, Threads(1));
  const Matrix explained = found.explained * c.labels.Phi;
  const Matrix noise = found.noise * c.labels.Phi;
  const Vector variance =
      (c.labels.Phi.colwise().squaredNorm() -
       explained.colwise().squaredNorm() + noise.colwise().squaredNorm())
          .transpose();
  const LinearizedLabels line = Linearize(c.labels.Phi.transpose() * found.mean,
                                          variance, c.labels.residual);
  const StatisticMoments moments = ModelStatistic(
      {c.labels.Phi * line.slope.asDiagonal(), line.noise}, c.R, Threads(1));
  const LinearPosterior again =
      InferWeights(moments.H, moments.V0, c.s, c.w - c.R * line.intercept);
  EXPECT_LT((again.mean - found.mean).norm(), 1e-3);
}

TEST(LogisticPosteriorTest, ImpossibleStatisticsStillHaveAPosterior) {
  SmallCase c;
  for (const double scale : {1e2, 1e6, 1e12, -1e12}) {
    c.w << scale, -scale;
    for (const double size : {1e-3, 1.0, 1e4}) {
      LabelModel labels = c.labels;
      labels.Phi *= size;
      const LinearPosterior inferred =
          InferFromLabels(labels, c.R, c.s, c.w, Threads(1));
      EXPECT_TRUE(inferred.mean.allFinite()) << scale << " " << size;
      EXPECT_TRUE(inferred.explained.allFinite());
    }
  }
}

TEST(LogisticPosteriorTest, BeforehandTheVarianceOfEveryLabelIsOne) {
  const SmallCase c;
  const OutputModel outputs = LabelsBeforehand(c.labels);
  const Vector variance =
      outputs.Phi.colwise().squaredNorm().transpose() + outputs.D;
  EXPECT_LT((variance.array() - 1).abs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace cloak
