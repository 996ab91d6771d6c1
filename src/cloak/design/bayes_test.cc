#include "cloak/design/bayes.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <span>
#include <string>

#include "cloak/base/error.h"
#include "cloak/design/certificate.h"
#include "cloak/design/trace.h"
#include "cloak/gp/basis.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

struct Problem {
  Matrix X;
  Kernel kernel;
  double noise;
  DesignPrior prior;
};

// The example of the prototype: 60 points on a line of length 10.
Problem Line(Index n = 60, double lengthscale = 1.5) {
  std::srand(1);
  const Matrix X = (5 * Matrix::Random(n, 1)).array() + 5;
  const Kernel kernel = Kernel::Eq(1, lengthscale);
  const Basis basis(
      kernel, SelectBasisPoints(kernel, X, Threads(1), {.tolerance = 1e-5}),
      Threads(1));
  OutputModel outputs = ModelOutputs(basis, 0.1, X);
  const Matrix Q =
      outputs.Phi * outputs.Phi.transpose() / static_cast<double>(n);
  return {X, kernel, 0.1, {1, std::move(outputs.Phi), std::move(outputs.D), Q}};
}

TEST(BayesDesignTest, IsCertifiedWithinItsTolerance) {
  const Problem problem = Line();
  const NoiseDesign design = BayesDesign({problem.prior}, 1.5, Threads(1));
  EXPECT_LE(design.gap, 0.01);
  EXPECT_LE(design.R.colwise().norm().maxCoeff(), 1 + 1e-12);
}

TEST(BayesDesignTest, TheObjectiveIsThePosteriorVarianceItLeaves) {
  const Problem problem = Line();
  const double s = 1.5;
  const NoiseDesign design = BayesDesign({problem.prior}, s, Threads(1));
  Matrix Ky = problem.prior.Phi.transpose() * problem.prior.Phi;
  Ky.diagonal() += problem.prior.D;
  const Matrix H = design.R * problem.prior.Phi.transpose();
  Matrix A = design.R * Ky * design.R.transpose();
  A.diagonal().array() += s * s;
  const Index m = H.cols();
  const Matrix S = Matrix::Identity(m, m) - H.transpose() * A.llt().solve(H);
  EXPECT_NEAR(design.objective, (problem.prior.Q * S).trace(), 1e-10);
}

// The certificate of design.md with N x N eigenvalues, as the prototype has
// it: an upper bound on what any release explains. Ours must be one too, and
// not be looser.
// The gap by the formula of design.md, N times the largest eigenvalue of
// B − diag(diag(BG)), with matrices of all rows.
double DenseGap(const DesignPrior& prior, double s, const Matrix& R) {
  const Index n = R.cols();
  Matrix Ky = prior.Phi.transpose() * prior.Phi;
  Ky.diagonal() += prior.D;
  const Matrix W = prior.Phi.transpose() * prior.Q * prior.Phi;
  const Matrix G = R.transpose() * R;
  const Matrix Y = (Ky * G + s * s * Matrix::Identity(n, n)).inverse();
  const Matrix B = s * s * Y * W * Y.transpose();
  Matrix shifted = B;
  shifted.diagonal() -= (B * G).diagonal();
  return static_cast<double>(n) * std::max(0.0, LargestEigenvalue(shifted));
}

// Both bound the same thing, with other multipliers: each is now and then the
// sharper one.
TEST(BayesDesignTest, TheCertificateAgreesWithTheDenseOne) {
  const Problem problem = Line();
  const double s = 1.5;
  const Matrix optimal = BayesDesign({problem.prior}, s, Threads(1)).R;
  std::srand(5);
  double ratios = 0;
  constexpr int kDraws = 20;
  for (int draw = 0; draw < kDraws; ++draw) {
    // A little off the optimum, where there is a gap to certify.
    Matrix R = optimal + 0.1 * Matrix::Random(optimal.rows(), optimal.cols());
    R.colwise().normalize();
    const double ours =
        BoundExplainedVariance({problem.prior},
                               PrivacyUnits::EachRow(problem.X.rows()), {}, s,
                               R, Threads(1))
            .gap;
    const double ratio = ours / DenseGap(problem.prior, s, R);
    EXPECT_GT(ratio, 0);
    EXPECT_LT(ratio, 1.2);
    ratios += ratio;
  }
  EXPECT_LT(ratios / kDraws, 1);
}

