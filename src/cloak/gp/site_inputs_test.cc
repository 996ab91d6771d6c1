#include "cloak/gp/site_inputs.h"

#include <gtest/gtest.h>

#include <random>

#include "cloak/gp/statistic_likelihood.h"
#include "cloak/linalg/microaggregate.h"

namespace cloak {
namespace {

Matrix InputsOfSites(Index rows, Index columns, unsigned seed, double digits) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  Matrix X(rows, columns);
  for (double& entry : X.reshaped()) {
    entry = std::round(uniform(random) * digits) / digits;
  }
  return X;
}

Matrix StatisticOfSites(Index rows, Index columns) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  Matrix R(rows, columns);
  for (double& entry : R.reshaped()) entry = normal(random);
  return R;
}

const Kernel& KernelOfSites() {
  static const Kernel kernel =
      Kernel::Parse("bias(2) + eq(variance=3, lengthscale=0.4)");
  return kernel;
}

Matrix NoOthers(const Matrix& X) { return Matrix(X.rows(), 0); }

TEST(SiteInputsTest, EqualRowsAreOneSiteAndTheModelIsThatOfTheRows) {
  const Matrix X = InputsOfSites(200, 1, 1, 20);
  const SiteInputs sites(X, NoOthers(X));
  EXPECT_EQ(sites.count(), 21);
  EXPECT_EQ(sites.sizes().sum(), 200);
  const Basis basis(KernelOfSites(), sites.points(), Threads(1));
  const Matrix R = StatisticOfSites(4, sites.count());
  const StatisticMoments of_sites =
      ModelStatistic(sites.Model(basis, 0.5, {}), R, Threads(1));
  const StatisticMoments of_rows = ModelStatistic(
      ModelOutputs(basis, 0.5, X), sites.of_rows().OfRows(R), Threads(1));
  EXPECT_LT((of_sites.H - of_rows.H).norm(), 1e-9 * of_rows.H.norm());
  EXPECT_LT((of_sites.V0 - of_rows.V0).norm(), 1e-6 * of_rows.V0.norm());
}

TEST(SiteInputsTest, RowsThatDifferInTheirNoiseAreApart) {
  const Matrix X{{1.0}, {1.0}, {2.0}, {1.0}};
  const Vector noise{{4.0, 1.0, 1.0, 4.0}};
  const SiteInputs sites(X, noise);
  EXPECT_EQ(sites.count(), 3);
  EXPECT_EQ(sites.of_rows().Of(0), sites.of_rows().Of(3));
  EXPECT_NE(sites.of_rows().Of(0), sites.of_rows().Of(1));
  EXPECT_EQ(sites.SumOfRows(noise).sum(), 10);
  EXPECT_EQ(sites.SumOfRows(noise)(sites.of_rows().Of(0)), 8);
}

TEST(SiteInputsTest, SitesOfSeveralPointsHaveTheSumsOverTheirRows) {
  const Matrix X = InputsOfSites(300, 2, 2, 1e6);
  const SiteInputs sites(X, NoOthers(X),
                         {.most_points = 1000, .most_sites = 40});
  EXPECT_EQ(sites.count(), 40);
  EXPECT_EQ(sites.points().rows(), 300);
  const Basis basis(KernelOfSites(), X.topRows(50), Threads(1));
  const OutputModel model = sites.Model(basis, 0.5, {});
  Matrix expected = Matrix::Zero(50, 40);
  const Matrix Phi = basis.Features(X);
  for (Index i = 0; i < X.rows(); ++i) {
    expected.col(sites.of_rows().Of(i)) += Phi.col(i);
  }
  EXPECT_LT((model.Phi - expected).norm(), 1e-10 * expected.norm());
  // Sum and Spread are adjoint.
  const Matrix A = StatisticOfSites(1, 300);
  const Matrix B = StatisticOfSites(1, 40);
  EXPECT_NEAR((sites.Sum(A) * B.transpose())(0, 0),
              (A * sites.Spread(B).transpose())(0, 0), 1e-9);
}

TEST(SiteInputsTest, PointsOfManyRowsAreMeansOfTenAndGiveNearlyTheSameSums) {
  const Matrix X = InputsOfSites(6000, 2, 3, 1e6);
  const SiteInputs sites(X, NoOthers(X),
                         {.most_points = 400, .most_sites = 100});
  EXPECT_EQ(sites.points().rows(), 400);
  EXPECT_GE(sites.weights().minCoeff(), static_cast<double>(kLeastGroup));
  EXPECT_EQ(sites.sizes().sum(), 6000);
  const Basis basis(KernelOfSites(), X.topRows(80), Threads(1));
  const OutputModel model = sites.Model(basis, 0.5, {});
  Matrix exact = Matrix::Zero(80, 100);
  const Matrix Phi = basis.Features(X);
  for (Index i = 0; i < X.rows(); ++i) {
    exact.col(sites.of_rows().Of(i)) += Phi.col(i);
  }
  EXPECT_LT((model.Phi - exact).norm(), 5e-3 * exact.norm());
  // What the bending of f makes of the sums, by the rows themselves.
  const Vector bend = sites.BendOfSums(KernelOfSites());
  EXPECT_GT(bend.minCoeff(), 0);
  const double bends = (model.Phi - exact).squaredNorm();
  EXPECT_GT(bend.sum(), 0.9 * bends);
  EXPECT_LT(bend.sum(), 5 * bends);
  // The variance of f around its points.
  const Vector deviation = sites.DeviationOfPoints(KernelOfSites());
  double within = 0;
  const Matrix at_points = basis.Features(sites.points());
  for (Index i = 0; i < X.rows(); ++i) {
    Index nearest = 0;
    (sites.points().rowwise() - X.row(i))
        .rowwise()
        .squaredNorm()
        .minCoeff(&nearest);
    within += (Phi.col(i) - at_points.col(nearest)).squaredNorm();
  }
  EXPECT_NEAR(deviation.dot(sites.weights()) / within, 1, 0.2);
}

