#include "cloak/models/release_parts.h"

#include <algorithm>
#include <utility>

#include "cloak/linalg/rounded_range.h"
#include "cloak/models/posterior_directions.h"

namespace cloak {
namespace {

std::vector<InputColumn> DescribePublic(const std::vector<std::string>& names,
                                        const Matrix& X) {
  std::vector<InputColumn> columns;
  for (Index j = 0; j < X.cols(); ++j) {
    std::vector<double> x(X.col(j).begin(), X.col(j).end());
    const auto middle = x.begin() + static_cast<Index>(x.size() / 2);
    std::nth_element(x.begin(), middle, x.end());
    const RoundedRange range = RoundRange(X.col(j));
    columns.push_back({names[static_cast<size_t>(j)], range.lower, range.upper,
                       range.Rounded(*middle)});
  }
  return columns;
}

std::vector<InputColumn> DescribePrivate(const std::vector<std::string>& names,
                                         const PrivateInputs& inputs) {
  std::vector<InputColumn> columns;
  for (Index j = 0; j < inputs.lower.size(); ++j) {
    const double lower = inputs.lower(j);
    const double upper = inputs.upper(j);
    columns.push_back({names[static_cast<size_t>(j)], lower, upper,
                       lower + (upper - lower) / 2});
  }
  return columns;
}

}  // namespace

void CheckReleasable(ReleaseContent content) {
  content.statistic.step = 1;
  const Release release(std::move(content));
}

void CheckReleasable(ReleaseContent content, const Basis& basis) {
  const Index size = basis.size();
  Posterior posterior;
  posterior.kernel = basis.kernel();
  posterior.jitter = basis.jitter();
  posterior.mean = Vector::Zero(size);
  SetFactors(Matrix::Identity(size, size), Matrix(0, size), posterior);
  content.basis_points = basis.points();
  content.posteriors = {std::move(posterior)};
  CheckReleasable(std::move(content));
}

Posterior AsPosterior(const Basis& basis, double noise_variance,
                      LinearPosterior inferred, double weight) {
  Posterior posterior;
  posterior.weight = weight;
  posterior.kernel = basis.kernel();
  posterior.noise_variance = noise_variance;
  posterior.jitter = basis.jitter();
  posterior.mean = std::move(inferred.mean);
  SetDirections(basis, inferred, posterior);
  return posterior;
}

std::vector<InputColumn> DescribeInputs(const Setting& setting) {
  if (setting.ProtectsRows()) {
    return DescribePrivate(setting.input_names, setting.hidden());
  }
  if (setting.open().projected) return setting.open().projected->inputs;
  return DescribePublic(setting.input_names, setting.X());
}

}  // namespace cloak
