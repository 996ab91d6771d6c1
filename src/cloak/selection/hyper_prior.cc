#include "cloak/selection/hyper_prior.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/rounded_range.h"

namespace cloak {
namespace {

constexpr double kVarianceSpread = 1.0;
constexpr double kLengthscaleSpread = 0.8;
constexpr double kNoiseSpread = 1.4;

// The median of a lengthscale is at most this many standard deviations of the
// input, so that a few rows far away do not make everything straight.
constexpr double kMostDeviations = 3;

constexpr double kLabelBias = 1;
constexpr double kLabelVariance = 4;
constexpr double kLabelVarianceSpread = 1.5;
constexpr double kLabelNoise = 4;
// The variance of labels and the spread of the lengthscale, with many inputs.
constexpr double kManyLabelVariance = 64;
constexpr double kManyLengthscaleSpread = 0.3;

struct Extent {
  double sd = 0;
  double range = 0;  // 0 when the input is constant
};

Extent ExtentOf(const Eigen::Ref<const Vector>& column) {
  const double size = column.cwiseAbs().maxCoeff();
  if (!(column.maxCoeff() - column.minCoeff() > 1e-12 * size)) return {};
  const double sd = SpreadOf(column);
  // Lengthscales stand in the release, so that they must not say what the
  // largest and the smallest input is.
  const RoundedRange range = RoundRange(column);
  return {sd, range.upper - range.lower};
}

// A lengthscale for each input such that, over rows that are spread evenly
// within the ranges, Σ_j variance_j / lengthscale_j² ≤ 1. Where most of them
// really are says little of how fast f changes.
std::vector<double> MedianLengthscales(const Matrix& X) {
  const Index inputs = X.cols();
  std::vector<Extent> extents;
  double relative = 0;
  for (Index j = 0; j < inputs; ++j) {
    extents.push_back(ExtentOf(X.col(j)));
    const Extent& extent = extents.back();
    if (extent.range > 0) relative += std::pow(extent.sd / extent.range, 2);
  }
  // Few inputs count alike. Of many, some hardly ever vary (the corners of
  // images), and would count for as much as the rest by their standard
  // deviations.
  const bool many = inputs > HyperPrior::kMostLengthscales;
  std::vector<double> lengthscales;
  for (const Extent& extent : extents) {
    if (!(extent.range > 0)) {
      lengthscales.push_back(std::sqrt(static_cast<double>(inputs)));
    } else {
      const double even = std::clamp(extent.range / std::sqrt(12.0), extent.sd,
                                     kMostDeviations * extent.sd);
      lengthscales.push_back(many ? extent.range * std::sqrt(relative)
                                  : even *
                                        std::sqrt(static_cast<double>(inputs)));
    }
  }
  return lengthscales;
}

Kernel DefaultKernel(const Matrix& X, double bias, double variance) {
  return Kernel::Bias(bias) + Kernel::Eq(variance, MedianLengthscales(X));
}

// The same for all inputs, which are measured in the same: the lengthscale l
// with Σ_j variance_j / l² = 1.
std::vector<double> SharedLengthscale(const Matrix& X) {
  double variance = 0;
  for (Index j = 0; j < X.cols(); ++j) {
    variance += std::pow(ExtentOf(X.col(j)).sd, 2);
  }
  return std::vector<double>(static_cast<size_t>(X.cols()),
                             variance > 0 ? std::sqrt(variance) : 1);
}

}  // namespace

HyperPrior::HyperPrior(Kernel kernel, double noise_variance)
    : kernel_(std::move(kernel)), noise_variance_(noise_variance) {
  RequireInput(std::isfinite(noise_variance_) && noise_variance_ > 0,
               "the noise variance must be finite and positive, but is ",
               noise_variance_);
}

HyperPrior::HyperPrior(const Matrix& X, double output_width,
                       const std::optional<Kernel>& kernel,
                       const std::optional<double>& noise_variance)
    : HyperPrior(
          kernel ? *kernel
                 : DefaultKernel(X, output_width * output_width / 12,
                                 output_width * output_width / 25),
          noise_variance ? *noise_variance : std::pow(output_width / 15, 2)) {
  kernel_.CheckInputs(X.cols());
  if (!kernel) FreeKernel(X.cols(), kVarianceSpread, kLengthscaleSpread);
  if (!noise_variance) free_.push_back({.spread = kNoiseSpread});
}

HyperPrior HyperPrior::Around(const Hyperparameters& medians,
                              bool kernel_is_free, bool noise_is_free,
                              Index inputs) {
  HyperPrior prior(medians.kernel, medians.noise_variance);
  prior.kernel_.CheckInputs(inputs);
  if (kernel_is_free) {
    const std::vector<KernelParameter> parameters = medians.kernel.Parameters();
    std::vector<double> lengthscales(static_cast<size_t>(inputs), 1.0);
    const Kernel form = Kernel::Bias(1) + Kernel::Eq(1, lengthscales);
    const Vector ones = Vector::Ones(static_cast<Index>(parameters.size()));
    RequireInput(
        parameters.size() == form.Parameters().size() &&
            medians.kernel.WithParameters(ones).ToString() == form.ToString(),
        "a kernel that is learned must be bias + eq with a "
        "lengthscale for each input, but is ",
        medians.kernel.ToString());
    prior.FreeKernel(inputs, kVarianceSpread, kLengthscaleSpread);
  }
  if (noise_is_free) prior.free_.push_back({.spread = kNoiseSpread});
  return prior;
}

HyperPrior HyperPrior::WithNoise(double noise_variance) const {
  HyperPrior prior(kernel_, noise_variance);
  prior.free_ = free_;
  if (NoiseIsFree()) prior.free_.pop_back();
  return prior;
}

HyperPrior HyperPrior::ForLabels(const Matrix& X,
                                 const std::optional<Kernel>& kernel) {
  const bool many = X.cols() > kMostLengthscales;
  HyperPrior prior(
      kernel ? *kernel
      : many ? Kernel::Bias(kLabelBias) +
                   Kernel::Eq(kManyLabelVariance, SharedLengthscale(X))
             : DefaultKernel(X, kLabelBias, kLabelVariance),
      kLabelNoise);
  prior.kernel_.CheckInputs(X.cols());
  if (kernel) return prior;
  prior.FreeKernel(X.cols(), kLabelVarianceSpread,
                   many ? kManyLengthscaleSpread : kLengthscaleSpread);
  return prior;
}

void HyperPrior::FreeKernel(Index inputs, double variance_spread,
                            double lengthscale_spread) {
  // Parameters are bias, which stays, variance, lengthscales.
  constexpr Index kFirstLengthscale = 2;
  free_.push_back({.parameters = {1}, .spread = variance_spread});
  Free lengthscale{.spread = lengthscale_spread, .lengthscale = true};
  for (Index j = 0; j < inputs; ++j) {
    lengthscale.parameters.push_back(kFirstLengthscale + j);
    if (inputs > kMostLengthscales && j < inputs - 1) continue;
    free_.push_back(lengthscale);
    lengthscale.parameters.clear();
  }
}

Index HyperPrior::averaged() const {
  return std::count_if(free_.begin(), free_.end(), [](const Free& free) {
    return !free.parameters.empty();
  });
}

Hyperparameters HyperPrior::At(const Vector& z) const {
  const std::vector<KernelParameter> parameters = kernel_.Parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (size_t p = 0; p < parameters.size(); ++p) {
    values(static_cast<Index>(p)) = parameters[p].value;
  }
  double noise_variance = noise_variance_;
  for (size_t j = 0; j < free_.size(); ++j) {
    const double factor = std::exp(free_[j].spread * z(static_cast<Index>(j)));
    for (const Index parameter : free_[j].parameters) {
      values(parameter) *= factor;
    }
    if (free_[j].parameters.empty()) noise_variance *= factor;
  }
  return {kernel_.WithParameters(values), noise_variance};
}

Vector HyperPrior::Gradient(const Vector& z,
                            const HyperparameterGradient& g) const {
  const Hyperparameters theta = At(z);
  const std::vector<KernelParameter> parameters = theta.kernel.Parameters();
  Vector gradient(size());
  for (Index j = 0; j < size(); ++j) {
    const Free& free = free_[static_cast<size_t>(j)];
    double change =
        free.parameters.empty() ? theta.noise_variance * g.noise_variance : 0;
    for (const Index p : free.parameters) {
      change += parameters[static_cast<size_t>(p)].value * g.kernel(p);
    }
    gradient(j) = free.spread * change;
  }
  return gradient;
}

std::vector<WeightedHyperparameters> HyperPrior::Nodes() const {
  const Vector median = Vector::Zero(size());
  Vector direction = Vector::Zero(size());
  for (size_t j = 0; j < free_.size(); ++j) {
    if (free_[j].lengthscale) direction(static_cast<Index>(j)) = 1;
  }
  if (direction.isZero()) return {{1.0, At(median)}};
  const double step = std::numbers::sqrt3;
  return {{2.0 / 3, At(median)},
          {1.0 / 6, At(-step * direction)},
          {1.0 / 6, At(step * direction)}};
}

}  // namespace cloak