TEST(BayesDesignTest, NoCompetitorBeatsTheCertificate) {
  const Problem problem = Line(40);
  const double s = 1.0;
  const NoiseDesign design = BayesDesign({problem.prior}, s, Threads(1));
  const double explained =
      ExplainedVariance({problem.prior}, s, design.R, Threads(1));
  const double bound =
      explained + BoundExplainedVariance(
                      {problem.prior}, PrivacyUnits::EachRow(problem.X.rows()),
                      {}, s, design.R, Threads(1))
                      .gap;
  std::srand(5);
  for (int attempt = 0; attempt < 50; ++attempt) {
    Matrix R = design.R;
    R += std::pow(10, -attempt % 4) * Matrix::Random(R.rows(), R.cols());
    R.colwise().normalize();
    EXPECT_LE(ExplainedVariance({problem.prior}, s, R, Threads(1)), bound);
  }
}

TEST(BayesDesignTest, IsNeverWorseThanTrace) {
  const Problem problem = Line();
  for (const double s : {0.3, 1.5, 6.0}) {
    const Matrix C =
        ExactGp(problem.kernel, problem.noise, problem.X, Threads(1))
            .CloakingMatrix(problem.X);
    const NoiseDesign trace =
        TraceDesign(C, Vector::Ones(C.rows()), Threads(1));
    const NoiseDesign bayes = BayesDesign({problem.prior}, s, Threads(1));
    EXPECT_LE(bayes.objective,
              problem.prior.Q.trace() -
                  ExplainedVariance({problem.prior}, s, trace.R, Threads(1)) +
                  1e-9)
        << s;
  }
}

TEST(BayesDesignTest, AMixtureServesBothOfItsPriors) {
  Problem smooth = Line(60, 4);
  Problem rough = Line(60, 1);
  const double s = 1.0;
  smooth.prior.weight = 0.5;
  rough.prior.weight = 0.5;
  const NoiseDesign both =
      BayesDesign({smooth.prior, rough.prior}, s, Threads(1));
  const NoiseDesign one = BayesDesign({smooth.prior}, s, Threads(1));
  EXPECT_LE(both.gap, 0.01);
  EXPECT_GT(ExplainedVariance({rough.prior}, s, both.R, Threads(1)),
            ExplainedVariance({rough.prior}, s, one.R, Threads(1)));
}

// The signs of a unit's rows that move R y most, by trying all.
double Farthest(const Matrix& R, std::span<const Index> rows) {
  double farthest = 0;
  for (uint64_t signs = 0; signs < uint64_t{1} << rows.size(); ++signs) {
    Vector sum = Vector::Zero(R.rows());
    for (size_t k = 0; k < rows.size(); ++k) {
      sum += (signs >> k & 1 ? -1 : 1) * R.col(rows[k]);
    }
    farthest = std::max(farthest, sum.norm());
  }
  return farthest;
}

// Rows i, i + n/g, i + 2n/g, … are one person's.
PrivacyUnits Scattered(Index n, Index size) {
  std::vector<std::string> labels;
  for (Index i = 0; i < n; ++i) {
    labels.push_back(std::to_string(i % (n / size)));
  }
  return PrivacyUnits::FromLabels(labels, "person");
}

TEST(BayesDesignTest, AUnitMovesTheStatisticByAtMostOne) {
  const Problem problem = Line();
  for (const Index size : {2, 3, 5, 10}) {
    const PrivacyUnits units = Scattered(60, size);
    const NoiseDesign design =
        BayesDesign({problem.prior}, units, 1.5, Threads(1));
    for (Index unit = 0; unit < units.count(); ++unit) {
      EXPECT_LE(Farthest(design.R, units.Rows(unit)), 1 + 1e-12);
    }
    EXPECT_LE(design.gap, 0.01) << size;
  }
}

