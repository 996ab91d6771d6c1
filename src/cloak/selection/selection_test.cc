#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/selection/from_release.h"
#include "cloak/selection/hyper_prior.h"
#include "cloak/selection/pattern_search.h"

namespace cloak {
namespace {

// There are enough rows that their standard deviation is nobody's.
Matrix TwoInputs() {
  Matrix X(4, 2);
  X << 0, 1e5, 10, 3e5, 20, 2e5, 30, 9e5;
  return X.replicate(3, 1);
}

double Parameter(const Kernel& kernel, const std::string& path) {
  for (const KernelParameter& parameter : kernel.Parameters()) {
    if (parameter.path == path) return parameter.value;
  }
  ADD_FAILURE() << path;
  return 0;
}

TEST(HyperPriorTest, NothingIsFreeWhenEverythingIsGiven) {
  const HyperPrior prior(TwoInputs(), 100, Kernel::Eq(2, 3), 5.0);
  EXPECT_EQ(prior.size(), 0);
  EXPECT_EQ(prior.At(Vector()).kernel, Kernel::Eq(2, 3));
  EXPECT_EQ(prior.At(Vector()).noise_variance, 5);
  EXPECT_EQ(prior.Nodes().size(), 1U);
}

TEST(HyperPriorTest, EachInputHasALengthscaleOfItsOwnScale) {
  const HyperPrior prior(TwoInputs(), 100, std::nullopt, std::nullopt);
  EXPECT_EQ(prior.size(), 4);  // variance, two lengthscales, noise
  const Hyperparameters median = prior.At(Vector::Zero(4));
  // Rows at both ends are spread wider than even ones: √125 > 30/√12.
  EXPECT_NEAR(Parameter(median.kernel, "1.lengthscale[0]"),
              std::sqrt(2 * 125.0), 1e-9);
  EXPECT_GT(Parameter(median.kernel, "1.lengthscale[1]"), 1e5);
  EXPECT_NEAR(Parameter(median.kernel, "1.variance"), 400, 1e-9);
  EXPECT_NEAR(median.noise_variance, 100.0 * 100 / 225, 1e-9);
}

TEST(HyperPriorTest, LengthscalesAreByTheRangeAndNotByWhereMostRowsAre) {
  // Most rows are at the lower end: their standard deviation is small.
  Matrix X = Matrix::Zero(1000, 1);
  for (Index i = 0; i < X.rows(); ++i) {
    X(i, 0) = 100 * std::pow(static_cast<double>(i) / 999, 6);
  }
  const HyperPrior skewed(X, 100, std::nullopt, 1.0);
  EXPECT_NEAR(Parameter(skewed.At(Vector::Zero(2)).kernel, "1.lengthscale[0]"),
              100 / std::sqrt(12.0), 1e-9);
  // One row far away is not all there is.
  X.col(0) = Vector::LinSpaced(X.rows(), 0, 10);
  X(0, 0) = 1e6;
  const HyperPrior far(X, 100, std::nullopt, 1.0);
  EXPECT_LT(Parameter(far.At(Vector::Zero(2)).kernel, "1.lengthscale[0]"),
            1e6 / std::sqrt(12.0) / 2);
}

TEST(HyperPriorTest, AConstantInputGetsALengthscaleAllTheSame) {
  const HyperPrior prior(Matrix::Constant(5, 1, 7), 10, std::nullopt, 1.0);
  EXPECT_EQ(Parameter(prior.At(Vector::Zero(2)).kernel, "1.lengthscale[0]"), 1);
}

TEST(HyperPriorTest, OfFewRowsTheRoundedRangeIsTheScale) {
  const Matrix X{{3.17}, {98.42}, {50.1}};
  const HyperPrior prior(X, 100, std::nullopt, std::nullopt);
  EXPECT_NEAR(Parameter(prior.At(Vector::Zero(3)).kernel, "1.lengthscale[0]"),
              (100 - 2) / std::sqrt(12.0), 1e-9);
}

TEST(HyperPriorTest, NodesSpanTheLengthscalesAndWeighOneTogether) {
  const auto nodes =
      HyperPrior(TwoInputs(), 100, std::nullopt, std::nullopt).Nodes();
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_NEAR(nodes[0].weight + nodes[1].weight + nodes[2].weight, 1, 1e-15);
  EXPECT_LT(Parameter(nodes[1].value.kernel, "1.lengthscale[0]"),
            Parameter(nodes[0].value.kernel, "1.lengthscale[0]"));
  EXPECT_GT(Parameter(nodes[2].value.kernel, "1.lengthscale[0]"),
            Parameter(nodes[0].value.kernel, "1.lengthscale[0]"));
}

// For a function that is linear in all parameters.
TEST(HyperPriorTest, GradientsFollowTheStandardCoordinates) {
  const HyperPrior prior(TwoInputs(), 100, std::nullopt, std::nullopt);
  HyperparameterGradient g;
  g.kernel = Vector::LinSpaced(4, 1, 2);  // bias, variance, two lengthscales
  g.noise_variance = 0.7;
  const auto value = [&](const Vector& z) {
    const Hyperparameters theta = prior.At(z);
    double sum = g.noise_variance * theta.noise_variance;
    const auto parameters = theta.kernel.Parameters();
    for (size_t p = 0; p < parameters.size(); ++p) {
      sum += g.kernel(static_cast<Index>(p)) * parameters[p].value;
    }
    return sum;
  };
  const Vector z = Vector::LinSpaced(4, -0.5, 0.5);
  const Vector gradient = prior.Gradient(z, g);
  for (Index j = 0; j < 4; ++j) {
    const Vector step = 1e-5 * Vector::Unit(4, j);
    EXPECT_NEAR(gradient(j), (value(z + step) - value(z - step)) / 2e-5,
                1e-6 * std::abs(gradient(j)));
  }
}

TEST(HyperPriorTest, WrongValuesAreRefused) {
  EXPECT_THROW(HyperPrior(TwoInputs(), 100, std::nullopt, -1.0), InvalidInput);
  EXPECT_THROW(
      HyperPrior(TwoInputs(), 100, Kernel::Eq(1, {1, 2, 3}), std::nullopt),
      InvalidInput);
}

std::vector<WeightedHyperparameters> Learn(
    const HyperPrior& prior, const DifferencedLikelihood::Function& function) {
  DifferencedLikelihood likelihood(function);
  return LearnFromRelease(prior, likelihood);
}

// A likelihood that is Gaussian in the log of the lengthscale makes the
// posterior Gaussian, with closed-form moments that the cubature must
// reproduce.
TEST(FromReleaseTest, GaussianPosteriorsAreIntegratedExactly) {
  const HyperPrior prior(TwoInputs().leftCols(1), 100, std::nullopt, 4.0);
  ASSERT_EQ(prior.size(), 2);
  ASSERT_EQ(prior.averaged(), 2);
  const auto lengthscale = [](const Hyperparameters& theta) {
    return std::log(Parameter(theta.kernel, "1.lengthscale[0]"));
  };
  const double median = lengthscale(prior.At(Vector::Zero(2)));
  const double spread = lengthscale(prior.At(Vector::Ones(2))) - median;
  const auto z_of = [&](const Hyperparameters& theta) {
    return (lengthscale(theta) - median) / spread;
  };
  // z | data ~ N(1.6, 0.2): prior N(0, 1), likelihood N(z; 2, 0.25).
  const auto learned = Learn(prior, [&](const Hyperparameters& theta) {
    return -0.5 * std::pow(z_of(theta) - 2, 2) / 0.25;
  });
  double total = 0;
  double mean = 0;
  double square = 0;
  for (const WeightedHyperparameters& point : learned) {
    const double z = z_of(point.value);
    total += point.weight;
    mean += point.weight * z;
    square += point.weight * z * z;
  }
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_NEAR(mean, 1.6, 0.01);
  EXPECT_NEAR(square - mean * mean, 0.2, 0.01);
}

TEST(FromReleaseTest, TheNoiseVarianceIsTakenAtItsMode) {
  const HyperPrior prior(TwoInputs(), 100, Kernel::Bias(1), std::nullopt);
  ASSERT_EQ(prior.averaged(), 0);
  const double median = prior.At(Vector::Zero(1)).noise_variance;
  const double spread =
      std::log(prior.At(Vector::Ones(1)).noise_variance / median);
  const auto learned = Learn(prior, [&](const Hyperparameters& theta) {
    const double z = std::log(theta.noise_variance / median) / spread;
    return -0.5 * std::pow(z - 2, 2) / 0.25;
  });
  ASSERT_EQ(learned.size(), 1U);
  EXPECT_NEAR(std::log(learned[0].value.noise_variance / median) / spread, 1.6,
              0.01);
}

TEST(FromReleaseTest, NoInformationGivesThePriorBack) {
  const HyperPrior prior(TwoInputs(), 100, std::nullopt, std::nullopt);
  const auto learned =
      Learn(prior, [](const Hyperparameters&) { return -3.0; });
  EXPECT_EQ(learned.size(), 6U);
  for (const WeightedHyperparameters& point : learned) {
    EXPECT_NEAR(point.weight, 1.0 / 6, 1e-6);
  }
}

// The less is known, the farther are those to average over from the middle.
TEST(FromReleaseTest, TheMostProbableIsTheMiddleWhereNothingIsKnown) {
  const HyperPrior prior(TwoInputs(), 100, std::nullopt, std::nullopt);
  DifferencedLikelihood nothing([](const Hyperparameters&) { return -3.0; });
  const Hyperparameters theta = MostProbable(prior, nothing).value;
  const Hyperparameters median = prior.At(Vector::Zero(prior.size()));
  for (const char* name : {"1.variance", "1.lengthscale[0]"}) {
    EXPECT_NEAR(Parameter(theta.kernel, name) / Parameter(median.kernel, name),
                1, 1e-6);
  }
  EXPECT_NEAR(theta.noise_variance / median.noise_variance, 1, 1e-6);
}

// What is known to a tenth of its prior spread needs no points on either side.
TEST(FromReleaseTest, WhatIsKnownWellIsNotAveragedOver) {
  const HyperPrior prior(TwoInputs().leftCols(1), 100, std::nullopt, 4.0);
  const double median =
      std::log(Parameter(prior.At(Vector::Zero(2)).kernel, "1.lengthscale[0]"));
  const auto learned = Learn(prior, [&](const Hyperparameters& theta) {
    const double away =
        std::log(Parameter(theta.kernel, "1.lengthscale[0]")) - median;
    return -0.5 * std::pow(away / 0.08, 2);
  });
  EXPECT_EQ(learned.size(), 2U);
  for (const WeightedHyperparameters& point : learned) {
    EXPECT_NEAR(
        std::log(Parameter(point.value.kernel, "1.lengthscale[0]")) - median, 0,
        1e-3);
  }
}

TEST(FromReleaseTest, NothingFreeNeedsNoLikelihood) {
  const HyperPrior prior(TwoInputs(), 100, Kernel::Eq(2, 3), 5.0);
  const auto learned = Learn(prior, [](const Hyperparameters&) -> double {
    throw Error("must not be called");
  });
  ASSERT_EQ(learned.size(), 1U);
  EXPECT_EQ(learned[0].weight, 1);
}

TEST(HyperPriorTest, ManyInputsShareOneFactorOfTheirLengthscales) {
  std::srand(4);
  Matrix X = Matrix::Random(30, 12);
  X.col(3) *= 1e6;
  X.col(5).setConstant(2);
  for (const HyperPrior& prior : {HyperPrior(X, 10, std::nullopt, 1.0),
                                  HyperPrior::ForLabels(X, std::nullopt)}) {
    EXPECT_EQ(prior.size(), 2);  // variance, factor
    Vector z = Vector::Zero(2);
    const Kernel median = prior.At(z).kernel;
    z(1) = 1;
    const Kernel longer = prior.At(z).kernel;
    const double factor = Parameter(longer, "1.lengthscale[0]") /
                          Parameter(median, "1.lengthscale[0]");
    EXPECT_GT(factor, 1.2);
    EXPECT_NEAR(Parameter(longer, "1.lengthscale[3]") /
                    Parameter(median, "1.lengthscale[3]"),
                factor, 1e-12);
    double total = 0;
    for (const auto& node : prior.Nodes()) total += node.weight;
    EXPECT_NEAR(total, 1, 1e-15);
  }
  // Outputs know what each input is measured in; labels have components.
  const Kernel numbers =
      HyperPrior(X, 10, std::nullopt, 1.0).At(Vector::Zero(2)).kernel;
  EXPECT_GT(Parameter(numbers, "1.lengthscale[3]"),
            1e5 * Parameter(numbers, "1.lengthscale[0]"));
  const Kernel labels =
      HyperPrior::ForLabels(X, std::nullopt).At(Vector::Zero(2)).kernel;
  const double variance = (X.rowwise() - X.colwise().mean()).squaredNorm() / 30;
  EXPECT_NEAR(Parameter(labels, "1.lengthscale[0]"), std::sqrt(variance),
              1e-9 * std::sqrt(variance));
  EXPECT_EQ(Parameter(labels, "1.lengthscale[3]"),
            Parameter(labels, "1.lengthscale[0]"));
  EXPECT_EQ(HyperPrior::ForLabels(X, Kernel::Eq(1, 2)).size(), 0);
}

TEST(HyperPriorTest, GradientsAreThoseOfDifferences) {
  std::srand(4);
  const Matrix X = Matrix::Random(30, 12);
  const HyperPrior prior(X, 10, std::nullopt, std::nullopt);
  const auto value = [&](const Vector& z) {
    const Hyperparameters theta = prior.At(z);
    double sum = std::log(theta.noise_variance);
    for (const KernelParameter& p : theta.kernel.Parameters()) {
      sum += p.value * p.value;
    }
    return sum;
  };
  const Vector z = Vector::LinSpaced(prior.size(), -0.4, 0.5);
  const Hyperparameters theta = prior.At(z);
  HyperparameterGradient g{
      Vector(static_cast<Index>(theta.kernel.Parameters().size())),
      1 / theta.noise_variance};
  Index p = 0;
  for (const KernelParameter& parameter : theta.kernel.Parameters()) {
    g.kernel(p++) = 2 * parameter.value;
  }
  const Vector gradient = prior.Gradient(z, g);
  for (Index j = 0; j < z.size(); ++j) {
    const Vector step = 1e-5 * Vector::Unit(z.size(), j);
    const double difference = (value(z + step) - value(z - step)) / 2e-5;
    EXPECT_NEAR(gradient(j) / difference, 1, 1e-6);
  }
}

// A bowl with its lowest point off the grid, and a wall.
TEST(PatternSearchTest, EndsNearTheLeastCostOrAtTheWall) {
  const auto cost = [](const Vector& x) {
    const double a = x(0) - 1.3;
    const double b = x(1) + 0.7;
    return x(0) > 3 ? HUGE_VAL : 5 * (a * a + b * b + 0.5 * a * b);
  };
  SearchBox box{Vector::Zero(2), Vector::Constant(2, -4),
                Vector::Constant(2, 4)};
  box.last_step = 0.02;
  const Vector best = PatternSearch(box, cost);
  EXPECT_NEAR(best(0), 1.3, 0.1);
  EXPECT_NEAR(best(1), -0.7, 0.1);
  box.upper(0) = 0.9;
  EXPECT_LE(PatternSearch(box, cost)(0), 0.9);
  box.start(0) = 2;
  EXPECT_THROW(PatternSearch(box, cost), InvalidInput);
}

TEST(PatternSearchTest, AsksForEachCostOnce) {
  std::set<std::pair<double, double>> asked;
  const SearchBox box{Vector::Constant(2, 0.1), Vector::Constant(2, -9),
                      Vector::Constant(2, 9)};
  PatternSearch(box, [&asked](const Vector& x) {
    EXPECT_TRUE(asked.emplace(x(0), x(1)).second) << x.transpose();
    return std::pow(x(0) - 5, 2) + std::pow(x(1) + x(0), 2);
  });
  EXPECT_GT(asked.size(), 10);
}

}  // namespace
}  // namespace cloak
