#include "cloak/kernels/kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>

#include "cloak/base/error.h"
#include "cloak/kernels/catalogue.h"
#include "cloak/kernels/random_kernel.h"

namespace cloak {
namespace {

using ::testing::HasSubstr;

// k(x, x') of two different observations with a single input each.
double At(const Kernel& kernel, double x, double y) {
  const Matrix X = Matrix::Constant(1, 1, x);
  const Matrix Y = Matrix::Constant(1, 1, y);
  return kernel.CrossCovariance(X, Y, Threads(1))(0, 0);
}

std::string MessageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

constexpr char kEverything[] =
    "eq(2, lengthscale=[1, 2, 3]) * linear() + matern12() * matern32() + "
    "matern52() + rq(alpha=0.5) * (periodic(period=3) + bias(2)) + white(3) + "
    "bins(2, lower=-1, upper=1, count=3) * gibbs(3, count=2, bandwidth=0.5, "
    "centres=[0.1, -0.3, 0.4, -1, 0.2, 0.9]) + gibbs(centres=[0, 1, 0])";

TEST(Kernel, EveryKernelIsInTheTests) {
  for (const std::string_view name : KernelNames()) {
    EXPECT_THAT(kEverything, HasSubstr(std::string(name) + "("));
  }
}

TEST(Kernel, HasTheValuesOfTheTextbook) {
  const double e = std::numbers::e;
  EXPECT_NEAR(At(Kernel::Eq(3, 2), 1, 5), 3 / (e * e), 1e-15);
  EXPECT_NEAR(At(Kernel::Matern12(3, 2), 1, 5), 3 / (e * e), 1e-15);
  EXPECT_NEAR(At(Kernel::Matern32(2, std::sqrt(3.0)), 0, 1), 4 / e, 1e-15);
  EXPECT_NEAR(At(Kernel::Matern52(3, std::sqrt(5.0)), 1, 0), 7 / e, 1e-15);
  EXPECT_NEAR(At(Kernel::RationalQuadratic(8, 1, 3), 0, std::sqrt(6.0)), 1,
              1e-15);
  EXPECT_NEAR(At(Kernel::Periodic(5, 1, 4), 7, 9), 5 / (e * e), 1e-15);
  EXPECT_NEAR(At(Kernel::Periodic(5, 1, 4), -1, 7), 5, 1e-15);
  EXPECT_EQ(At(Kernel::Linear(3), 2, -5), -30);
  EXPECT_EQ(At(Kernel::Bias(7), 2, -5), 7);
  EXPECT_EQ(At(Kernel::White(7), 2, 2), 0);
}

TEST(Kernel, BinsAreTheSameCellOrNothing) {
  // Cells [−1, 0), [0, 1), [1, 2]; outside, the nearest.
  const Kernel bins = Kernel::Bins(7, -1, 2, 3);
  EXPECT_EQ(At(bins, -1, -0.001), 7);
  EXPECT_EQ(At(bins, -0.001, 0), 0);
  EXPECT_EQ(At(bins, 0, 0.999), 7);
  EXPECT_EQ(At(bins, 1, 2), 7);
  EXPECT_EQ(At(bins, 1e300, 1.5), 7);
  EXPECT_EQ(At(bins, -1e300, -0.5), 7);
  EXPECT_EQ(At(bins, -1e300, 1e300), 0);
  const Matrix X{{0.1, 0.1}, {0.1, 0.9}, {0.9, 0.1}, {0.4, 0.2}};
  const Kernel four = Kernel::Bins(1, 0, {1, 1}, {2, 2});
  const Matrix expected{{1, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 1}};
  EXPECT_EQ(four.Covariance(X, Threads(1)), expected);
}

// With one centre of weight w at 0 and bandwidth 1, √(2π) count = w and
// longest = 1: r(0) = 1/(1 + 1) = 1/2, and far away r = 1.
TEST(Kernel, GibbsHasTheLengthscaleOfItsPlace) {
  const Kernel gibbs =
      Kernel::Gibbs({.variance = 3,
                     .count = 2 / std::sqrt(2 * std::numbers::pi),
                     .neighbourhood = 0,
                     .centres = {0},
                     .weights = 2});
  const double e = std::numbers::e;
  EXPECT_NEAR(At(gibbs, 100, 100 + std::sqrt(2.0)), 3 / e, 1e-14);
  EXPECT_NEAR(At(gibbs, 0, 1e-6), 3 * (1 - 2e-12), 1e-12);
  const double r = 1 / (1 + std::exp(-4.5));  // at 3
  EXPECT_NEAR(At(gibbs, 0, 3),
              3 * std::sqrt(r / (0.25 + r * r)) * std::exp(-9 / (0.25 + r * r)),
              1e-15);
  EXPECT_EQ(At(gibbs, 7, 7), 3);
  // Half a neighbourhood away counts, and so does all of it: r(0) = 1 as soon
  // as one of them reaches where there is nothing.
  const Kernel wide = Kernel::Gibbs({.variance = 3,
                                     .count = 1e-3,
                                     .neighbourhood = 60,
                                     .centres = {0, 60, -60}});
  EXPECT_NEAR(At(wide, 0, 0.1), 3 * std::exp(-0.005), 1e-14);
}

TEST(Kernel, ScalesEachInputByItsOwnLengthscale) {
  const Matrix X{{0, 0}};
  const Matrix Y{{3, 8}};
  const Kernel kernel = Kernel::Matern12(1, {1, 2});
  EXPECT_NEAR(kernel.CrossCovariance(X, Y, Threads(1))(0, 0), std::exp(-5.0),
              1e-15);
  const Kernel linear = Kernel::Linear({1, 0.5});
  EXPECT_EQ(linear.CrossCovariance(Y, Y, Threads(1))(0, 0), 9 + 32);
}

TEST(Kernel, SumsAndProductsAddAndMultiply) {
  const Kernel eq = Kernel::Eq(2, 1.5);
  const Kernel linear = Kernel::Linear(3);
  const double a = At(eq, 1, 2);
  const double b = At(linear, 1, 2);
  EXPECT_EQ(At(eq + linear, 1, 2), a + b);
  EXPECT_EQ(At(eq * linear, 1, 2), a * b);
  EXPECT_EQ(At((eq + linear) * linear, 1, 2), (a + b) * b);
}

TEST(Kernel, WhiteStandsOnTheDiagonalOnly) {
  const Matrix X{{1}, {1}, {2}};
  const Matrix expected = 4 * Matrix::Identity(3, 3);
  EXPECT_EQ(Kernel::White(4).Covariance(X, Threads(1)), expected);
  EXPECT_EQ(Kernel::White(4).CrossCovariance(X, X, Threads(1)),
            Matrix::Zero(3, 3));
  EXPECT_EQ((Kernel::White(2) * Kernel::Bias(2)).Covariance(X, Threads(1)),
            expected);
}

RC_GTEST_PROP(Kernel, CovarianceIsSymmetricAndPositiveSemidefinite, ()) {
  const Index inputs = *rc::gen::inRange(1, 4);
  const Kernel kernel = DrawKernel(inputs, 3);
  const Matrix X = DrawInputs(12, inputs);
  const Matrix K = kernel.Covariance(X, Threads(1));
  RC_ASSERT(K == K.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(K, Eigen::EigenvaluesOnly);
  RC_ASSERT(eigen.eigenvalues().minCoeff() >= -1e-9 * K.trace());
}

RC_GTEST_PROP(Kernel, VariancesAreTheDiagonalOfTheCovariance, ()) {
  const Index inputs = *rc::gen::inRange(1, 6);
  const Kernel kernel = DrawKernel(inputs, 3);
  const Matrix X = DrawInputs(10, inputs);
  RC_ASSERT(kernel.Variances(X) == kernel.Covariance(X, Threads(1)).diagonal());
}

TEST(Kernel, CovarianceIsTheCrossCovarianceApartFromWhite) {
  const Matrix X = Matrix::Random(203, 3);
  const Kernel kernel = Kernel::Parse(kEverything);
  const Matrix covariance = kernel.Covariance(X, Threads(1));
  Matrix cross = kernel.CrossCovariance(X, X, Threads(1));
  cross.diagonal().array() += 3;
  EXPECT_EQ(covariance, cross);
}

TEST(Kernel, AnEntryDependsOnItsTwoRowsAlone) {
  const Matrix X = Matrix::Random(301, 3);
  const Matrix Y = Matrix::Random(41, 3);
  const Kernel kernel = Kernel::Parse(kEverything);
  const Matrix all = kernel.CrossCovariance(X, Y, Threads(1));
  EXPECT_EQ(kernel.CrossCovariance(X.middleRows(57, 5), Y, Threads(1)),
            all.middleRows(57, 5));
  EXPECT_EQ(kernel.CrossCovariance(Y, X, Threads(1)), all.transpose());
}

TEST(Kernel, DoesNotDependOnTheNumberOfThreads) {
  const Matrix X = Matrix::Random(333, 3);
  const Matrix A = Matrix::Random(333, 333);
  const Kernel kernel = Kernel::Parse(kEverything);
  EXPECT_EQ(kernel.Covariance(X, Threads(1)), kernel.Covariance(X, Threads(2)));
  EXPECT_EQ(kernel.CrossCovariance(X, X.topRows(70), Threads(1)),
            kernel.CrossCovariance(X, X.topRows(70), Threads(2)));
  EXPECT_EQ(kernel.Gradient(X, A, Threads(1)),
            kernel.Gradient(X, A, Threads(2)));
}

TEST(Kernel, EqualRowsAreFullyCorrelatedHoweverManyInputsThereAre) {
  for (const Index inputs : {1, 2, 3, 7, 8, 9, 30}) {
    Matrix X = 1e6 * Matrix::Random(20, inputs);
    X.row(13) = X.row(2);
    for (const char* text :
         {"eq()", "matern12()", "matern32()", "matern52()", "rq()",
          "periodic()", "bins(lower=-1e6, upper=1e6, count=3)"}) {
      const Matrix K = Kernel::Parse(text).Covariance(X, Threads(1));
      EXPECT_EQ(K(13, 2), 1) << text << " with " << inputs << " inputs";
      EXPECT_EQ(K(5, 5), 1) << text << " with " << inputs << " inputs";
    }
  }
}

TEST(Kernel, LosesNothingToLargeOffsets) {
  const double now = 1.7e9;
  EXPECT_EQ(At(Kernel::Eq(1, 1), now, now + 0.5), At(Kernel::Eq(1, 1), 0, 0.5));
  EXPECT_EQ(At(Kernel::Periodic(1, 1, 8), now, now + 3),
            At(Kernel::Periodic(1, 1, 8), 0, 3));
}

TEST(Kernel, FarApartIsUncorrelatedAndNeverNotANumber) {
  const double largest = std::numeric_limits<double>::max();
  for (const double far : {1e3, 1e10, 1e160, largest}) {
    for (const char* text :
         {"eq()", "matern12()", "matern32()", "matern52()", "rq(alpha=1000)"}) {
      EXPECT_NEAR(At(Kernel::Parse(text), far, -far), 0, 1e-100)
          << text << " at " << far;
    }
    EXPECT_FALSE(std::isnan(At(Kernel::Parse("periodic()"), far, -far)));
  }
  const double smallest = std::numeric_limits<double>::min();
  EXPECT_EQ(At(Kernel::Eq(1, smallest), 3, 3), 1);
  EXPECT_EQ(At(Kernel::Eq(1, smallest), 3, 4), 0);
  EXPECT_EQ(At(Kernel::RationalQuadratic(1, 1, smallest), 3, 3), 1);
  EXPECT_EQ(At(Kernel::Eq(1, largest), 3, 4), 1);
}

TEST(Kernel, HasMatricesWithoutRows) {
  const Kernel kernel = Kernel::Parse("eq() + white()");
  const Matrix none(0, 2);
  EXPECT_EQ(kernel.Covariance(none, Threads(2)).size(), 0);
  EXPECT_EQ(kernel.CrossCovariance(none, Matrix::Ones(3, 2), Threads(2)).cols(),
            3);
  EXPECT_EQ(kernel.Variances(none).size(), 0);
  EXPECT_EQ(kernel.Gradient(none, Matrix(0, 0), Threads(2)), Vector::Zero(3));
}

TEST(KernelParameters, HaveThePathsOfTheExpression) {
  const Kernel kernel =
      Kernel::Parse("bias(9) + eq(2, lengthscale=[3, 4]) * rq()");
  std::vector<std::string> paths;
  for (const auto& parameter : kernel.Parameters()) {
    paths.push_back(parameter.path);
  }
  EXPECT_THAT(paths, testing::ElementsAre("0.variance", "1.0.variance",
                                          "1.0.lengthscale[0]",
                                          "1.0.lengthscale[1]", "1.1.variance",
                                          "1.1.lengthscale", "1.1.alpha"));
  EXPECT_EQ(kernel.Parameters()[3].value, 4);
  EXPECT_EQ(Kernel::Linear(2).Parameters()[0].path, "variance");
}

TEST(KernelParameters, OfTwoKernelsOfAKindStaySeparate) {
  const Kernel kernel = Kernel::Eq(1, 2) + Kernel::Eq(3, 4);
  ASSERT_EQ(kernel.Parameters().size(), 4U);
  const Kernel changed = kernel.WithParameters(Vector{{5, 6, 7, 8}});
  EXPECT_EQ(changed, Kernel::Eq(5, 6) + Kernel::Eq(7, 8));
  EXPECT_EQ(kernel, Kernel::Eq(1, 2) + Kernel::Eq(3, 4));
}

RC_GTEST_PROP(KernelParameters, PutBackGiveTheSameKernel, ()) {
  const Kernel kernel = DrawKernel(2, 20);
  const auto parameters = kernel.Parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (Index i = 0; i < values.size(); ++i) {
    values[i] = parameters[static_cast<size_t>(i)].value;
  }
  RC_ASSERT(kernel.WithParameters(values) == kernel);
  const auto other = kernel.WithParameters(2 * values).Parameters();
  RC_ASSERT(other.size() == parameters.size());
  for (size_t i = 0; i < other.size(); ++i) {
    RC_ASSERT(other[i].path == parameters[i].path);
    RC_ASSERT(other[i].value == 2 * parameters[i].value);
  }
}

TEST(KernelErrors, NameTheArgumentTheRuleAndTheValue) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(MessageOf([] { Kernel::Eq(-1, 1); }),
            "variance of eq must be finite and positive, but is -1");
  EXPECT_EQ(MessageOf([] {
              Kernel::Eq(1, {2, 0});
            }),
            "lengthscale of eq must be finite and positive, but is 0 (number "
            "1 of the list)");
  EXPECT_EQ(MessageOf([&] { Kernel::RationalQuadratic(1, 1, nan); }),
            "alpha of rq must be finite and positive, but is nan");
  EXPECT_THAT(MessageOf([] { Kernel::Linear(std::vector<double>{}); }),
              HasSubstr("at least one number"));
  EXPECT_THAT(MessageOf([] {
                Kernel::Bias(1).WithParameters(Vector{{1, 2}});
              }),
              HasSubstr("each of the 1 parameters"));
  EXPECT_THAT(MessageOf([] { Kernel::Bias(1).WithParameters(Vector{{0.0}}); }),
              HasSubstr("but is 0"));
}

TEST(KernelErrors, CoverInputsOfTheWrongShape) {
  const Kernel kernel = Kernel::Bias(1) + Kernel::Eq(1, {1, 2});
  const Matrix X = Matrix::Ones(3, 3);
  EXPECT_EQ(MessageOf([&] { kernel.Covariance(X, Threads(1)); }),
            "lengthscale of eq must be one number or a list with one for each "
            "of the 3 inputs, but has 2");
  EXPECT_NO_THROW(kernel.CheckInputs(2));
  EXPECT_THROW(kernel.CheckInputs(1), InvalidInput);
  const Kernel eq = Kernel::Eq(1, 1);
  EXPECT_THAT(
      MessageOf([&] { eq.CrossCovariance(X, Matrix::Ones(3, 2), Threads(1)); }),
      HasSubstr("but have 3 and 2"));
  EXPECT_THAT(
      MessageOf([&] { eq.Gradient(X, Matrix::Ones(3, 2), Threads(1)); }),
      HasSubstr("but is 3 by 2"));
}

TEST(KernelErrors, CoverCentresAndCellsThatDoNotFitTheInputs) {
  const Matrix X = Matrix::Ones(3, 2);
  const auto error = [&](const std::string& text) {
    return MessageOf([&] { Kernel::Parse(text).Covariance(X, Threads(1)); });
  };
  EXPECT_THAT(error("gibbs(centres=[1, 2, 3])"),
              HasSubstr("each of the 2 inputs of every centre, but has 3"));
  EXPECT_THAT(error("gibbs(centres=[1, 2, 3, 4], weights=[1, 2, 3])"),
              HasSubstr("each of the 2 centres, but has 3"));
  EXPECT_THAT(error("gibbs(centres=[1, 2], scale=[1, 2, 3])"),
              HasSubstr("but has 3"));
  EXPECT_THAT(error("bins(lower=[1, 1, 1], upper=2)"), HasSubstr("but has 3"));
  EXPECT_THAT(error("bins(lower=1, upper=2, count=1e8)"),
              HasSubstr("at most 2^53 cells"));
}

TEST(KernelErrors, DoNotShowTheInputs) {
  Matrix X = Matrix::Constant(3, 1, 12345);
  X(1, 0) = std::numeric_limits<double>::infinity();
  const std::string message = MessageOf([&] { Kernel::Eq(1, 1).Variances(X); });
  EXPECT_THAT(message, HasSubstr("X must have only finite numbers"));
  EXPECT_THAT(message, testing::Not(HasSubstr("12345")));
}

TEST(KernelErrors, LimitTheSizeOfAnExpression) {
  Kernel kernel = Kernel::Bias(1);
  for (int i = 0; i < 31; ++i) {
    kernel = (kernel + Kernel::Bias(1)) * Kernel::Bias(1);
  }
  kernel = kernel + Kernel::Bias(1);
  EXPECT_EQ(Kernel::Parse(kernel.ToString()), kernel);
  EXPECT_THAT(MessageOf([&] { kernel* Kernel::Bias(1) + Kernel::Bias(1); }),
              HasSubstr("at most 64 levels"));
  EXPECT_THAT(MessageOf([] { Kernel::Eq(1, std::vector<double>(1000, 1.0)); }),
              HasSubstr("at most 1000 parameters"));
  const Kernel gibbs = Kernel::Gibbs(
      {.centres = std::vector<double>(2000, -1.2345678901234567e-300)});
  EXPECT_EQ(Kernel::Parse(gibbs.ToString()), gibbs);
  EXPECT_THAT(MessageOf([&] { gibbs + gibbs; }),
              HasSubstr("at most 65536 characters"));
  EXPECT_THAT(MessageOf([] {
                Kernel::Gibbs({.centres = std::vector<double>(2001, 1.0)});
              }),
              HasSubstr("1 to 2000 finite numbers"));
}

}  // namespace
}  // namespace cloak
