#include "cloak/selection/from_release.h"

#include <lbfgs.h>

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/linalg/symmetric_eigen.h"

namespace cloak {
namespace {

// Coordinates are standard normal a priori: beyond this the prior alone rules
// a point out, and parameters could overflow.
constexpr double kFarthest = 6;
// Steps of finite differences, in standard coordinates.
constexpr double kGradientStep = 1e-4;
constexpr double kHessianStep = 0.05;

Vector Within(const Vector& z) {
  return z.cwiseMax(-kFarthest).cwiseMin(kFarthest);
}

// Minus the log posterior density of z.
class Energy {
 public:
  Energy(const HyperPrior& prior, const StatisticLikelihood& likelihood)
      : prior_(prior), likelihood_(likelihood) {}

  // Large where the likelihood cannot be computed: learning must not fail
  // after a release is made, and exceptions must not pass through liblbfgs.
  double operator()(const Vector& z) const {
    constexpr double kImpossible = 1e10;
    try {
      const double energy =
          0.5 * z.squaredNorm() - likelihood_(prior_.At(Within(z)));
      return std::isfinite(energy) ? energy : kImpossible;
    } catch (const Error&) {
      return kImpossible;
    }
  }

  // Forward differences; `here` is the energy at z.
  Vector Gradient(const Vector& z, double here) const {
    Vector gradient(z.size());
    for (Index j = 0; j < z.size(); ++j) {
      Vector step = Vector::Zero(z.size());
      step(j) = kGradientStep;
      gradient(j) = ((*this)(z + step) - here) / kGradientStep;
    }
    return gradient;
  }

  // With respect to the first k coordinates.
  Matrix Hessian(const Vector& z, Index k) const {
    const double h = kHessianStep;
    const Matrix steps = h * Matrix::Identity(z.size(), k);
    const double centre = (*this)(z);
    Vector plus(k);
    Vector minus(k);
    for (Index i = 0; i < k; ++i) {
      plus(i) = (*this)(z + steps.col(i));
      minus(i) = (*this)(z - steps.col(i));
    }
    Matrix hessian(k, k);
    for (Index i = 0; i < k; ++i) {
      hessian(i, i) = (plus(i) - 2 * centre + minus(i)) / (h * h);
      for (Index j = 0; j < i; ++j) {
        const double both = (*this)(z + steps.col(i) + steps.col(j)) +
                            (*this)(z - steps.col(i) - steps.col(j));
        hessian(i, j) = hessian(j, i) =
            (both + 2 * centre - plus(i) - minus(i) - plus(j) - minus(j)) /
            (2 * h * h);
      }
    }
    return hessian;
  }

 private:
  const HyperPrior& prior_;
  const StatisticLikelihood& likelihood_;
};

struct Search {
  const Energy& energy;
  const Progress& progress;
};

double Evaluate(void* instance, const double* x, double* g, int n, double) {
  const Search& search = *static_cast<const Search*>(instance);
  const Vector z = Eigen::Map<const Vector>(x, n);
  const double here = search.energy(z);
  Eigen::Map<Vector>(g, n) = search.energy.Gradient(z, here);
  return here;
}

constexpr int kMostIterations = 60;

int Report(void* instance, const double*, const double*, double, double, double,
           double, int, int k, int) {
  static_cast<const Search*>(instance)->progress(
      "learning hyperparameters from the release",
      static_cast<double>(k) / kMostIterations);
  return 0;
}

Vector Mode(const Energy& energy, Index size, const Progress& progress) {
  Vector z = Vector::Zero(size);
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
  lbfgs(static_cast<int>(size), z.data(), nullptr, &Evaluate, &Report, &search,
        &parameters);
  return z;
}

}  // namespace

std::vector<WeightedHyperparameters> LearnFromRelease(
    const HyperPrior& prior, const StatisticLikelihood& likelihood,
    const Progress& progress) {
  if (prior.size() == 0) return {{1.0, prior.At(Vector())}};
  const Energy energy(prior, likelihood);
  const Vector mode = Mode(energy, prior.size(), progress);
  const Index k = prior.averaged();
  const WeightedHyperparameters centre{1.0, prior.At(Within(mode))};
  if (k == 0) return {centre};
  const double lowest = energy(mode);

  // The prior contributes I to the Hessian, and data only make it more
  // certain on the whole: where the difference quotient says otherwise, the
  // prior's 1 stands.
  const SymmetricEigen hessian = EigenDecomposition(energy.Hessian(mode, k));
  const Vector sd = hessian.values.cwiseMax(1).cwiseSqrt().cwiseInverse();
  std::vector<WeightedHyperparameters> learned;
  double total = 0;
  for (Index j = 0; j < k; ++j) {
    const Vector move =
        std::sqrt(static_cast<double>(k)) * sd(j) * hessian.vectors.col(j);
    for (const double sign : {-1.0, 1.0}) {
      Vector z = mode;
      z.head(k) += sign * move;
      // Density relative to the Laplace approximation's, exp(−k/2) here.
      const double weight = std::exp(
          std::min(lowest - energy(z) + 0.5 * static_cast<double>(k), 50.0));
      learned.push_back({weight, prior.At(Within(z))});
      total += weight;
    }
  }
  if (!(total > 0 && std::isfinite(total))) return {centre};
  for (WeightedHyperparameters& point : learned) point.weight /= total;
  return learned;
}

}  // namespace cloak
