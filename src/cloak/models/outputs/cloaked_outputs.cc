#include "cloak/models/outputs/cloaked_outputs.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/basis_candidates.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/smoother.h"
#include "cloak/kernels/gibbs_from_inputs.h"
#include "cloak/linalg/rounded_range.h"
#include "cloak/models/outputs/cloaking.h"

namespace cloak {
namespace {

// When some query points stand for all in a basis, this may be left of the
// others, as a fraction of the noise variance.
constexpr double kQueryResidual = 1e-6;
// The same for the rows, and the most of them, in a functional release.
constexpr double kRowResidual = 1e-4;
constexpr Index kFunctionalBasisSize = 200;

Vector RowNoise(const Setting& setting, const Regression& task) {
  const auto& of_rows = setting.open().noise_variances;
  if (of_rows) return *of_rows;
  return Vector::Constant(setting.X().rows(), *task.noise_variance);
}

// `points` may stand in the release as they are, or are candidates for that.
template <typename Points>
LinearSmoother ExactAt(const Setting& setting, const Regression& task,
                       const Kernel& kernel, const Points& points,
                       const BasisSelectionOptions& selection) {
  setting.progress("factoring the covariance", 0);
  const ExactGp gp(kernel, RowNoise(setting, task), setting.X(),
                   setting.threads);
  const Basis basis(
      kernel, SelectBasisPoints(kernel, points, setting.threads, selection),
      setting.threads);
  return ExactSmoother(gp, basis);
}

LinearSmoother Fitc(const Setting& setting, const Regression& task) {
  constexpr Index kInducing = 10;
  const Index count = task.inducing ? task.inducing->front() : kInducing;
  const Basis basis(*task.kernel, InducingPoints(setting, count),
                    setting.threads);
  OutputModel outputs = ModelOutputs(basis, 0, setting.X());
  outputs.D += RowNoise(setting, task);
  return InducingSmoother(basis, outputs, setting.threads);
}

// Densities in units of the lengthscales, so that the longest is 1, the eq's
// own.
Kernel Nonstationary(const Setting& setting, const Regression& task) {
  const Matrix& X = setting.X();
  RequireInput(std::isfinite(task.neighbours) && task.neighbours > 0,
               "the number of neighbours must be finite and positive, "
               "but is ",
               task.neighbours);
  return task.kernel->ReplaceEq(
      [&](double variance, const PerInput& lengthscale) {
        InputDensityOptions density;
        density.scale = lengthscale;
        // Scott's rule, for the mean spread in units of the lengthscale.
        double spread = 0;
        for (Index j = 0; j < X.cols(); ++j) {
          spread += std::pow(SpreadOf(X.col(j)) / lengthscale[j], 2);
        }
        const auto inputs = static_cast<double>(X.cols());
        const double sd = spread > 0 ? std::sqrt(spread / inputs) : 1;
        density.bandwidth =
            sd * std::pow(static_cast<double>(X.rows()), -1 / (inputs + 4));
        return GibbsFromInputs(X, variance, 1, task.neighbours, density);
      });
}

LinearSmoother SmootherForOutputs(const Setting& setting,
                                  const Regression& task) {
  const double noise = NoiseOfAnObservation(setting, task);
  switch (task.method) {
    case Regression::kSparseCloaking:
      return Fitc(setting, task);
    case Regression::kPolynomial:
      return PolynomialSmoother(setting.X(), task.degree, noise,
                                setting.threads);
    case Regression::kFunctional:
      return ExactAt(setting, task, *task.kernel, BasisCandidates(setting.X()),
                     {.max_size = kFunctionalBasisSize,
                      .tolerance = kRowResidual * noise});
    case Regression::kNonstationaryCloaking:
      return ExactAt(setting, task, Nonstationary(setting, task),
                     *task.query_points, {.tolerance = kQueryResidual * noise});
    case Regression::kCloaking:
      return ExactAt(setting, task, *task.kernel, *task.query_points,
                     {.tolerance = kQueryResidual * noise});
    case Regression::kOptimal:
    case Regression::kBinning:
    case Regression::kIntegralBinning:
    case Regression::kVariational:
      break;
  }
  throw Error(Text("the method '", NameOf(task.method), "' is not cloaked"));
}

}  // namespace

double NoiseOfAnObservation(const Setting& setting, const Regression& task) {
  return task.noise_variance ? *task.noise_variance
                             : setting.open().noise_variances->mean();
}

std::unique_ptr<Plan> PlanCloaked(const SharedSetting& setting,
                                  const Regression& task) {
  CloakingOptions cloaking{.budget = std::get<Budget>(task.budget),
                           .method = NameOf(task.method)};
  if (task.method == Regression::kFunctional) {
    cloaking.design = CloakingDesign::kIsotropic;
  } else if (task.design == Regression::kTrace) {
    cloaking.design = CloakingDesign::kTrace;
  }
  cloaking.noise_variance = NoiseOfAnObservation(*setting, task);
  cloaking.published_noise = task.published_noise;
  return std::make_unique<CloakingPlan>(
      setting, SmootherForOutputs(*setting, task),
      task.query_points ? *task.query_points : setting->X(), cloaking);
}

}  // namespace cloak
