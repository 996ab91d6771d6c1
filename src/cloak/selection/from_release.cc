#include "cloak/selection/from_release.h"

#include <lbfgs.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// Coordinates are standard normal a priori: beyond this the prior alone rules
// a point out, and parameters could overflow.
constexpr double kFarthest = 6;
// The step of finite differences of gradients, in standard coordinates.
constexpr double kHessianStep = 0.05;
// A direction with a smaller standard deviation than this, in standard
// coordinates, is known: a posterior on each side of it would make the release
// larger and hardly change a prediction.
constexpr double kCertain = 0.25;

Vector Within(const Vector& z) {
  return z.cwiseMax(-kFarthest).cwiseMin(kFarthest);
}

// Minus the log posterior density of z.
class Energy {
 public:
  Energy(const HyperPrior& prior, const ReleaseLikelihood& likelihood)
      : prior_(prior), likelihood_(likelihood) {}

  double Value(const Vector& z) const {
    return Computed([&] {
      return 0.5 * z.squaredNorm() - likelihood_.Value(prior_.At(Within(z)));
    });
  }

  double ValueWithGradient(const Vector& z, Vector& gradient) const {
    gradient = z;
    return Computed([&] {
      HyperparameterGradient of_likelihood;
      const Vector inside = Within(z);
      const std::optional<double> likelihood =
          likelihood_.ValueWithGradient(prior_.At(inside), of_likelihood);
      if (!likelihood.has_value()) return WithDifferences(z, gradient);
      gradient -= prior_.Gradient(inside, of_likelihood);
      return gradient.allFinite() ? 0.5 * z.squaredNorm() - *likelihood
                                  : kImpossible;
    });
  }

  // With respect to the first k coordinates.
  Matrix Hessian(const Vector& z, Index k) const {
    Matrix hessian(k, k);
    for (Index j = 0; j < k; ++j) {
      const Vector step = kHessianStep * Vector::Unit(z.size(), j);
      Vector plus;
      Vector minus;
      ValueWithGradient(z + step, plus);
      ValueWithGradient(z - step, minus);
      hessian.col(j) = (plus - minus).head(k) / (2 * kHessianStep);
    }
    return (hessian + hessian.transpose()) / 2;
  }

 private:
  static constexpr double kImpossible = 1e10;

  double WithDifferences(const Vector& z, Vector& gradient) const {
    constexpr double kStep = 1e-4;
    const double here = Value(z);
    for (Index j = 0; j < z.size(); ++j) {
      gradient(j) =
          (Value(z + kStep * Vector::Unit(z.size(), j)) - here) / kStep;
    }
    return here;
  }

  // Large where the likelihood cannot be computed: learning must not fail
  // after a release is made, and exceptions must not pass through liblbfgs.
  template <typename Function>
  static double Computed(const Function& function) {
    try {
      const double energy = function();
      return std::isfinite(energy) ? energy : kImpossible;
    } catch (const Error&) {
      return kImpossible;
    }
  }

  const HyperPrior& prior_;
  const ReleaseLikelihood& likelihood_;
};

struct Search {
  const Energy& energy;
  const Progress& progress;
};

double Evaluate(void* instance, const double* x, double* g, int n, double) {
  const Search& search = *static_cast<const Search*>(instance);
  Vector gradient;
  const double value =
      search.energy.ValueWithGradient(Eigen::Map<const Vector>(x, n), gradient);
  Eigen::Map<Vector>(g, n) = gradient;
  return value;
}

constexpr int kMostIterations = 60;

int Report(void* instance, const double*, const double*, double, double, double,
           double, int, int k, int) {
  static_cast<const Search*>(instance)->progress(
      "learning hyperparameters from the release",
      static_cast<double>(k) / kMostIterations);
  return 0;
}

