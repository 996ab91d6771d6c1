#include <cmath>
#include <set>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/validate.h"

namespace cloak {
namespace {

constexpr size_t kMostInputs = 3;
constexpr size_t kMostBins = 25000;
constexpr size_t kLongestName = 200;

void ValidateEdges(const HistogramAxis& axis) {
  RequireInput(axis.edges.size() >= 2 && axis.edges.size() <= kMostBins + 1,
               "the axis '", axis.name, "' must have 1 to ", kMostBins,
               " bins");
  for (size_t i = 0; i < axis.edges.size(); ++i) {
    RequireInput(std::isfinite(axis.edges[i]) &&
                     (i == 0 || axis.edges[i - 1] < axis.edges[i]),
                 "the edges of the axis '", axis.name,
                 "' must be finite and increase");
  }
}

void ValidateCategories(const HistogramAxis& axis) {
  RequireInput(axis.categories.size() >= 2, "the axis '", axis.name,
               "' must have 2 or more categories");
  std::set<std::string> seen;
  for (const std::string& name : axis.categories) {
    RequireText(name, "a category");
    RequireInput(!name.empty() && name.size() <= kLongestName,
                 "a category of '", axis.name, "' must have 1 to ",
                 kLongestName, " bytes, but has ", name.size());
    RequireInput(seen.insert(name).second, "the axis '", axis.name,
                 "' has the category '", name, "' twice");
  }
  RequireInput(axis.edges.empty(), "the axis '", axis.name,
               "' must have edges or categories, but has both");
}

void ValidateAxis(const HistogramAxis& axis, const InputColumn& input) {
  RequireInput(axis.name == input.name, "the axis '", axis.name,
               "' of the histogram must be the "
               "input '",
               input.name, "'");
  if (axis.categories.empty()) {
    ValidateEdges(axis);
  } else {
    ValidateCategories(axis);
  }
  const double lower = axis.categories.empty() ? axis.edges.front() : 0;
  const double upper = axis.categories.empty()
                           ? axis.edges.back()
                           : static_cast<double>(axis.categories.size() - 1);
  RequireInput(input.lower == lower && input.upper == upper, "the range of '",
               input.name, "' must be ", lower, " to ", upper,
               ", as its bins are");
}

void ValidateCounts(const Histogram& histogram, double rows) {
  double bins = 1;
  for (const HistogramAxis& axis : histogram.axes) {
    bins *= static_cast<double>(axis.bins());
  }
  RequireInput(bins <= static_cast<double>(kMostBins),
               "a histogram must have at most ", kMostBins, " bins, but has ",
               bins);
  for (const Vector* numbers :
       {&histogram.count, &histogram.sd, &histogram.lower, &histogram.upper}) {
    RequireInput(numbers->size() == static_cast<Index>(bins), "a histogram of ",
                 bins,
                 " bins must have a count, sd, lower and upper of each, "
                 "but some have ",
                 numbers->size());
    RequireInput(numbers->allFinite() && (numbers->array() >= 0).all(),
                 "the numbers of a histogram must be finite and not negative");
  }
  RequireInput((histogram.lower.array() <= histogram.upper.array()).all(),
               "the intervals of a histogram must have lower <= upper");
  // Rows with a missing cell are in no bin.
  const double sum = histogram.count.sum();
  RequireInput(sum > 0 && sum <= (1 + 1e-6) * rows,
               "the counts must sum to at most the number of rows, ", rows,
               ", and to more than 0, but sum to ", sum);
}

}  // namespace

void ValidateHistogram(const ReleaseContent& content) {
  RequireInput(
      content.histogram.has_value() == (content.task == TaskKind::kHistogram),
      "a release has a histogram if that is its task, and only then");
  if (!content.histogram) return;
  const Histogram& histogram = *content.histogram;
  RequireInput(histogram.axes.size() == content.inputs.size() &&
                   histogram.axes.size() <= kMostInputs,
               "a histogram must have an axis for each of 1 to ", kMostInputs,
               " inputs, but has ", histogram.axes.size(), " axes and ",
               content.inputs.size(), " inputs");
  for (size_t j = 0; j < histogram.axes.size(); ++j) {
    ValidateAxis(histogram.axes[j], content.inputs[j]);
  }
  ValidateCounts(histogram, static_cast<double>(content.privacy.rows));
  RequireInput(content.posteriors.empty() && content.basis_points.size() == 0 &&
                   !content.projection,
               "a histogram has no posterior, basis points or projection");
}

void ValidateLink(const ReleaseContent& content) {
  if (content.task != TaskKind::kDensity) {
    RequireInput(!content.link,
                 "a link belongs to the task 'density', not to '",
                 NameOf(content.task), "'");
    return;
  }
  RequireInput(content.link.has_value(),
               "the link of a density must be 'log' or 'identity', but is "
               "missing");
  RequireInput(content.inputs.size() <= kMostInputs && !content.projection,
               "a density must be of 1 to ", kMostInputs,
               " inputs, without a projection");
  for (const InputColumn& input : content.inputs) {
    RequireInput(input.lower < input.upper, "a density needs a range of '",
                 input.name, "'");
  }
  RequireInput(
      content.link == DensityLink::kLog || content.posteriors.size() == 1,
      "a density with the link 'identity' has one posterior");
}

}  // namespace cloak
