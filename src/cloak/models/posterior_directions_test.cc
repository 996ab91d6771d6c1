#include "cloak/models/posterior_directions.h"

#include <gtest/gtest.h>

#include <random>

#include "cloak/gp/statistic_moments.h"

namespace cloak {
namespace {

Matrix NormalNumbers(Index rows, Index columns) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

// Sums of 2000 outputs on the line, with noise; a bias so vague that variances
// are small differences of large numbers.
struct Inferred {
  Basis basis;
  LinearPosterior posterior;
};

Inferred InferVaguely(double s) {
  const Kernel kernel =
      Kernel::Parse("bias(1e4) + eq(variance=10, lengthscale=1)");
  const Basis basis(kernel, Vector::LinSpaced(40, 0, 10), Threads(1));
  const Matrix X = Vector::LinSpaced(2000, 0, 10);
  const Matrix R = NormalNumbers(90, X.rows()) / 10;
  const StatisticMoments moments =
      ModelStatistic(ModelOutputs(basis, 1, X), R, Threads(1));
  return {basis, InferWeights(moments.H, moments.V0, s, NormalNumbers(90, 1))};
}

TEST(PosteriorDirectionsTest, FewDirectionsLeaveVariancesAsTheyAre) {
  for (const double s : {0.01, 1.0, 300.0}) {
    const auto [basis, inferred] = InferVaguely(s);
    Posterior posterior;
    SetDirections(basis, inferred, posterior);
    EXPECT_LE(posterior.directions.rows(), basis.size()) << s;
    const Matrix X = Vector::LinSpaced(301, -1, 11);
    const Matrix phi = basis.Features(X);
    const Vector noise = (inferred.noise * phi).colwise().squaredNorm();
    const Vector variance =
        basis.kernel().Variances(X) + noise -
        Vector((inferred.explained * phi).colwise().squaredNorm());
    const Matrix squares = (posterior.directions * phi).cwiseAbs2();
    const Vector of_noise = squares.transpose() * posterior.noise_parts;
    const Vector of_few = basis.kernel().Variances(X) -
                          squares.transpose() * Vector::Ones(squares.rows()) +
                          2 * of_noise;
    for (Index i = 0; i < X.rows(); ++i) {
      // Beyond the basis points there is no more than a good chance.
      const double part = X(i) >= 0 && X(i) <= 10 ? 2e-4 : 1e-3;
      EXPECT_NEAR(of_few(i), variance(i), part * variance(i)) << X(i);
      EXPECT_NEAR(of_noise(i), noise(i), part * variance(i)) << X(i);
    }
  }
}

TEST(PosteriorDirectionsTest, NothingInferredHasNoDirection) {
  const Basis basis(Kernel::Eq(1, 1.0), Vector::LinSpaced(5, 0, 4), Threads(1));
  LinearPosterior nothing;
  nothing.explained = Matrix::Zero(3, 5);
  nothing.noise = Matrix::Zero(2, 5);
  Posterior posterior;
  SetDirections(basis, nothing, posterior);
  EXPECT_EQ(posterior.directions.rows(), 0);
  EXPECT_EQ(posterior.directions.cols(), 5);
  EXPECT_EQ(posterior.noise_parts.size(), 0);
}

}  // namespace
}  // namespace cloak
