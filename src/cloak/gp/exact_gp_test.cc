#include "cloak/gp/exact_gp.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "cloak/base/error.h"

namespace cloak {
namespace {

Matrix Inputs(Index n, Index dimension, unsigned seed) {
  std::srand(seed);
  return 3 * Matrix::Random(n, dimension);
}

const Kernel& SomeKernel() {
  static const Kernel kernel =
      Kernel::Parse("bias(2) + eq(variance=1.5, lengthscale=[0.8, 1.7])");
  return kernel;
}

TEST(ExactGpTest, OneObservationHasTheClosedForm) {
  // k = 2, σ² = 1: mean = 2/3 y, variance = 2 − 4/3.
  const Matrix X = Matrix::Constant(1, 1, 0.5);
  const ExactGp gp(Kernel::Bias(2), 1, X, Threads(1));
  const Matrix Xs = Matrix::Constant(1, 1, -7);
  const Vector y = Vector::Constant(1, 3);
  EXPECT_NEAR(gp.PosteriorMean(Xs, y)(0), 2, 1e-14);
  EXPECT_NEAR(gp.PosteriorVariances(Xs)(0), 2.0 / 3, 1e-14);
  EXPECT_NEAR(gp.CloakingMatrix(Xs)(0, 0), 2.0 / 3, 1e-14);
  EXPECT_NEAR(gp.LogMarginalLikelihood(y),
              -0.5 * (9.0 / 3 + std::log(3) + std::log(2 * std::numbers::pi)),
              1e-13);
}

TEST(ExactGpTest, AgreesWithDenseInverses) {
  const Matrix X = Inputs(60, 2, 1);
  const Matrix Xs = Inputs(9, 2, 2);
  const Vector y = Inputs(60, 1, 3);
  const ExactGp gp(SomeKernel(), 0.3, X, Threads(2));
  Matrix Ky = SomeKernel().Covariance(X, Threads(1));
  Ky.diagonal().array() += 0.3;
  const Matrix C = Ky.llt()
                       .solve(SomeKernel().CrossCovariance(X, Xs, Threads(1)))
                       .transpose();
  const Matrix covariance = SomeKernel().Covariance(Xs, Threads(1)) -
                            C * SomeKernel().CrossCovariance(X, Xs, Threads(1));
  EXPECT_LT((gp.CloakingMatrix(Xs) - C).norm(), 1e-12);
  EXPECT_LT((gp.PosteriorMean(Xs, y) - C * y).norm(), 1e-12);
  EXPECT_LT((gp.PosteriorCovariance(Xs) - covariance).norm(), 1e-12);
  EXPECT_LT((gp.PosteriorVariances(Xs) - covariance.diagonal()).norm(), 1e-12);
  EXPECT_NEAR(gp.LogMarginalLikelihood(y),
              -0.5 * (y.dot(Ky.llt().solve(y)) + std::log(Ky.determinant()) +
                      60 * std::log(2 * std::numbers::pi)),
              1e-9);
}

TEST(ExactGpTest, TheLikelihoodGradientMatchesDifferences) {
  const Matrix X = Inputs(40, 2, 4);
  const Vector y = Inputs(40, 1, 5);
  const double noise = 0.2;
  const auto likelihood = [&](const Kernel& kernel, double noise_variance) {
    return ExactGp(kernel, noise_variance, X, Threads(1))
        .LogMarginalLikelihood(y);
  };
  const auto gradient = ExactGp(SomeKernel(), noise, X, Threads(2))
                            .LogMarginalLikelihoodGradient(y);
  const double h = 1e-5;
  EXPECT_NEAR(gradient.noise_variance,
              (likelihood(SomeKernel(), noise + h) -
               likelihood(SomeKernel(), noise - h)) /
                  (2 * h),
              1e-5 * std::abs(gradient.noise_variance));
  const auto parameters = SomeKernel().Parameters();
  for (size_t p = 0; p < parameters.size(); ++p) {
    Vector plus(static_cast<Index>(parameters.size()));
    for (size_t q = 0; q < parameters.size(); ++q) {
      plus(static_cast<Index>(q)) = parameters[q].value;
    }
    Vector minus = plus;
    plus(static_cast<Index>(p)) += h;
    minus(static_cast<Index>(p)) -= h;
    EXPECT_NEAR(gradient.kernel(static_cast<Index>(p)),
                (likelihood(SomeKernel().WithParameters(plus), noise) -
                 likelihood(SomeKernel().WithParameters(minus), noise)) /
                    (2 * h),
                1e-5)
        << parameters[p].path;
  }
}

TEST(ExactGpTest, DuplicateRowsAreNoObstacle) {
  Matrix X = Inputs(50, 2, 6);
  X.bottomRows(25) = X.topRows(25);
  const ExactGp gp(SomeKernel(), 1e-6, X, Threads(2));
  EXPECT_TRUE(gp.CloakingMatrix(X.topRows(3)).allFinite());
}

TEST(ExactGpTest, ANoiseVarianceThatIsNotPositiveIsRefused) {
  EXPECT_THROW(ExactGp(SomeKernel(), 0, Inputs(3, 2, 7), Threads(1)),
               InvalidInput);
}

}  // namespace
}  // namespace cloak
