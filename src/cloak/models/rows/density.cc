#include "cloak/models/rows/density.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/grid.h"
#include "cloak/models/magnitudes.h"
#include "cloak/models/release_parts.h"
#include "cloak/models/rows/density_inference.h"
#include "cloak/models/rows/histogram.h"

namespace cloak {
namespace {

// By the number of inputs: in how many cells each may be cut.
constexpr Index kFewest[] = {16, 8, 5};
constexpr Index kMost[] = {128, 24, 10};

// Fewer cells have more rows each, against the same noise; more hide less.
// In simulations of 500 and 5000 rows the Kullback-Leibler divergence hardly
// changes within a factor of two of this.
Index CellsPerInput(const Setting& setting, const Density& task) {
  const Index inputs = setting.lower().size();
  const double size =
      0.8 * std::pow(static_cast<double>(setting.rows()) * task.budget.epsilon,
                     1 / static_cast<double>(inputs + 1));
  return static_cast<Index>(std::clamp(size,
                                       static_cast<double>(kFewest[inputs - 1]),
                                       static_cast<double>(kMost[inputs - 1])));
}

CountRelease CountsOf(const Setting& setting, const Density& task) {
  ValidateDensity(setting);
  const size_t inputs = setting.input_names.size();
  const std::vector<Index> counts = task.cells.value_or(
      std::vector<Index>(inputs, CellsPerInput(setting, task)));
  RequireInput(counts.size() == inputs,
               "there must be a number of cells for each of the ", inputs,
               " inputs, but there are ", counts.size());
  std::vector<HistogramAxis> axes;
  for (size_t j = 0; j < inputs; ++j) {
    const auto place = static_cast<Index>(j);
    axes.push_back(EqualBins(setting.input_names[j], setting.lower()(place),
                             setting.upper()(place), counts[j]));
  }
  return {std::move(axes), setting.rows(), task.budget};
}

// The middles of bins, the last axis fastest, as rows.
Matrix CentresOf(const CountRelease& counts) {
  const std::vector<HistogramAxis>& axes = counts.axes();
  Matrix centres(counts.bins(), static_cast<Index>(axes.size()));
  for (Index c = 0; c < counts.bins(); ++c) {
    Index rest = c;
    for (size_t j = axes.size(); j-- > 0;) {
      const auto bin = static_cast<size_t>(rest % axes[j].bins());
      rest /= axes[j].bins();
      const double lower = axes[j].edges[bin];
      const double upper = axes[j].edges[bin + 1];
      centres(c, static_cast<Index>(j)) = lower + (upper - lower) / 2;
    }
  }
  return centres;
}

}  // namespace

void ValidateDensity(const Setting& setting) {
  constexpr Index kMostInputs = 3;
  const Index inputs = setting.lower().size();
  RequireInput(inputs >= 1 && inputs <= kMostInputs, "a density is of 1 to ",
               kMostInputs,
               " inputs, each with a name and a range, but there are ", inputs);
  setting.Validate();
}

ReleaseContent DensityContent(const Setting& setting,
                              const PlanSummary& summary) {
  ReleaseContent content = ContentOf(setting, summary);
  content.output = "density";
  return content;
}

DensityPlan::DensityPlan(const SharedSetting& setting, const Density& task)
    : Plan(setting), counts_(CountsOf(*setting, task)) {
  event_ = [this] { return counts_.event(); };
  summary_.task = TaskKind::kDensity;
  summary_.link = DensityLink::kLog;
  summary_.method = "optimal";
  summary_.design = "counts";
  summary_.privacy = counts_.Statement();
  summary_.rank = counts_.bins() + 1;
  summary_.expected_sd = counts_.noise_sd();
  ReleaseContent content = DensityContent(*setting, summary_);
  CheckReleasable(std::move(content), DensityBeforehand(*setting));
}

Release DensityPlan::Run(const PrivateRows& rows, Randomness& randomness,
                         const ReleaseObserver& /*observer*/) const {
  setting().progress("releasing", 0);
  CountRelease::Published published =
      counts_.Release(rows.inputs(), randomness);
  setting().progress("inferring", 0.2);
  ReleaseContent content = DensityContent(setting(), summary_);
  content.statistic = std::move(published.counts);
  content.earlier_statistics = {std::move(published.missing)};
  content.basis_points = DensityBasis(setting().lower(), setting().upper());
  content.posteriors =
      InferDensity(setting(), CentresOf(counts_), published.bins);
  return Release(std::move(content));
}

}  // namespace cloak