Vector Mode(const Energy& energy, Vector z, const Progress& progress) {
  lbfgs_parameter_t parameters;
  lbfgs_parameter_init(&parameters);
  // The mode is the centre of an average: a hundredth of a standard deviation
  // more or less does not matter.
  parameters.epsilon = 1e-3;
  parameters.past = 2;
  parameters.delta = 1e-5;
  parameters.max_iterations = kMostIterations;
  Search search{energy, progress};
  // Whatever it returns, z is the best point found.
  lbfgs(static_cast<int>(z.size()), z.data(), nullptr, &Evaluate, &Report,
        &search, &parameters);
  return z;
}

// In standard coordinates. The likelihood is left centred there.
Vector RecentredMode(const HyperPrior& prior, ReleaseLikelihood& likelihood,
                     const std::optional<Vector>& near,
                     const Progress& progress) {
  if (prior.size() == 0) return Vector();
  const Energy energy(prior, likelihood);
  const Vector guess =
      near ? *near : Mode(energy, Vector::Zero(prior.size()), progress);
  likelihood.Recentre(prior.At(Within(guess)));
  return Mode(energy, guess, progress);
}

}  // namespace

DifferencedLikelihood::DifferencedLikelihood(Function function)
    : function_(std::move(function)) {}

double DifferencedLikelihood::Value(const Hyperparameters& theta) const {
  return function_(theta);
}

LinearStatisticLikelihood::LinearStatisticLikelihood(
    StatisticLikelihood likelihood)
    : likelihood_(std::move(likelihood)) {}

double LinearStatisticLikelihood::Value(const Hyperparameters& theta) const {
  return likelihood_.LogDensity(theta.kernel, theta.noise_variance, nullptr);
}

std::optional<double> LinearStatisticLikelihood::ValueWithGradient(
    const Hyperparameters& theta, HyperparameterGradient& gradient) const {
  StatisticLikelihood::Gradient found;
  const double value =
      likelihood_.LogDensity(theta.kernel, theta.noise_variance, &found);
  gradient = {std::move(found.kernel), found.noise_variance};
  return value;
}

void LinearStatisticLikelihood::Recentre(const Hyperparameters& theta) {
  likelihood_.Recentre(theta.kernel);
}

HyperparameterMode MostProbable(const HyperPrior& prior,
                                ReleaseLikelihood& likelihood,
                                const std::optional<Vector>& near) {
  Vector z = Within(RecentredMode(prior, likelihood, near, NoProgress));
  Hyperparameters value = prior.At(z);
  return {std::move(z), std::move(value)};
}

std::vector<WeightedHyperparameters> LearnFromRelease(
    const HyperPrior& prior, ReleaseLikelihood& likelihood,
    const Progress& progress) {
  const Vector mode = RecentredMode(prior, likelihood, {}, progress);
  const WeightedHyperparameters centre{1.0, prior.At(Within(mode))};
  if (prior.averaged() == 0) return {centre};
  const Energy energy(prior, likelihood);
  const double lowest = energy.Value(mode);

  // The prior contributes I to the Hessian, and data only make it more
  // certain on the whole: where the difference quotient says otherwise, the
  // prior's 1 stands. Eigenvalues are in ascending order: uncertain first.
  const SymmetricEigen hessian =
      EigenDecomposition(energy.Hessian(mode, prior.averaged()));
  const Vector sd = hessian.values.cwiseMax(1).cwiseSqrt().cwiseInverse();
  const Index k = (sd.array() > kCertain).count();
  if (k == 0) return {centre};
  std::vector<WeightedHyperparameters> learned;
  double total = 0;
  for (Index j = 0; j < k; ++j) {
    const Vector move =
        std::sqrt(static_cast<double>(k)) * sd(j) * hessian.vectors.col(j);
    for (const double sign : {-1.0, 1.0}) {
      Vector z = mode;
      z.head(move.size()) += sign * move;
      // Density relative to the Laplace approximation's, exp(−k/2) here.
      const double weight = std::exp(std::min(
          lowest - energy.Value(z) + 0.5 * static_cast<double>(k), 50.0));
      learned.push_back({weight, prior.At(Within(z))});
      total += weight;
    }
  }
  if (!(total > 0 && std::isfinite(total))) return {centre};
  for (WeightedHyperparameters& point : learned) point.weight /= total;
  return learned;
}

}  // namespace cloak