TEST(BayesDesignTest, ALargeUnitIsProtectedWithALooserCertificate) {
  const Problem problem = Line();
  const PrivacyUnits units = Scattered(60, 15);
  const NoiseDesign design =
      BayesDesign({problem.prior}, units, 1.5, Threads(1));
  for (Index unit = 0; unit < units.count(); ++unit) {
    EXPECT_LE(Farthest(design.R, units.Rows(unit)), 1 + 1e-9);
  }
  EXPECT_TRUE(std::isfinite(design.gap));
  EXPECT_LT(design.objective, 0.5 * problem.prior.Q.trace());
}

TEST(BayesDesignTest, NoCompetitorForUnitsBeatsTheCertificate) {
  const Problem problem = Line(40);
  const double s = 1.0;
  const PrivacyUnits units = Scattered(40, 4);
  const NoiseDesign design = BayesDesign({problem.prior}, units, s, Threads(1));
  const double bound = design.objective * (1 - design.gap);
  std::srand(6);
  for (int attempt = 0; attempt < 50; ++attempt) {
    Matrix R = design.R;
    R += std::pow(10, -attempt % 4) * Matrix::Random(R.rows(), R.cols());
    for (Index unit = 0; unit < units.count(); ++unit) {
      const double length = Farthest(R, units.Rows(unit));
      for (const Index i : units.Rows(unit)) R.col(i) /= length;
    }
    EXPECT_GE(problem.prior.Q.trace() -
                  ExplainedVariance({problem.prior}, s, R, Threads(1)),
              bound);
  }
}

// A person with two like rows is one person with their mean: what a unit
// protects costs accuracy, and no more than it must.
TEST(BayesDesignTest, ManyLikeRowsOfAUnitCountAsOne) {
  const Problem problem = Line(30);
  DesignPrior twice = problem.prior;
  twice.Phi.resize(problem.prior.Phi.rows(), 60);
  twice.Phi << problem.prior.Phi, problem.prior.Phi;
  twice.D.resize(60);
  twice.D << problem.prior.D, problem.prior.D;
  DesignPrior mean = problem.prior;
  mean.D /= 2;
  const double as_units =
      BayesDesign({twice}, Scattered(60, 2), 1, Threads(1)).objective;
  EXPECT_NEAR(as_units, BayesDesign({mean}, 1, Threads(1)).objective,
              0.01 * as_units);
}

// What does not change the question must not change the answer, beyond what
// the tolerance leaves open.
TEST(BayesDesignTest, DoesNotDependOnUnitsOrderBasisOrHowOftenAPlaceIsAsked) {
  const Problem problem = Line();
  const BayesOptions tight{.tolerance = 1e-5};
  const auto objective = [&](const DesignPrior& prior, double s) {
    return BayesDesign({prior}, s, Threads(1), NoProgress, tight).objective;
  };
  const double s = 1.5;
  const double plain = objective(problem.prior, s);
  const double close = 2e-5 * plain;
  const Index m = problem.prior.Phi.rows();

  // In centimetres: the weights u stay standard, so Φ grows and Q with it.
  DesignPrior scaled = problem.prior;
  scaled.Phi *= 100;
  scaled.D *= 1e4;
  scaled.Q *= 1e4;
  EXPECT_NEAR(objective(scaled, 100 * s), 1e4 * plain, 1e4 * close);

  DesignPrior reversed = problem.prior;
  reversed.Phi = problem.prior.Phi.rowwise().reverse();
  reversed.D = problem.prior.D.reverse();
  EXPECT_NEAR(objective(reversed, s), plain, close);

  std::srand(3);
  const Matrix U =
      Eigen::HouseholderQR<Matrix>(Matrix::Random(m, m)).householderQ();
  DesignPrior rotated = problem.prior;
  rotated.Phi = U * problem.prior.Phi;
  rotated.Q = U * problem.prior.Q * U.transpose();
  EXPECT_NEAR(objective(rotated, s), plain, close);

  DesignPrior asked_twice = problem.prior;
  asked_twice.Q *= 2;
  EXPECT_NEAR(objective(asked_twice, s), 2 * plain, 2 * close);
}

