#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/release.h"

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

}  // namespace cloak
