#include "cloak/models/rows/svm.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/spread_points.h"
#include "cloak/models/magnitudes.h"
#include "cloak/models/release_parts.h"
#include "cloak/models/released_numbers.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {
namespace {

// The basis is chosen among so many points of the ranges, until none of them
// has more of k(x, x) left than this part.
constexpr Index kCandidates = 1000;
constexpr double kLeftOut = 1e-3;

const Setting& ValidSvm(const Setting& setting, const Svm& options) {
  setting.Validate();
  RequireInput(setting.classes().size() == 2,
               "a support vector machine is for labels of two classes");
  RequireInput(setting.lower().size() <= SvmPlan::kMostInputs,
               "a support vector machine has at most ", SvmPlan::kMostInputs,
               " inputs, but there are ", setting.lower().size());
  RequireInput(options.basis >= 1 && options.basis <= kCandidates,
               "there must be from 1 to ", kCandidates,
               " basis points, but there are ", options.basis);
  return setting;
}

Kernel KernelFor(const Setting& setting, const Svm& options) {
  if (options.kernel) {
    options.kernel->CheckInputs(setting.lower().size());
    RequireParameters(*options.kernel);
    return *options.kernel;
  }
  std::vector<double> lengthscales;
  for (Index j = 0; j < setting.lower().size(); ++j) {
    lengthscales.push_back(SvmPlan::kLengthscale *
                           (setting.upper()(j) - setting.lower()(j)));
  }
  return Kernel::Eq(1, lengthscales);
}

double LargestVariance(const Setting& setting, const Kernel& kernel) {
  return kernel.VarianceBound(setting.lower(), setting.upper());
}

Basis BasisFor(const Setting& setting, const Svm& options) {
  const Kernel kernel = KernelFor(ValidSvm(setting, options), options);
  const double variance = LargestVariance(setting, kernel);
  RequireInput(variance >= 1e-100 && variance <= 1e100,
               "the kernel's variance over the ranges must be from 1e-100 "
               "to 1e100, but is ",
               variance);
  const Matrix candidates =
      SpreadPoints(setting.lower(), setting.upper(), kCandidates);
  // It is used by threads that are many already.
  return {kernel,
          SelectBasisPoints(
              kernel, candidates, setting.threads,
              {.max_size = options.basis, .tolerance = kLeftOut * variance}),
          Threads(1)};
}

SvmSetting MechanismFor(const Setting& setting, const Svm& options,
                        const Basis& basis) {
  const double variance = LargestVariance(setting, basis.kernel());
  return {.rows = setting.rows(),
          .lower = setting.lower(),
          .upper = setting.upper(),
          .features = basis.size(),
          .norm = std::sqrt(variance),
          .cost = options.cost.value_or(
              SvmPlan::CostFor(setting.rows(), options.budget, variance)),
          .budget = options.budget};
}

}  // namespace

double SvmPlan::CostFor(Index rows, const Budget& budget, double variance) {
  constexpr double kNoise = 0.25;
  const double cost =
      kNoise * static_cast<double>(rows) / (2 * GaussianSigma(budget));
  return std::clamp(cost, 1.0, 100.0) / variance;
}

SvmPlan::SvmPlan(const SharedSetting& setting, const Svm& task)
    : Plan(setting),
      basis_(BasisFor(*setting, task)),
      svm_(MechanismFor(*setting, task, basis_)) {
  event_ = [mu = svm_.noise().mu()] { return GaussianEvent(mu); };
  summary_.task = TaskKind::kSvm;
  summary_.method = "functional";
  summary_.design = Text("cost ", RoundedText(svm_.setting().cost));
  summary_.rank = basis_.size();
  summary_.privacy = StatementOf(*setting, task.budget);
  summary_.privacy.mechanism =
      "exact Gaussian release of a support vector machine";
  summary_.privacy.sensitivity = svm_.noise().sensitivity();
  summary_.privacy.noise_sd = svm_.noise().sd();
  // The error is that of the margin, which without privacy is not uncertain.
  const Matrix places =
      SpreadPoints(setting->lower(), setting->upper(), kCandidates);
  summary_.expected_sd =
      svm_.noise().sd() *
      std::sqrt(basis_.Features(places).squaredNorm() / kCandidates);
  CheckReleasable(Content(), basis_);
}

Release SvmPlan::Run(const PrivateRows& rows, Randomness& randomness,
                     const ReleaseObserver& /*observer*/) const {
  const FeatureMap features = [this](const Matrix& X) -> Matrix {
    return basis_.Features(X).transpose();
  };
  setting().progress("training the support vector machine", 0);
  const NoisyWeights noisy = svm_.Release(
      rows.inputs(), rows.outputs(), features, randomness, setting().threads);

  // From here on everything is post-processing of what was released.
  ReleaseContent content = Content();
  content.statistic = PublishedBy(svm_.noise(), noisy.integers,
                                  "weights of a support vector machine");
  content.basis_points = basis_.points();
  const Index M = basis_.size();
  Posterior posterior;
  posterior.kernel = basis_.kernel();
  posterior.jitter = basis_.jitter();
  posterior.mean = noisy.value;
  SetFactors(Matrix(0, M), svm_.noise().sd() * Matrix::Identity(M, M),
             posterior);
  content.posteriors.push_back(std::move(posterior));
  return Release(std::move(content));
}

}  // namespace cloak