// A row given twice, as two people, is heard with half the noise: as one row
// with twice the signal and twice its own noise variance.
TEST(BayesDesignTest, ADuplicateOfARowIsASecondPerson) {
  const Problem problem = Line(30);
  const BayesOptions tight{.tolerance = 1e-5};
  DesignPrior twice = problem.prior;
  twice.Phi.resize(problem.prior.Phi.rows(), 60);
  twice.Phi << problem.prior.Phi, problem.prior.Phi;
  twice.D.resize(60);
  twice.D << problem.prior.D, problem.prior.D;
  DesignPrior louder = problem.prior;
  louder.Phi *= 2;
  louder.D *= 2;
  const double both =
      BayesDesign({twice}, 1, Threads(1), NoProgress, tight).objective;
  EXPECT_NEAR(both,
              BayesDesign({louder}, 1, Threads(1), NoProgress, tight).objective,
              2e-5 * both);
}

// Places that matter are added to those there were: the design turns to them
// and leaves more at the old ones.
TEST(BayesDesignTest, AddingPlacesTurnsTheDesignToThem) {
  const Problem problem = Line();
  const double s = 1.5;
  DesignPrior more = problem.prior;
  const Matrix left = problem.prior.Phi.col(0);
  more.Q += 5 * left * left.transpose();
  const BayesOptions tight{.tolerance = 1e-5};
  const Matrix R =
      BayesDesign({problem.prior}, s, Threads(1), NoProgress, tight).R;
  const Matrix turned = BayesDesign({more}, s, Threads(1), NoProgress, tight).R;
  EXPECT_LT(ExplainedVariance({problem.prior}, s, turned, Threads(1)),
            ExplainedVariance({problem.prior}, s, R, Threads(1)));
  EXPECT_GT(ExplainedVariance({more}, s, turned, Threads(1)),
            ExplainedVariance({more}, s, R, Threads(1)));
}

TEST(BayesDesignTest, OneAndTwoThreadsGiveTheSameBits) {
  const Problem problem = Line(700, 1);
  EXPECT_EQ(BayesDesign({problem.prior}, 1, Threads(1)).R,
            BayesDesign({problem.prior}, 1, Threads(2)).R);
}

TEST(BayesDesignTest, OneRowAndOneBasisPointWork) {
  const DesignPrior prior{1, Matrix::Ones(1, 1), Vector::Ones(1),
                          Matrix::Ones(1, 1)};
  const NoiseDesign design = BayesDesign({prior}, 2, Threads(1));
  EXPECT_NEAR(std::abs(design.R(0, 0)), 1, 1e-12);
  // 1 − 1/(1 + 1 + 4)
  EXPECT_NEAR(design.objective, 5.0 / 6, 1e-12);
}

TEST(BayesDesignTest, MatricesThatDoNotFitAreRefused) {
  const DesignPrior prior{1, Matrix::Ones(2, 3), Vector::Ones(2),
                          Matrix::Ones(2, 2)};
  EXPECT_THROW(BayesDesign({prior}, 1, Threads(1)), InvalidInput);
  EXPECT_THROW(BayesDesign({}, 1, Threads(1)), InvalidInput);
}

TEST(BayesDesignTest, VariancesWhoseProductsAreNoDoublesAreRefused) {
  DesignPrior prior{1, Matrix::Identity(2, 2), Vector::Ones(2),
                    Matrix::Identity(2, 2)};
  EXPECT_NO_THROW(BayesDesign({prior}, 1, Threads(1)));
  prior.Phi *= 1e149;
  EXPECT_THROW(BayesDesign({prior}, 1, Threads(1)), InvalidInput);
  prior.Phi = prior.Q;
  prior.Q *= 1e299;
  EXPECT_THROW(BayesDesign({prior}, 1, Threads(1)), InvalidInput);
  prior.Q = prior.Phi;
  prior.D *= 1e299;
  EXPECT_THROW(BayesDesign({prior}, 1, Threads(1)), InvalidInput);
}

}  // namespace
}  // namespace cloak
