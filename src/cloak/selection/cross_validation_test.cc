#include "cloak/selection/cross_validation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>

#include "cloak/base/error.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/privacy/selection_mechanism.h"
#include "cloak/selection/worth_choosing.h"
#include "tests/testing/randomness_for_testing.h"

namespace cloak {
namespace {

PrivacyUnits Pairs(Index rows) {
  std::vector<std::string> labels;
  for (Index i = 0; i < rows; ++i) labels.push_back(std::to_string(i / 2));
  return PrivacyUnits::FromLabels(labels, "pairs");
}

Matrix Ages(Index rows) { return Vector::LinSpaced(rows, 0, 10); }

LinearPredictor ExactProcess(const Matrix& X, const Kernel& kernel) {
  return [X, kernel](const Fold& fold) -> LinearPrediction {
    const ExactGp gp(kernel, 1, X(fold.rest, Eigen::all), Threads(1));
    return {gp.CloakingMatrix(X(fold.held_out, Eigen::all)), 2};
  };
}

// The mean of the rest.
LinearPrediction Mean(const Fold& fold) {
  const auto rest = static_cast<Index>(fold.rest.size());
  return {Matrix::Constant(static_cast<Index>(fold.held_out.size()), rest,
                           1 / static_cast<double>(rest))};
}

TEST(DealFoldsTest, EveryRowIsHeldOutOnceWithItsUnit) {
  const PrivacyUnits units = Pairs(20);
  const std::vector<Fold> folds = DealFolds(units, 3);
  std::set<Index> seen;
  for (const Fold& fold : folds) {
    EXPECT_EQ(fold.held_out.size() + fold.rest.size(), 20U);
    EXPECT_GE(fold.held_out.size(), 6U);
    EXPECT_LE(fold.held_out.size(), 8U);
    const std::set<Index> held_out(fold.held_out.begin(), fold.held_out.end());
    for (const Index row : fold.held_out) {
      EXPECT_TRUE(seen.insert(row).second);
      EXPECT_TRUE(held_out.contains(row ^ 1)) << row;
    }
    for (const Index row : fold.rest) EXPECT_FALSE(held_out.contains(row));
  }
  EXPECT_EQ(seen.size(), 20U);
  EXPECT_THROW(DealFolds(units, 1), InvalidInput);
  EXPECT_THROW(DealFolds(units, 11), InvalidInput);
}

TEST(LeaveFoldsOutTest, ResidualsAreThoseOfPredictingEachFold) {
  const Matrix X = Ages(9);
  const Kernel kernel = Kernel::Bias(5) + Kernel::Eq(3, 2);
  const std::vector<Fold> folds = DealFolds(PrivacyUnits::EachRow(9), 4);
  const Residuals residuals = LeaveFoldsOut(folds, 9, ExactProcess(X, kernel));
  const Vector y = Vector::LinSpaced(9, -1, 2).array().cube();
  for (const Fold& fold : folds) {
    const ExactGp gp(kernel, 1, X(fold.rest, Eigen::all), Threads(1));
    const Vector predicted =
        gp.PosteriorMean(X(fold.held_out, Eigen::all), Vector(y(fold.rest)));
    const Vector expected = predicted - Vector(y(fold.held_out));
    EXPECT_LT((Vector((residuals.T * y)(fold.held_out)) - expected).norm(),
              1e-12);
  }
  EXPECT_EQ(residuals.squared_noise, 8);
  EXPECT_THROW(LeaveFoldsOut(folds, 9,
                             [](const Fold&) -> LinearPrediction {
                               return {Matrix::Zero(1, 1)};
                             }),
               InvalidInput);
}

TEST(ResidualNormTest, UtilityIsTheRootOfTheExpectedSquaredError) {
  const Matrix X = Ages(12);
  const Residuals residuals =
      LeaveFoldsOut(DealFolds(PrivacyUnits::EachRow(12), 3), 12,
                    ExactProcess(X, Kernel::Bias(50) + Kernel::Eq(20, 3)));
  const OutputBounds bounds(10, 30);
  const Vector y = 20 + 9 * X.col(0).array().sin();
  for (const double prior_mean : {20.0, 12.5, -100.0}) {
    const ResidualNorm norm(residuals, PrivacyUnits::EachRow(12), bounds,
                            prior_mean);
    const Vector z = y.array() - prior_mean;
    EXPECT_NEAR(norm.Utility(y),
                -std::sqrt((residuals.T * z).squaredNorm() + 6), 1e-4);
  }
  // Clipped, and nothing that is not a number gets through.
  const ResidualNorm norm(residuals, PrivacyUnits::EachRow(12), bounds, 20);
  Vector wild = y;
  Vector tame = y;
  wild(3) = 1e300;
  tame(3) = 30;
  wild(4) = std::nan("");
  tame(4) = 20;
  EXPECT_EQ(norm.Utility(wild), norm.Utility(tame));
}

TEST(ResidualNormTest, SensitivityIsAttainedWhereConstantsArePredicted) {
  const Index n = 8;
  const Residuals residuals =
      LeaveFoldsOut(DealFolds(PrivacyUnits::EachRow(n), 4), n, Mean);
  const OutputBounds bounds(-1, 3);
  const ResidualNorm norm(residuals, PrivacyUnits::EachRow(n), bounds, 1);
  // Each is predicted from six, so that it moves six predictions by a sixth.
  EXPECT_NEAR(norm.sensitivity(), 4 * std::sqrt(1 + 1.0 / 6), 1e-6);
  const Vector same = Vector::Constant(n, 3);
  Vector other = same;
  other(2) = -1;
  const double change = norm.Utility(same) - norm.Utility(other);
  EXPECT_LE(change, norm.sensitivity());
  EXPECT_GE(change, norm.sensitivity() * (1 - 1e-6));
}

TEST(ResidualNormTest, SensitivityOfAUnitIsThatOfAllItsRowsTogether) {
  const Index n = 8;
  const PrivacyUnits pairs = Pairs(n);
  const Residuals residuals = LeaveFoldsOut(DealFolds(pairs, 4), n, Mean);
  const OutputBounds bounds(0, 1);
  const ResidualNorm norm(residuals, pairs, bounds, 0.5);
  const Vector same = Vector::Zero(n);
  Vector other = same;
  other(4) = other(5) = 1;
  const double change = norm.Utility(same) - norm.Utility(other);
  EXPECT_GT(change,
            ResidualNorm(residuals, PrivacyUnits::EachRow(n), bounds, 0.5)
                .sensitivity());
  EXPECT_LE(change, norm.sensitivity());
  EXPECT_GE(change, norm.sensitivity() * (1 - 1e-6));
}

// Random processes, bounds, prior means and neighbours. A tenth less would be
// caught.
TEST(ResidualNormTest, NoNeighbourMovesItFarther) {
  std::mt19937_64 generator(7);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  };
  double closest = 0;
  for (int attempt = 0; attempt < 60; ++attempt) {
    const Index n = 6 + attempt % 9;
    const PrivacyUnits units =
        attempt % 2 == 0 ? PrivacyUnits::EachRow(n) : Pairs(n);
    const Matrix X = Matrix::NullaryExpr(n, 1, [&] { return uniform(0, 10); });
    const Kernel kernel = Kernel::Bias(std::exp(uniform(-2, 6))) +
                          Kernel::Eq(std::exp(uniform(-2, 4)), uniform(1, 5));
    Residuals residuals =
        LeaveFoldsOut(DealFolds(units, 3), n, ExactProcess(X, kernel));
    residuals.squared_noise = attempt % 3 == 0 ? 0 : uniform(0, 4);
    const OutputBounds bounds(uniform(-9, 0), uniform(1, 9));
    const ResidualNorm norm(residuals, units, bounds, uniform(-20, 20));
    for (int pair = 0; pair < 40; ++pair) {
      // Many at the bounds, where it is worst.
      const auto output = [&] {
        return std::clamp(uniform(-20, 20), bounds.lower(), bounds.upper());
      };
      Vector y = pair % 2 == 0 ? Vector(Vector::NullaryExpr(n, output))
                               : Vector(Vector::Constant(n, bounds.upper()));
      Vector other = y;
      const auto unit = static_cast<Index>(
          generator() % static_cast<uint64_t>(units.count()));
      for (const Index row : units.Rows(unit)) {
        other(row) = pair % 2 == 0 ? output() : bounds.lower();
      }
      const double change = std::abs(norm.Utility(y) - norm.Utility(other));
      EXPECT_LE(change, norm.sensitivity());
      closest = std::max(closest, change / norm.sensitivity());
    }
  }
  EXPECT_GT(closest, 0.9);
}

TEST(ResidualNormTest, RefusesWhatWouldBreakTheBound) {
  const PrivacyUnits rows = PrivacyUnits::EachRow(2);
  const OutputBounds bounds(0, 1);
  const double nan = std::nan("");
  const Matrix T = Matrix::Identity(2, 2);
  EXPECT_THROW(ResidualNorm({T * nan}, rows, bounds, 0), PrivacyFailure);
  EXPECT_THROW(ResidualNorm({T * 0}, rows, bounds, 0), PrivacyFailure);
  EXPECT_THROW(ResidualNorm({T, -1}, rows, bounds, 0), InvalidInput);
  EXPECT_THROW(ResidualNorm({T, nan}, rows, bounds, 0), InvalidInput);
  EXPECT_THROW(ResidualNorm({T}, rows, bounds, nan), InvalidInput);
  EXPECT_THROW(ResidualNorm({T}, PrivacyUnits::EachRow(3), bounds, 0),
               InvalidInput);
  EXPECT_THROW(ResidualNorm({T}, rows, bounds, 0).Utility(Vector::Zero(3)),
               InvalidInput);
}

// Linear data: the process that knows lines is chosen against the mean, when ε
// is large, and about as often as chance has it when ε is small.
TEST(CandidateUtilitiesTest, TheBetterCandidateIsChosen) {
  const Index n = 40;
  const Matrix X = Ages(n);
  const PrivacyUnits rows = PrivacyUnits::EachRow(n);
  const OutputBounds bounds(0, 10);
  const std::vector<Fold> folds = DealFolds(rows, 5);
  const Secret<Vector> y((Vector(X.col(0))));
  const ResidualNorm mean(LeaveFoldsOut(folds, n, Mean), rows, bounds, 5);
  const ResidualNorm line(
      LeaveFoldsOut(folds, n,
                    ExactProcess(X, Kernel::Bias(100) + Kernel::Linear({100}))),
      rows, bounds, 5);
  CandidateUtilities candidates(y);
  candidates.Add(mean);
  candidates.Add(line);
  candidates.Add(mean);
  const double sensitivity = std::max(mean.sensitivity(), line.sensitivity());
  Randomness random = RandomnessForTesting::Seeded(3);
  const auto count = [&](double epsilon) {
    const SelectionMechanism mechanism(sensitivity, epsilon);
    int chosen = 0;
    for (int draw = 0; draw < 300; ++draw) {
      chosen += mechanism.Select(candidates.Of({0, 1, 2}), random) == 1 ? 1 : 0;
    }
    return chosen;
  };
  EXPECT_GT(count(20), 290);
  EXPECT_LT(count(0.01), 140);
}

TEST(WorthChoosingTest, LeavesOutWhatIsHopelessOrTooSensitive) {
  const double noisy = 10 / std::sqrt(12.0) + 0.01;
  EXPECT_EQ(
      WorthChoosing({{0, 20}, {2, 12}, {1, 18}, {noisy, 1}, {1, 18.1}}, 10),
      (std::vector<size_t>{1, 2}));
  EXPECT_TRUE(WorthChoosing({{noisy, 1}}, 10).empty());
}

}  // namespace
}  // namespace cloak
