#include "cloak/models/rows/rows_design.h"

#include "cloak/base/error.h"
#include "cloak/base/progress.h"
#include "cloak/linalg/products.h"

namespace cloak {
namespace {

// The share of rows that a design reckons with anywhere, whatever is believed.
constexpr double kAnywhere = 0.1;

constexpr Index kMostRank = 60;

}  // namespace

Vector HalfWidths(const std::vector<OutputBounds>& bounds) {
  Vector half(static_cast<Index>(bounds.size()));
  for (Index c = 0; c < half.size(); ++c) {
    half(c) = bounds[static_cast<size_t>(c)].width() / 2;
  }
  return half;
}

DesignPrior DesignForRows(const RowBelief& belief, double weight,
                          const CellTree& cells, const Vector& half_width,
                          const Threads& threads) {
  const double rows = belief.expected_rows.sum();
  const Vector n = (1 - kAnywhere) * belief.expected_rows +
                   kAnywhere * rows * cells.Shares();
  const Vector scale = n.cwiseQuotient(half_width);
  DesignPrior prior;
  prior.weight = weight;
  prior.Phi = belief.features * scale.asDiagonal();
  prior.D = scale.cwiseAbs2().cwiseProduct(belief.residual) +
            belief.noise_variance * scale.cwiseQuotient(half_width);
  const Matrix weighted = belief.features * (n / rows).asDiagonal();
  prior.Q = ProductTransposed(weighted, belief.features, threads);
  return prior;
}

Matrix FeaturesFor(const std::vector<DesignPrior>& priors, double sigma,
                   const Threads& threads) {
  const NoiseDesign design = BayesDesign(
      priors, kRowSensitivity * sigma, threads, NoProgress,
      {.tolerance = 0.05, .max_rank = kMostRank, .largest_gap = HUGE_VAL});
  if (!design.R.allFinite()) throw Error("no statistic could be designed");
  return design.R;
}

}  // namespace cloak
