#include "cloak/gp/basis.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "cloak/base/error.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/gp/statistic_moments.h"

namespace cloak {
namespace {

const Kernel& Smooth() {
  static const Kernel kernel = Kernel::Parse("bias(4) + eq(variance=2)");
  return kernel;
}

Matrix Line(Index n) { return Vector::LinSpaced(n, -4, 4); }

TEST(BasisTest, FeaturesOfADenseBasisReproduceTheKernel) {
  const Matrix X = Line(80);
  const Matrix Z =
      SelectBasisPoints(Smooth(), X, Threads(1), {.tolerance = 1e-10});
  EXPECT_LT(Z.rows(), 40);
  const Basis basis(Smooth(), Z, Threads(1));
  const Matrix Phi = basis.Features(X);
  EXPECT_LT((Phi.transpose() * Phi - Smooth().Covariance(X, Threads(1)))
                .cwiseAbs()
                .maxCoeff(),
            1e-6);
  EXPECT_LT(basis.ResidualVariances(X, Phi).maxCoeff(), 1e-6);
}

TEST(BasisTest, SelectionStopsAtItsSizeAndTakesNoRowTwice) {
  Matrix X = Line(50);
  X.row(7) = X.row(8);
  const Matrix Z = SelectBasisPoints(Smooth(), X, Threads(1),
                                     {.max_size = 6, .tolerance = 0});
  ASSERT_EQ(Z.rows(), 6);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < i; ++j) EXPECT_NE(Z(i, 0), Z(j, 0));
  }
}

TEST(BasisTest, AConstantInputNeedsOnePoint) {
  EXPECT_EQ(
      SelectBasisPoints(Smooth(), Matrix::Ones(20, 1), Threads(1), {}).rows(),
      1);
}

TEST(BasisTest, WhiteNeedsNoBasisPointsAndAloneGivesNone) {
  const Matrix X = Line(50);
  const BasisSelectionOptions options{.tolerance = 1e-4};
  EXPECT_EQ(
      SelectBasisPoints(Smooth() + Kernel::White(3), X, Threads(1), options),
      SelectBasisPoints(Smooth(), X, Threads(1), options));
  EXPECT_THROW(SelectBasisPoints(Kernel::White(3), X, Threads(1), options),
               InvalidInput);
}

TEST(BasisTest, AVagueBiasDoesNotHideTheRest) {
  const Matrix X = Line(50);
  const BasisSelectionOptions options{.tolerance = 1e-3};
  EXPECT_NEAR(static_cast<double>(
                  SelectBasisPoints(Kernel::Bias(1e6) + Kernel::Eq(2, 1), X,
                                    Threads(1), options)
                      .rows()),
              static_cast<double>(
                  SelectBasisPoints(Smooth(), X, Threads(1), options).rows()),
              1.0);
}

TEST(BasisTest, FoldingSparesTheFeatures) {
  std::srand(1);
  const Basis basis(Smooth(), Line(12), Threads(1));
  const Matrix A = Matrix::Random(12, 3);
  const Matrix X = Matrix::Random(5, 1);
  EXPECT_LT((basis.FoldIntoCovariance(A) *
                 Smooth().CrossCovariance(basis.points(), X, Threads(1)) -
             A.transpose() * basis.Features(X))
                .norm(),
            1e-7);
}

TEST(BasisTest, AJitterThatDoesNotSufficeIsRefused) {
  EXPECT_THROW(Basis(Smooth(), Matrix::Ones(9, 1), 0, Threads(1)),
               InvalidInput);
  EXPECT_NO_THROW(Basis(Smooth(), Matrix::Ones(9, 1), Threads(1)));
}

// With R = I and hardly any privacy noise the posterior over the weights is
// the exact posterior of the process.
TEST(LinearPosteriorTest, TheIdentityStatisticGivesTheExactPosterior) {
  const Matrix X = Line(30);
  const Matrix Xs = Vector::LinSpaced(11, -3.3, 3.9);
  const Vector y = X.col(0).array().sin();
  const ExactGp exact(Smooth(), 0.1, X, Threads(1));
  const Basis basis(
      Smooth(),
      SelectBasisPoints(Smooth(), X, Threads(1), {.tolerance = 1e-11}),
      Threads(1));
  const Matrix I = Matrix::Identity(30, 30);
  const StatisticMoments moments =
      ModelStatistic(ModelOutputs(basis, 0.1, X), I, Threads(1));
  const LinearPosterior posterior =
      InferWeights(moments.H, moments.V0, 1e-7, y);
  const Matrix phi = basis.Features(Xs);
  EXPECT_LT(
      (phi.transpose() * posterior.mean - exact.PosteriorMean(Xs, y)).norm(),
      1e-4);
  const Vector variance =
      Smooth().Variances(Xs) -
      (posterior.explained * phi).colwise().squaredNorm().transpose() +
      (posterior.noise * phi).colwise().squaredNorm().transpose();
  EXPECT_LT((variance - exact.PosteriorVariances(Xs)).norm(), 1e-4);
  EXPECT_NEAR(posterior.log_likelihood, exact.LogMarginalLikelihood(y), 1e-3);
  EXPECT_EQ(posterior.log_likelihood,
            StatisticLogLikelihood(moments.H, moments.V0, 1e-7, y));
}

TEST(LinearPosteriorTest, TheFactorsRebuildTheBayesCovariance) {
  std::srand(3);
  const Matrix H = Matrix::Random(4, 9);
  const Matrix root = Matrix::Random(4, 4);
  const Matrix V0 = root * root.transpose();
  const double s = 0.7;
  const Vector w = Vector::Random(4);
  const LinearPosterior posterior = InferWeights(H, V0, s, w);
  const Matrix V = V0 + s * s * Matrix::Identity(4, 4);
  const Matrix S =
      (Matrix::Identity(9, 9) + H.transpose() * V.llt().solve(H)).inverse();
  EXPECT_LT((Matrix::Identity(9, 9) -
             posterior.explained.transpose() * posterior.explained +
             posterior.noise.transpose() * posterior.noise - S)
                .norm(),
            1e-12);
  EXPECT_LT((posterior.mean - S * H.transpose() * V.llt().solve(w)).norm(),
            1e-12);
  // The noise z moves the mean by this.
  EXPECT_LT((posterior.noise.transpose() * posterior.noise -
             s * s * S * H.transpose() * V.inverse() * V.inverse() * H * S)
                .norm(),
            1e-12);
}

}  // namespace
}  // namespace cloak
