#include "cloak/models/rows/functional_density.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/release_parts.h"
#include "cloak/models/released_numbers.h"
#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {
namespace {

// By the number of inputs: points of the basis in each, at most, which stand
// no farther apart than a bandwidth; and in how many cells each is cut.
constexpr Index kMostPoints[] = {200, 20, 7};
constexpr Index kFewestPoints = 4;
constexpr Index kCells[] = {2048, 48, 13};

// (4/((d + 2) n))^(1/(d + 4)), times the standard deviation of an input
// (Silverman 1986).
double SilvermanFactor(Index inputs, Index rows) {
  const auto d = static_cast<double>(inputs);
  return std::pow(4 / ((d + 2) * static_cast<double>(rows)), 1 / (d + 4));
}

// Returns the bandwidth of the function that is released.
Vector ReleasedBandwidth(const Setting& setting, const Density& options) {
  const Index inputs = setting.lower().size();
  const Vector range = setting.upper() - setting.lower();
  const Vector least = range / static_cast<double>(kMostPoints[inputs - 1]);
  if (!options.bandwidth) {
    const double of_even_spread =
        SilvermanFactor(inputs, setting.rows()) / std::sqrt(12.0);
    return (0.25 * of_even_spread * range).cwiseMax(least);
  }
  RequireInput(options.bandwidth->size() == inputs,
               "there must be a bandwidth for each of the ", inputs,
               " inputs, but there are ", options.bandwidth->size());
  for (Index j = 0; j < inputs; ++j) {
    const double bandwidth = (*options.bandwidth)(j);
    RequireInput(std::isfinite(bandwidth) && bandwidth >= least(j) &&
                     bandwidth <= 100 * range(j),
                 "the bandwidth of '",
                 setting.input_names[static_cast<size_t>(j)], "' must be from ",
                 least(j), " (its range over ", kMostPoints[inputs - 1],
                 ") to ", 100 * range(j), ", but is ", bandwidth);
  }
  return *options.bandwidth;
}

Kernel KernelOf(const Vector& bandwidth) {
  return Kernel::Eq(
      1, PerInput(std::vector<double>(bandwidth.begin(), bandwidth.end())));
}

Basis BasisOf(const Setting& setting, const Vector& bandwidth) {
  const Index inputs = setting.lower().size();
  std::vector<Index> counts;
  for (Index j = 0; j < inputs; ++j) {
    const double range = setting.upper()(j) - setting.lower()(j);
    counts.push_back(std::clamp<Index>(
        static_cast<Index>(std::ceil(range / bandwidth(j))) + 1, kFewestPoints,
        kMostPoints[inputs - 1]));
  }
  return {KernelOf(bandwidth),
          Grid(setting.lower(), setting.upper(), counts).Centres(),
          setting.threads};
}

Grid CellsOf(const Setting& setting) {
  ValidateDensity(setting);
  const Index inputs = setting.lower().size();
  return {setting.lower(), setting.upper(),
          std::vector<Index>(static_cast<size_t>(inputs), kCells[inputs - 1])};
}

}  // namespace

FunctionalDensityPlan::FunctionalDensityPlan(const SharedSetting& setting,
                                             const Density& task)
    : Plan(setting),
      task_(task),
      cells_(CellsOf(*setting)),
      basis_(BasisOf(*setting, ReleasedBandwidth(*setting, task))),
      features_(cells_, basis_.Features(cells_.Centres()), setting->rows(),
                GaussianSigma(Budget(task.budget.epsilon, task.budget.delta))) {
  summary_.task = TaskKind::kDensity;
  summary_.link = DensityLink::kIdentity;
  summary_.method = NameOf(task.method);
  summary_.design = "kernel";
  summary_.privacy =
      StatementOf(*setting, task.budget.epsilon, task.budget.delta);
  summary_.privacy.mechanism = "exact Gaussian release, analytic calibration";
  summary_.privacy.sensitivity = features_.noise().sensitivity();
  summary_.privacy.noise_sd = features_.noise().sd();
  summary_.rank = features_.features().rows();
  summary_.expected_sd =
      features_.noise().sd() / static_cast<double>(setting->rows());
  event_ = [mu = features_.noise().mu()] { return GaussianEvent(mu); };
  ReleaseContent content = DensityContent(*setting, summary_);
  CheckReleasable(std::move(content), basis_);
}

// From the moments of the positive part of the function that was released, in
// which each row is spread by its kernel.
Vector FunctionalDensityPlan::SilvermanOf(const Vector& weights) const {
  const Matrix centres = cells_.Centres();
  Vector density = (features_.features().transpose() * weights).cwiseMax(0);
  Vector bandwidth = ReleasedBandwidth(setting(), task_);
  const double total = density.sum();
  if (!(total > 0)) return bandwidth;
  density /= total;
  for (Index j = 0; j < bandwidth.size(); ++j) {
    const double mean = density.dot(centres.col(j));
    const double variance =
        density.dot((centres.col(j).array() - mean).square().matrix()) -
        bandwidth(j) * bandwidth(j);
    const double rule = SilvermanFactor(bandwidth.size(), setting().rows()) *
                        std::sqrt(std::max(variance, 0.0));
    bandwidth(j) = std::max(bandwidth(j), rule);
  }
  return bandwidth;
}

Posterior FunctionalDensityPlan::PosteriorOf(const NoisyFeatures& noisy) const {
  const auto rows = static_cast<double>(setting().rows());
  const Vector weights = noisy.sums / rows;
  const Index size = basis_.size();
  const Matrix identity = Matrix::Identity(size, size);
  Posterior posterior;
  if (task_.bandwidth) {
    posterior.kernel = basis_.kernel();
    posterior.jitter = basis_.jitter();
    posterior.mean = weights;
    SetFactors(identity, noisy.noise_sd / rows * identity, posterior);
    return posterior;
  }
  // f = Σ_z a_z k⁰(·, z) with a = L⁰⁻ᵀ w becomes Σ_z a_z k(·, z), whose
  // coordinates are Lᵀ a = L⁻¹ (L Lᵀ) a.
  const Matrix& Z = basis_.points();
  const Basis longer(KernelOf(SilvermanOf(weights)), Z, setting().threads);
  Matrix K = longer.kernel().Covariance(Z, setting().threads);
  K.diagonal().array() += longer.jitter();
  const Matrix T =
      longer.WhitenValues(K * basis_.FoldIntoCovariance(identity).transpose());
  posterior.kernel = longer.kernel();
  posterior.jitter = longer.jitter();
  posterior.mean = T * weights;
  SetFactors(identity, noisy.noise_sd / rows * T.transpose(), posterior);
  return posterior;
}

Release FunctionalDensityPlan::Run(const PrivateRows& rows,
                                   Randomness& randomness,
                                   const ReleaseObserver& observer) const {
  observer({"the release",
            [this](const PrivateRows& shown, Randomness& random) {
              return features_.Release(shown.inputs(), random).integers;
            },
            ObservedFeatures{&features_}});
  setting().progress("releasing", 0);
  const NoisyFeatures noisy = features_.Release(rows.inputs(), randomness);
  ReleaseContent content = DensityContent(setting(), summary_);
  content.statistic = PublishedBy(features_.noise(), noisy.integers,
                                  "sums of features of rows");
  content.basis_points = basis_.points();
  content.posteriors = {PosteriorOf(noisy)};
  return Release(std::move(content));
}

}  // namespace cloak
