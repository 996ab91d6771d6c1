#include "cloak/kernels/gibbs_from_inputs.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/microaggregate.h"
#include "cloak/linalg/rounded_range.h"
#include "cloak/linalg/spread_points.h"

namespace cloak {
namespace {

// Kernel::Gibbs takes no more.
constexpr Index kMostSummaryNumbers = 2000;

PerInput StandardDeviations(const Matrix& X) {
  std::vector<double> deviations;
  for (const auto column : X.colwise()) {
    const double sd = SpreadOf(column);
    deviations.push_back(sd > 0 ? sd : 1);
  }
  return deviations;
}

KMeansClusters Summary(const Matrix& X, Index most) {
  if (X.rows() >= kLeastGroup)
    return Microaggregates(FindDistinctRows(X), most);
  const RoundedBox box = RoundBox(X);
  const Index count = std::min(X.rows(), most);
  return {SpreadPoints(box.lower, box.upper, count),
          Vector::Constant(count, static_cast<double>(X.rows()) /
                                      static_cast<double>(count))};
}

}  // namespace

Kernel GibbsFromInputs(const Matrix& X, double variance, double longest,
                       double count, const InputDensityOptions& options) {
  RequireInput(X.rows() > 0 && X.cols() > 0 && X.allFinite() &&
                   X.cols() <= kMostSummaryNumbers,
               "the inputs must be a finite table with at least one row "
               "and 1 to ",
               kMostSummaryNumbers, " columns, but are ", X.rows(), " x ",
               X.cols());
  RequireInput(options.most_centres >= 1,
               "there must be at least one centre, but most_centres is ",
               options.most_centres);
  const KMeansClusters summary = Summary(
      X, std::min(options.most_centres, kMostSummaryNumbers / X.cols()));
  GibbsArguments arguments;
  arguments.variance = variance;
  arguments.longest = longest;
  arguments.count = count;
  arguments.bandwidth = options.bandwidth.value_or(std::pow(
      static_cast<double>(X.rows()), -1 / (static_cast<double>(X.cols()) + 4)));
  arguments.neighbourhood = options.neighbourhood.value_or(arguments.bandwidth);
  arguments.scale = options.scale.value_or(StandardDeviations(X));
  const Matrix by_centre = summary.centres.transpose();
  arguments.centres.assign(by_centre.data(),
                           by_centre.data() + by_centre.size());
  arguments.weights =
      std::vector<double>(summary.weights.begin(), summary.weights.end());
  return Kernel::Gibbs(arguments);
}

}  // namespace cloak
