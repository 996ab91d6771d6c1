#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "cloak/kernels/kernel.h"

namespace cloak {
namespace {

Matrix NormalMatrix(Index rows, Index columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Matrix result(rows, columns);
  for (double& entry : result.reshaped()) entry = normal(random);
  return result;
}

Vector ValuesOf(const Kernel& kernel) {
  const auto parameters = kernel.Parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (Index i = 0; i < values.size(); ++i) {
    values[i] = parameters[static_cast<size_t>(i)].value;
  }
  return values;
}

// d/dθ Σ A_ab K_ab by central differences, Richardson-extrapolated: an error
// of order h⁴ with h = 1e-3 θ.
Vector Differences(const Kernel& kernel, const Matrix& X, const Matrix& A) {
  const Vector values = ValuesOf(kernel);
  const auto objective = [&](Index p, double value) {
    Vector changed = values;
    changed[p] = value;
    const Matrix K = kernel.WithParameters(changed).Covariance(X, Threads(1));
    return A.cwiseProduct(K).sum();
  };
  Vector gradient(values.size());
  for (Index p = 0; p < values.size(); ++p) {
    const auto central = [&](double h) {
      return (objective(p, values[p] + h) - objective(p, values[p] - h)) /
             (2 * h);
    };
    const double h = 1e-3 * values[p];
    gradient[p] = (4 * central(h / 2) - central(h)) / 3;
  }
  return gradient;
}

class KernelGradient : public testing::TestWithParam<std::string> {};

TEST_P(KernelGradient, AgreesWithCentralDifferences) {
  const Kernel kernel = Kernel::Parse(GetParam());
  // More rows than a tile, two of them equal; A is not symmetric.
  Matrix X = NormalMatrix(83, 2, 3);
  X.row(70) = X.row(4);
  const Matrix A = NormalMatrix(83, 83, 4);
  const Vector expected = Differences(kernel, X, A);
  const Vector gradient = kernel.Gradient(X, A, Threads(1));
  ASSERT_EQ(gradient.size(), expected.size());
  const double scale = A.cwiseAbs().sum();
  for (Index p = 0; p < gradient.size(); ++p) {
    EXPECT_NEAR(gradient[p], expected[p],
                1e-8 * std::abs(expected[p]) + 1e-11 * scale)
        << kernel.Parameters()[static_cast<size_t>(p)].path;
  }
}

// K(X, Y) is a block of the covariance of all rows together, and k(x, x) its
// diagonal.
TEST_P(KernelGradient, OfCrossCovariancesAndVariancesIsThatOfTheirPart) {
  const Kernel kernel = Kernel::Parse(GetParam());
  const Index n = 300;  // more than a tile
  const Index m = 21;
  const Matrix all = NormalMatrix(n + m, 2, 5);
  const Matrix A = NormalMatrix(n, m, 6);
  Matrix block = Matrix::Zero(n + m, n + m);
  block.topRightCorner(n, m) = A;
  const Vector expected = kernel.Gradient(all, block, Threads(1));
  const Vector cross =
      kernel.CrossGradient(all.topRows(n), all.bottomRows(m), A, Threads(1));
  EXPECT_EQ(cross, kernel.CrossGradient(all.topRows(n), all.bottomRows(m), A,
                                        Threads(3)));
  const Vector a = NormalMatrix(n + m, 1, 7);
  const Vector diagonal = kernel.Gradient(all, a.asDiagonal(), Threads(1));
  const Vector variances = kernel.VariancesGradient(all, a);
  const double rounding = 1e-11 * A.cwiseAbs().sum();
  EXPECT_LT((cross - expected).norm(), rounding);
  EXPECT_LT((variances - diagonal).norm(), rounding);
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, KernelGradient,
    testing::Values(
        "eq(2, lengthscale=1.5)", "eq(2, lengthscale=[1.5, 0.7])",
        "matern12(2, lengthscale=1.5)", "matern12(2, lengthscale=[1.5, 0.7])",
        "matern32(2, lengthscale=1.5)", "matern32(2, lengthscale=[1.5, 0.7])",
        "matern52(2, lengthscale=1.5)", "matern52(2, lengthscale=[1.5, 0.7])",
        "rq(2, lengthscale=1.5, alpha=0.8)",
        "rq(2, lengthscale=[1.5, 0.7], alpha=3)",
        "periodic(2, lengthscale=1.5, period=2.5)",
        "periodic(2, lengthscale=[1.5, 0.7], period=[2.5, 4])",
        "periodic(2, lengthscale=[1.5, 0.7], period=2.5)",
        "periodic(2, lengthscale=1.5, period=[2.5, 4])", "linear(2)",
        "linear([2, 0.3])", "bias(3)", "white(3)",
        "gibbs(2, longest=3, count=5, centres=[0, 0, 1, -1, 0.5, 2], "
        "weights=[20, 3, 9], bandwidth=0.7, neighbourhood=0.4)",
        "bias(2) * gibbs(longest=0.4, scale=[1, 3], centres=[0, 1]) * "
        "bins(3, lower=-2, upper=2, count=2) + gibbs(0.5, centres=[1, 1])",
        "eq(2, lengthscale=1.5) + eq(0.5, lengthscale=[0.3, 2])",
        "eq(2, lengthscale=1.5) * linear([1, 2]) * matern32(0.5)",
        "(bias(2) + linear(0.5)) * (rq() + white(0.4)) + periodic() * "
        "(eq(lengthscale=3) + matern52() * bias(0.2))"));

TEST(KernelGradientAtRest, IsZeroWhereAllRowsCoincide) {
  const Matrix X = Matrix::Constant(5, 1, 3);
  for (const char* text : {"eq()", "matern12()", "matern32()", "matern52()"}) {
    const Vector gradient =
        Kernel::Parse(text).Gradient(X, Matrix::Ones(5, 5), Threads(1));
    EXPECT_EQ(gradient, (Vector{{25, 0}})) << text;
  }
}

TEST(KernelGradientAtRest, IsFiniteForRowsAsFarApartAsNumbersGo) {
  const Matrix X{{-1e308}, {0}, {1e308}};
  for (const char* text :
       {"eq()", "matern12()", "matern32()", "matern52()", "rq()",
        "eq(lengthscale=[1e-300])", "gibbs(centres=[1])",
        "gibbs(longest=1e300, centres=[-1e308, 1e308])",
        "gibbs(count=1e-300, centres=[0], weights=1e300, "
        "bandwidth=1e-300)"}) {
    const Vector gradient =
        Kernel::Parse(text).Gradient(X, Matrix::Ones(3, 3), Threads(1));
    EXPECT_TRUE(gradient.allFinite()) << text;
  }
}

}  // namespace
}  // namespace cloak
