#include <gmock/gmock.h>

#include <boost/property_tree/xml_parser.hpp>
#include <cmath>
#include <sstream>

#include "cloak/gp/exact_gp.h"
#include "experiments/designs/comparison.h"
#include "experiments/designs/pictures.h"

namespace cloak {
namespace {

using testing::HasSubstr;
using testing::Not;

// 60 ages, crowded below 20, and one far away; a kernel that knows little.
DesignTask Task(const Matrix& Xs) {
  DesignTask task;
  task.X.resize(60, 1);
  for (Index i = 0; i < 59; ++i) {
    task.X(i, 0) = 0.02 * static_cast<double>(i * i);
  }
  task.X(59, 0) = 95;
  task.Xs = Xs;
  task.kernel = Kernel::Parse("bias(1000) + eq(variance=600, lengthscale=15)");
  task.noise_variance = 60;
  task.width = 100;
  task.s = 188;
  return task;
}

DesignTask TwoAges() { return Task(Matrix{{10.0}, {20.0}}); }
DesignTask ManyAges() { return Task(Vector::LinSpaced(40, 0, 80)); }

TEST(ErrorCovariance, OfOneOutputIsTheTextbookFormula) {
  DesignTask task;
  task.X = Matrix::Zero(1, 1);
  task.Xs = Matrix::Constant(1, 1, 2.0);
  task.kernel = Kernel::Eq(9, 2);
  task.noise_variance = 4;
  task.s = 3;
  const double k = 9 * std::exp(-0.5);
  const Threads threads(1);
  const LinearRelease release =
      DecodedByBayes(task, Matrix::Ones(1, 1), threads);
  EXPECT_NEAR(release.C(0, 0), k / (9 + 4 + 9), 1e-12);
  EXPECT_NEAR(ErrorCovariance(task, release, threads)(0, 0),
              9 - k * k / (9 + 4 + 9), 1e-12);
}

TEST(ErrorCovariance, WithoutPrivacyIsThePosterior) {
  const DesignTask task = ManyAges();
  const Threads threads(1);
  const Matrix error =
      ErrorCovariance(task, WithoutPrivacy(task, threads), threads);
  const Matrix posterior =
      ExactGp(task.kernel, task.noise_variance, task.X, threads)
          .PosteriorCovariance(task.Xs);
  EXPECT_LT((error - posterior).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(RootMeanVarianceAtRows, CountsAPlaceAsOftenAsItHasRows) {
  DesignTask task;
  task.X = Matrix{{0.0}, {1.0}, {9.0}};
  task.Xs = Matrix{{0.5}, {8.0}};
  const Matrix covariance = Matrix{{1.0, 0.0}, {0.0, 25.0}};
  EXPECT_DOUBLE_EQ(RootMeanVarianceAtRows(task, covariance), 3);
  EXPECT_DOUBLE_EQ(RootMeanVariance(covariance), std::sqrt(13));
}

TEST(DecodedByBayes, IsTheBestLinearDecoder) {
  const DesignTask task = ManyAges();
  const Threads threads(1);
  for (const DesignOutcome& outcome : CompareDesigns(task, threads).outcomes) {
    const Matrix& R = outcome.design.R;
    const LinearRelease best = DecodedByBayes(task, R, threads);
    const double least = RootMeanVariance(outcome.error_by_bayes);
    for (const double scale : {0.9, 1.1}) {
      const LinearRelease other{scale * best.C, scale * best.noise};
      EXPECT_GT(RootMeanVariance(ErrorCovariance(task, other, threads)), least)
          << outcome.name;
    }
    EXPECT_LE(least, RootMeanVariance(outcome.error) * (1 + 1e-12))
        << outcome.name;
  }
}

TEST(CompareDesigns, NoStatisticBeatsThatOfBayesByMoreThanItsGap) {
  const Comparison comparison = CompareDesigns(ManyAges(), Threads(1));
  const DesignOutcome& bayes = comparison.outcomes[2];
  const double slack = bayes.design.gap * bayes.design.objective + 1e-6;
  for (const DesignOutcome& outcome : comparison.outcomes) {
    EXPECT_GE(outcome.error_by_bayes.diagonal().mean(),
              bayes.error.diagonal().mean() - slack)
        << outcome.name;
  }
}

// What makes the promise: σ·(pull of any row) lies inside the noise ellipse.
TEST(CompareDesigns, NoisesHideThePullOfEveryRow) {
  const DesignTask task = TwoAges();
  for (const DesignOutcome& outcome :
       CompareDesigns(task, Threads(1)).outcomes) {
    const Matrix M = NoiseCovariance(outcome.release) / (task.s * task.s);
    const double det = M(0, 0) * M(1, 1) - M(0, 1) * M(0, 1);
    const Matrix inverse =
        Matrix{{M(1, 1), -M(0, 1)}, {-M(0, 1), M(0, 0)}} / det;
    const Matrix& C = outcome.release.C;
    const double farthest =
        (C.array() * (inverse * C).array()).colwise().sum().maxCoeff();
    EXPECT_LE(farthest, 1 + 1e-9) << outcome.name;
    // Those that are made for these two ages touch it.
    if (outcome.name != "bayes") {
      EXPECT_GE(farthest, 1 - 1e-6) << outcome.name;
    }
  }
}

TEST(CompareDesigns, EachIsBestAtWhatItMinimises) {
  const Comparison comparison = CompareDesigns(TwoAges(), Threads(1));
  const Matrix volume = NoiseCovariance(comparison.outcomes[0].release);
  const Matrix trace = NoiseCovariance(comparison.outcomes[1].release);
  EXPECT_LE(EllipseArea(volume), EllipseArea(trace) * (1 + 1e-6));
  EXPECT_LE(trace.trace(), volume.trace() * (1 + 1e-4));
}

TEST(CompareDesigns, BayesListensLessToARowThatStandsAlone) {
  const DesignTask task = ManyAges();
  const Comparison comparison = CompareDesigns(task, Threads(1));
  const Vector published = RowPulls(task, comparison.outcomes[0].release);
  const Vector by_bayes = RowPulls(task, comparison.outcomes[2].release);
  EXPECT_GT(published(59) / published(20), 2 * by_bayes(59) / by_bayes(20));
}

void ExpectWholeDrawing(const std::string& svg) {
  std::istringstream in(svg);
  boost::property_tree::ptree tree;
  ASSERT_NO_THROW(read_xml(in, tree));
  EXPECT_EQ(tree.count("svg"), 1U);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  for (const char* name : {"volume", "trace", "bayes"}) {
    EXPECT_THAT(svg, HasSubstr(name));
  }
}

TEST(Pictures, AreWholeDrawings) {
  const DesignTask many = ManyAges();
  const Comparison comparison = CompareDesigns(many, Threads(1));
  ExpectWholeDrawing(NoiseSvg(many, comparison));
  ExpectWholeDrawing(RowsSvg(many, comparison));
  const DesignTask two = TwoAges();
  ExpectWholeDrawing(EllipsesSvg(two, CompareDesigns(two, Threads(1))));
}

}  // namespace
}  // namespace cloak
