#include "cloak/selection/hyper_prior.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr double kVarianceSpread = 1.0;
constexpr double kLengthscaleSpread = 0.8;
constexpr double kNoiseSpread = 1.2;

Kernel DefaultKernel(const Matrix& X, double d) {
  const auto inputs = static_cast<double>(X.cols());
  std::vector<double> lengthscales;
  for (Index j = 0; j < X.cols(); ++j) {
    // Scaled first: an input may be as large as a double can be.
    const double size = X.col(j).cwiseAbs().maxCoeff();
    const Eigen::ArrayXd x = X.col(j).array() / (size > 0 ? size : 1);
    const double sd = size * std::sqrt((x - x.mean()).square().mean());
    const bool constant = !(sd > 1e-12 * size);
    lengthscales.push_back((constant ? 1 : sd) * std::sqrt(inputs));
  }
  return Kernel::Bias(d * d / 12) + Kernel::Eq(d * d / 25, lengthscales);
}

}  // namespace

HyperPrior::HyperPrior(const Matrix& X, double output_width,
                       const std::optional<Kernel>& kernel,
                       const std::optional<double>& noise_variance)
    : kernel_(kernel ? *kernel : DefaultKernel(X, output_width)),
      noise_variance_(noise_variance ? *noise_variance
                                     : std::pow(output_width / 12, 2)) {
  RequireInput(std::isfinite(noise_variance_) && noise_variance_ > 0,
               Text("the noise variance must be finite and positive, but is ",
                    noise_variance_));
  kernel_.CheckInputs(X.cols());
  if (!kernel) {
    // bias, variance, lengthscales: all but the first are free.
    const std::vector<KernelParameter> parameters = kernel_.Parameters();
    for (size_t p = 1; p < parameters.size(); ++p) {
      const bool lengthscale = p > 1;
      free_.push_back({static_cast<Index>(p), parameters[p].value,
                       lengthscale ? kLengthscaleSpread : kVarianceSpread,
                       lengthscale});
    }
  }
  if (!noise_variance) {
    free_.push_back({-1, noise_variance_, kNoiseSpread, false});
  }
}

Index HyperPrior::averaged() const {
  return std::count_if(free_.begin(), free_.end(),
                       [](const Free& free) { return free.parameter >= 0; });
}

Hyperparameters HyperPrior::At(const Vector& z) const {
  const std::vector<KernelParameter> parameters = kernel_.Parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (size_t p = 0; p < parameters.size(); ++p) {
    values(static_cast<Index>(p)) = parameters[p].value;
  }
  double noise_variance = noise_variance_;
  for (size_t j = 0; j < free_.size(); ++j) {
    const double value =
        free_[j].median * std::exp(free_[j].spread * z(static_cast<Index>(j)));
    if (free_[j].parameter < 0) {
      noise_variance = value;
    } else {
      values(free_[j].parameter) = value;
    }
  }
  return {kernel_.WithParameters(values), noise_variance};
}

Vector HyperPrior::Gradient(const Vector& z,
                            const HyperparameterGradient& g) const {
  Vector gradient(size());
  for (Index j = 0; j < size(); ++j) {
    const Free& free = free_[static_cast<size_t>(j)];
    const double value = free.median * std::exp(free.spread * z(j));
    gradient(j) =
        free.spread * value *
        (free.parameter < 0 ? g.noise_variance : g.kernel(free.parameter));
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
  const double step = std::sqrt(3.0);
  return {{2.0 / 3, At(median)},
          {1.0 / 6, At(-step * direction)},
          {1.0 / 6, At(step * direction)}};
}

}  // namespace cloak
