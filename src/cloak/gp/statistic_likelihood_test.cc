#include "cloak/gp/statistic_likelihood.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/gp/statistic_moments.h"

namespace cloak {
namespace {

constexpr double kNoiseVariance = 0.3;
constexpr double kPrivacyNoise = 0.8;

// Too few basis points to span the process: there is a residual.
struct Problem {
  Problem() {
    std::srand(5);
    X = Matrix::Random(1100, 2);
    Z = Matrix::Random(14, 2);
    R = Matrix::Random(9, 1100) / 10;
    w = 3 * Vector::Random(9);
  }

  StatisticLikelihood Likelihood(
      const Threads& threads = Threads(1),
      const std::optional<Vector>& row_noise = {}) const {
    return {X, Z, R, row_noise, kPrivacyNoise, w, threads};
  }

  double Exact(const Kernel& k, const Vector& row_noise) const {
    const Basis basis(k, Z, Threads(1));
    OutputModel outputs = ModelOutputs(basis, 0, X);
    outputs.D += row_noise;
    const StatisticMoments moments = ModelStatistic(outputs, R, Threads(1));
    return StatisticLogLikelihood(moments.H, moments.V0, kPrivacyNoise, w);
  }

  Vector SameNoise() const {
    return Vector::Constant(X.rows(), kNoiseVariance);
  }

  Kernel kernel =
      Kernel::Parse("bias(2) + eq(variance=1.5, lengthscale=[0.5, 0.8])");
  Matrix X;
  Matrix Z;
  Matrix R;
  Vector w;
};

TEST(StatisticLikelihoodTest, IsExactForTheKernelAtTheCentre) {
  const Problem problem;
  StatisticLikelihood likelihood = problem.Likelihood();
  const double exact = problem.Exact(problem.kernel, problem.SameNoise());
  EXPECT_GT(
      std::abs(likelihood.LogDensity(problem.kernel, kNoiseVariance, nullptr) -
               exact),
      1e-6);
  likelihood.Recentre(problem.kernel);
  EXPECT_NEAR(likelihood.LogDensity(problem.kernel, kNoiseVariance, nullptr),
              exact, 1e-8 * std::abs(exact));
}

TEST(StatisticLikelihoodTest, IsNearlyExactAroundTheCentre) {
  const Problem problem;
  StatisticLikelihood likelihood = problem.Likelihood();
  likelihood.Recentre(problem.kernel);
  const Kernel shorter =
      Kernel::Parse("bias(2) + eq(variance=1.8, lengthscale=[0.4, 0.7])");
  const double exact = problem.Exact(shorter, problem.SameNoise());
  // A hundredth of what the change of kernel makes of it.
  EXPECT_NEAR(likelihood.LogDensity(shorter, kNoiseVariance, nullptr), exact,
              0.05);
}

TEST(StatisticLikelihoodTest, NoiseOfEachRowTakesThePlaceOfTheShared) {
  const Problem problem;
  const Vector noise = Vector::LinSpaced(problem.X.rows(), 0.1, 3);
  StatisticLikelihood likelihood = problem.Likelihood(Threads(1), noise);
  likelihood.Recentre(problem.kernel);
  StatisticLikelihood::Gradient gradient;
  const double density =
      likelihood.LogDensity(problem.kernel, kNoiseVariance, &gradient);
  const double exact = problem.Exact(problem.kernel, noise);
  EXPECT_NEAR(density, exact, 1e-8 * std::abs(exact));
  EXPECT_EQ(gradient.noise_variance, 0);
}

TEST(StatisticLikelihoodTest, TheGradientAgreesWithCentralDifferences) {
  const Problem problem;
  StatisticLikelihood likelihood = problem.Likelihood();
  likelihood.Recentre(
      Kernel::Parse("bias(2) + eq(variance=1, lengthscale=[0.6, 0.6])"));
  StatisticLikelihood::Gradient gradient;
  likelihood.LogDensity(problem.kernel, kNoiseVariance, &gradient);
  const auto parameters = problem.kernel.Parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (Index p = 0; p < values.size(); ++p) {
    values(p) = parameters[static_cast<size_t>(p)].value;
  }
  const double scale = gradient.kernel.cwiseAbs().maxCoeff();
  for (Index p = 0; p < values.size(); ++p) {
    const double h = 1e-5 * values(p);
    const auto at = [&](double step) {
      Vector moved = values;
      moved(p) += step;
      return likelihood.LogDensity(problem.kernel.WithParameters(moved),
                                   kNoiseVariance, nullptr);
    };
    EXPECT_NEAR(gradient.kernel(p), (at(h) - at(-h)) / (2 * h), 1e-4 * scale)
        << parameters[static_cast<size_t>(p)].path;
  }
  const double h = 1e-5;
  EXPECT_NEAR(
      gradient.noise_variance,
      (likelihood.LogDensity(problem.kernel, kNoiseVariance + h, nullptr) -
       likelihood.LogDensity(problem.kernel, kNoiseVariance - h, nullptr)) /
          (2 * h),
      1e-5 * std::abs(gradient.noise_variance));
}

TEST(StatisticLikelihoodTest, DoesNotDependOnTheNumberOfThreads) {
  const Problem problem;
  StatisticLikelihood one = problem.Likelihood(Threads(1));
  StatisticLikelihood three = problem.Likelihood(Threads(3));
  one.Recentre(problem.kernel);
  three.Recentre(problem.kernel);
  StatisticLikelihood::Gradient of_one;
  StatisticLikelihood::Gradient of_three;
  EXPECT_EQ(one.LogDensity(problem.kernel, kNoiseVariance, &of_one),
            three.LogDensity(problem.kernel, kNoiseVariance, &of_three));
  EXPECT_EQ(of_one.kernel, of_three.kernel);
  EXPECT_EQ(of_one.noise_variance, of_three.noise_variance);
}

}  // namespace
}  // namespace cloak
