#include "cloak/models/rows/validation_score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace cloak {
namespace {

double ClipNumber(double value, double lower, double upper) {
  return std::isnan(value) ? lower + (upper - lower) / 2
                           : std::clamp(value, lower, upper);
}

// The log density of each output, for columns of inputs and, last, outputs. No
// error: every number is within its range. A row of which a cell is missing
// favours no candidate: its output counts as spread evenly over the bounds.
Matrix LogDensities(const std::vector<Vector>& columns, const Release& release,
                    const Setting& setting) {
  const auto inputs = static_cast<Index>(columns.size()) - 1;
  const Vector& outputs = columns.back();
  Matrix X(outputs.size(), inputs);
  for (Index j = 0; j < inputs; ++j) {
    X.col(j) = columns[static_cast<size_t>(j)].unaryExpr([&](double x) {
      return ClipNumber(x, setting.lower()(j), setting.upper()(j));
    });
  }
  const Predictions predictions = release.Predict(X, {}, setting.threads);
  Matrix densities(outputs.size(), 1);
  for (Index i = 0; i < outputs.size(); ++i) {
    const bool missing =
        std::any_of(columns.begin(), columns.end(),
                    [i](const Vector& cells) { return std::isnan(cells(i)); });
    if (missing) {
      densities(i, 0) = -std::log(setting.bounds().width());
      continue;
    }
    const double y = ClipNumber(outputs(i), setting.bounds().lower(),
                                setting.bounds().upper());
    const double z = (y - predictions.mean(i)) / predictions.sd(i);
    densities(i, 0) = -0.5 * std::log(2 * std::numbers::pi) -
                      std::log(predictions.sd(i)) - z * z / 2;
  }
  return densities;
}

double NoiseVariance(const Release& release, double scale) {
  double variance = 0;
  for (const Posterior& posterior : release.content().posteriors) {
    variance += posterior.weight * posterior.noise_variance;
  }
  // So that the interval below always exists: an error would tell of a release
  // that may never be shown.
  return std::isfinite(variance) ? std::max(variance, 1e-9 * scale * scale)
                                 : scale * scale;
}

}  // namespace

double ValidationScore(const Release& release, const PrivateRows& rows,
                       const Setting& setting, const Budget& budget,
                       const CoinpressOptions& options, Randomness& random) {
  const double offset = release.content().offset;
  const double farthest = std::max(std::abs(setting.bounds().upper() - offset),
                                   std::abs(offset - setting.bounds().lower()));
  const double variance = NoiseVariance(release, farthest);
  const double radius = std::max(farthest * farthest / variance, 1e-9);
  const double largest =
      -0.5 * std::log(2 * std::numbers::pi) - std::log(variance) / 2;
  const double centre = largest - radius;
  const CoinpressMean mechanism(setting.rows(), Vector::Constant(1, centre),
                                radius, budget, options);
  std::vector<Secret<Vector>> columns = rows.inputs();
  columns.push_back(rows.outputs());
  const Secret<Matrix> densities = Secret<Vector>::Together(columns).Map(
      [](const std::vector<Vector>& cells, const Release& model,
         const Setting& ranges) { return LogDensities(cells, model, ranges); },
      release, setting);
  const double mean = mechanism.Release(densities, random).mean(0);
  return std::abs(mean - centre) <= radius
             ? mean
             : -std::numeric_limits<double>::infinity();
}

}  // namespace cloak
