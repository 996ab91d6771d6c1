#include "cloak/models/rows/count_release.h"

#include <utility>

#include "cloak/models/nuisance_parameters.h"
#include "cloak/models/released_numbers.h"

namespace cloak {
namespace {

std::vector<BinnedColumn> CutBy(const std::vector<HistogramAxis>& axes) {
  std::vector<BinnedColumn> columns;
  columns.reserve(axes.size());
  for (const HistogramAxis& axis : axes) {
    columns.push_back(
        {axis.bins(), [axis](double x) { return axis.BinOf(x); }});
  }
  return columns;
}

}  // namespace

CountRelease::CountRelease(std::vector<HistogramAxis> axes, Index rows,
                           const CountBudget& budget)
    : axes_(std::move(axes)),
      budget_(budget),
      mechanism_(CutBy(axes_), rows, budget) {}

PrivacyStatement CountRelease::Statement() const {
  PrivacyStatement privacy;
  privacy.protect = Protection::kRows;
  privacy.epsilon = budget_.epsilon;
  privacy.delta = mechanism_.pure() ? 0 : budget_.delta;
  privacy.rows = mechanism_.rows();
  // A row adds 0 or 1 to a count.
  privacy.lower = 0;
  privacy.upper = 1;
  privacy.mechanism = mechanism_.pure()
                          ? "exact discrete Laplace noise on counts"
                          : "exact Gaussian release of counts, analytic "
                            "calibration";
  privacy.sensitivity = mechanism_.sensitivity();
  privacy.noise_sd = mechanism_.noise_sd();
  return privacy;
}

CountRelease::Published CountRelease::Release(
    const std::vector<Secret<Vector>>& inputs, Randomness& random) const {
  const NoisyBinCounts noisy = mechanism_.Release(inputs, random);
  const auto rows = static_cast<double>(mechanism_.rows());
  const double unit = mechanism_.step();
  const double missing = static_cast<double>(noisy.missing) * unit;
  const double price = mechanism_.price();
  Published published;
  published.bins.counts.resize(bins());
  published.bins.noise_variance = noise_sd() * noise_sd();
  published.bins.rows =
      rows * PresentShare({{1 - missing / rows, noise_sd() / rows}});
  published.counts = {
      DecimalTexts(noisy.counts), unit,
      StatisticCost{
          "numbers of rows in bins",
          mechanism_.pure() ? NoiseKind::kLaplace : NoiseKind::kGaussian,
          mechanism_.sensitivity(), mechanism_.sensitivity() / price, price}};
  for (Index c = 0; c < bins(); ++c) {
    const Int128 count = noisy.counts[static_cast<size_t>(c)];
    published.bins.counts(c) = static_cast<double>(count) * unit;
  }
  published.missing = PublishedWith(published.counts, {noisy.missing}, unit,
                                    "rows with a missing cell");
  return published;
}

}  // namespace cloak
