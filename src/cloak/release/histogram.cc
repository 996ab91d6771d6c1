#include <algorithm>
#include <cmath>
#include <set>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/kind.h"
#include "cloak/release/validate.h"

namespace cloak {

Index HistogramAxis::bins() const {
  return categories.empty() ? static_cast<Index>(edges.size()) - 1
                            : static_cast<Index>(categories.size());
}

Index HistogramAxis::BinOf(double value) const {
  if (std::isnan(value)) return 0;
  if (!categories.empty()) {
    return static_cast<Index>(
        std::clamp(value, 0.0, static_cast<double>(bins() - 1)));
  }
  const auto above = std::upper_bound(edges.begin(), edges.end(), value);
  return std::clamp<Index>(above - edges.begin() - 1, 0, bins() - 1);
}

Index Histogram::BinOf(const Vector& query) const {
  Index bin = 0;
  for (size_t j = 0; j < axes.size(); ++j) {
    bin = bin * axes[j].bins() + axes[j].BinOf(query(static_cast<Index>(j)));
  }
  return bin;
}

CountPredictions Release::PredictCounts(const Matrix& queries) const {
  RequireInput(content_.histogram.has_value(), "a release of the task '",
               NameOf(content_.task), "' has no counts to tell");
  const Histogram& histogram = *content_.histogram;
  RequireInput(queries.cols() == static_cast<Index>(histogram.axes.size()) &&
                   queries.allFinite(),
               "a query needs ", histogram.axes.size(), " inputs, all finite");
  const Index n = queries.rows();
  CountPredictions predictions{Vector(n), Vector(n), Vector(n), Vector(n),
                               Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const Index bin = histogram.BinOf(queries.row(i));
    predictions.count(i) = histogram.count(bin);
    predictions.sd(i) = histogram.sd(bin);
    predictions.lower(i) = histogram.lower(bin);
    predictions.upper(i) = histogram.upper(bin);
  }
  predictions.fraction = predictions.count / histogram.count.sum();
  return predictions;
}

namespace {

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
void ValidateHistogram(const ReleaseContent& content) {
  const Histogram& histogram = *content.histogram;
  RequireInput(histogram.axes.size() == content.inputs.size() &&
                   histogram.axes.size() <= kMostSpreadInputs,
               "a histogram must have an axis for each of 1 to ",
               kMostSpreadInputs, " inputs, but has ", histogram.axes.size(),
               " axes and ", content.inputs.size(), " inputs");
  for (size_t j = 0; j < histogram.axes.size(); ++j) {
    ValidateAxis(histogram.axes[j], content.inputs[j]);
  }
  ValidateCounts(histogram, static_cast<double>(content.privacy.rows));
  RequireInput(content.posteriors.empty() && content.basis_points.size() == 0 &&
                   !content.projection,
               "a histogram has no posterior, basis points or projection");
}
std::vector<AnswerColumn> CountColumns(const Release& release, const Matrix& X,
                                       const PredictOptions& options,
                                       const Threads& /*threads*/) {
  RequireInput(options.interval == PredictOptions().interval,
               "the intervals of a histogram are 95 % intervals; ask for no "
               "other interval");
  const CountPredictions predictions = release.PredictCounts(X);
  return {{"count", predictions.count},
          {"sd", predictions.sd},
          {"lower", predictions.lower},
          {"upper", predictions.upper},
          {"fraction", predictions.fraction}};
}

std::string CountWords(const ReleaseContent& /*content*/) {
  return "the number of rows in each bin";
}

std::string AxisWords(const ReleaseContent& content, size_t input) {
  const HistogramAxis& axis = content.histogram->axes[input];
  if (!axis.categories.empty()) {
    return Text(axis.name, ", private, one of ", Join(axis.categories, ", "));
  }
  return Text(axis.name, ", private, in ", axis.bins(), " bins from ",
              FigureText(axis.edges.front()), " to ",
              FigureText(axis.edges.back()));
}

}  // namespace

constexpr ReleaseKind kHistogramKind = {
    .name = "histogram",
    .has_output = false,
    .plots = {"histogram", "histogram"},
    .public_words = "ranges, bins and categories",
    .validate = ValidateHistogram,
    .columns = CountColumns,
    .output_words = CountWords,
    .input_words = AxisWords,
};

}  // namespace cloak