TEST(SiteInputsTest, DoNotDependOnTheOrderOfRows) {
  const Matrix X = InputsOfSites(3000, 2, 4, 1e3);
  const Matrix reversed = X.colwise().reverse();
  const SiteOptions options{.most_points = 200, .most_sites = 50};
  const SiteInputs one(X, NoOthers(X), options);
  const SiteInputs two(reversed, NoOthers(X), options);
  EXPECT_EQ(one.points(), two.points());
  EXPECT_EQ(one.weights(), two.weights());
  EXPECT_EQ(one.sizes(), two.sizes());
  for (Index i = 0; i < X.rows(); ++i) {
    EXPECT_EQ(one.of_rows().Of(i), two.of_rows().Of(X.rows() - 1 - i));
  }
}

TEST(SiteInputsTest, VarianceWithinIsZeroForEqualRowsAndNotForOthers) {
  const Matrix X = InputsOfSites(300, 1, 5, 1e6);
  const Basis basis(KernelOfSites(), InputsOfSites(60, 1, 6, 1e6), Threads(1));
  const SiteInputs alike(X, NoOthers(X));
  EXPECT_EQ(alike.VarianceWithin(basis, basis.Features(alike.points())).norm(),
            0);
  const SiteInputs wide(X, NoOthers(X), {.most_sites = 1});
  const Matrix Phi = basis.Features(wide.points());
  const Matrix centred = Phi.colwise() - Phi.rowwise().mean();
  EXPECT_NEAR(wide.VarianceWithin(basis, Phi)(0),
              centred.colwise().squaredNorm().mean(), 1e-9);
}

TEST(SiteInputsTest, LikelihoodIsThatOfTheRows) {
  const Matrix X = InputsOfSites(150, 1, 7, 12);
  const SiteInputs sites(X, NoOthers(X));
  const Matrix R = StatisticOfSites(5, sites.count());
  const Vector w = Vector::LinSpaced(5, -2, 3);
  const Matrix Z = sites.points();
  StatisticLikelihood of_sites(sites, Z, R, {}, 0.7, w, Threads(1));
  StatisticLikelihood of_rows(X, Z, sites.of_rows().OfRows(R), {}, 0.7, w,
                              Threads(1));
  StatisticLikelihood::Gradient a;
  StatisticLikelihood::Gradient b;
  EXPECT_NEAR(of_sites.LogDensity(KernelOfSites(), 0.3, &a),
              of_rows.LogDensity(KernelOfSites(), 0.3, &b), 1e-6);
  EXPECT_LT((a.kernel - b.kernel).norm(), 1e-5 * b.kernel.norm());
  EXPECT_NEAR(a.noise_variance, b.noise_variance, 1e-6);
}

TEST(SiteInputsTest, GradientOfTheLikelihoodIsThatOfItsValue) {
  const Matrix X = InputsOfSites(300, 2, 8, 1e6);
  const SiteInputs sites(X, NoOthers(X), {.most_points = 60, .most_sites = 15});
  const Matrix R = 0.1 * StatisticOfSites(6, sites.count());
  const Vector w = Vector::LinSpaced(6, -2, 3);
  const Matrix Z = InputsOfSites(30, 2, 9, 1e6);
  const StatisticLikelihood likelihood(sites, Z, R, {}, 0.7, w, Threads(1));
  StatisticLikelihood::Gradient gradient;
  likelihood.LogDensity(KernelOfSites(), 0.3, &gradient);
  Vector values(static_cast<Index>(KernelOfSites().Parameters().size()));
  for (Index p = 0; p < values.size(); ++p) {
    values(p) = KernelOfSites().Parameters()[static_cast<size_t>(p)].value;
  }
  for (Index p = 0; p < values.size(); ++p) {
    constexpr double kStep = 1e-5;
    Vector plus = values;
    Vector minus = values;
    plus(p) += kStep;
    minus(p) -= kStep;
    const double slope =
        (likelihood.LogDensity(KernelOfSites().WithParameters(plus), 0.3,
                               nullptr) -
         likelihood.LogDensity(KernelOfSites().WithParameters(minus), 0.3,
                               nullptr)) /
        (2 * kStep);
    EXPECT_NEAR(gradient.kernel(p), slope, 1e-4 * (1 + std::abs(slope)));
  }
}

}  // namespace
}  // namespace cloak
