#include "cloak/models/count_release.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/released_numbers.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/budget.h"

namespace cloak {
namespace {

constexpr uint64_t kL1 = 2;
constexpr uint64_t kSquaredL2 = 2;
constexpr Index kMostRows = Index{1} << 40;

CountMechanism BestFor(const CountBudget& budget) {
  RequireInput(
      budget.delta >= 0 && budget.delta < 1,
      Text("delta must be at least 0 and below 1, but is ", budget.delta));
  const CountMechanism laplace = CountMechanism::Laplace(kL1, budget.epsilon);
  if (budget.delta == 0) return laplace;
  const CountMechanism gaussian = CountMechanism::RoundedGaussian(
      kSquaredL2, GaussianSigma(Budget(budget.epsilon, budget.delta)));
  return budget.gaussian || gaussian.noise_sd() < laplace.noise_sd() ? gaussian
                                                                     : laplace;
}

Secret<std::vector<int64_t>> Tally(const std::vector<HistogramAxis>& axes,
                                   Index bins, Index rows,
                                   const std::vector<Secret<Vector>>& inputs) {
  return Secret<Vector>::Together(inputs).Map(
      [](const std::vector<Vector>& columns,
         const std::vector<HistogramAxis>& cut, Index size, Index length) {
        for (const Vector& column : columns) {
          RequireInput(column.size() == length,
                       Text("there must be ", length,
                            " rows, but an input has ", column.size()));
        }
        std::vector<int64_t> counts(static_cast<size_t>(size));
        for (Index i = 0; i < length; ++i) {
          Index bin = 0;
          for (size_t j = 0; j < cut.size(); ++j) {
            bin = bin * cut[j].bins() + cut[j].BinOf(columns[j](i));
          }
          ++counts[static_cast<size_t>(bin)];
        }
        return counts;
      },
      axes, bins, rows);
}

}  // namespace

CountRelease::CountRelease(std::vector<HistogramAxis> axes, Index rows,
                           const CountBudget& budget)
    : axes_(std::move(axes)),
      rows_(rows),
      budget_(budget),
      mechanism_(BestFor(budget)) {
  RequireInput(rows >= 1 && rows <= kMostRows,
               Text("there must be from 1 to 2^40 rows, but there are ", rows));
  RequireInput(!axes_.empty(), "counts need an input to count by");
  for (const HistogramAxis& axis : axes_) {
    RequireInput(
        axis.bins() >= 1 && axis.bins() <= kMostBins &&
            bins_ * axis.bins() <= kMostBins,
        Text("there must be 1 to ", kMostBins, " bins in all, but there are ",
             static_cast<double>(bins_) * static_cast<double>(axis.bins()),
             "; take fewer"));
    bins_ *= axis.bins();
  }
}

PrivacyEvent CountRelease::event() const {
  if (std::isfinite(mechanism_.epsilon())) {
    return PureEvent(mechanism_.epsilon());
  }
  return GaussianEvent(mechanism_.mu());
}

PrivacyStatement CountRelease::Statement() const {
  const bool pure = std::isfinite(mechanism_.epsilon());
  PrivacyStatement privacy;
  privacy.protect = "rows";
  privacy.epsilon = budget_.epsilon;
  privacy.delta = pure ? 0 : budget_.delta;
  privacy.rows = rows_;
  // What a row adds to a count.
  privacy.lower = 0;
  privacy.upper = 1;
  privacy.mechanism = pure ? "exact discrete Laplace noise on counts"
                           : "exact Gaussian release of counts, analytic "
                             "calibration";
  privacy.sensitivity =
      pure ? static_cast<double>(kL1)
           : std::nextafter(std::sqrt(static_cast<double>(kSquaredL2)), 2);
  privacy.noise_sd = mechanism_.noise_sd();
  return privacy;
}

CountRelease::Published CountRelease::Release(
    const std::vector<Secret<Vector>>& inputs, Randomness& random) const {
  RequireInput(inputs.size() == axes_.size(),
               Text("the counts are by ", axes_.size(),
                    " inputs, but there are ", inputs.size()));
  const std::vector<Int128> noisy =
      mechanism_.Release(Tally(axes_, bins_, rows_, inputs), random);
  const bool pure = std::isfinite(mechanism_.epsilon());
  const PrivacyStatement stated = Statement();
  const double price = pure ? mechanism_.epsilon() : mechanism_.mu();
  Published published;
  published.bins.counts.resize(bins_);
  published.bins.noise_variance = mechanism_.noise_sd() * mechanism_.noise_sd();
  published.bins.rows = static_cast<double>(rows_);
  published.statistic = {
      DecimalTexts(noisy), mechanism_.unit(),
      StatisticCost{"numbers of rows in bins", pure ? "laplace" : "gaussian",
                    stated.sensitivity, stated.sensitivity / price, price}};
  for (Index c = 0; c < bins_; ++c) {
    const Int128 count = noisy[static_cast<size_t>(c)];
    published.bins.counts(c) = static_cast<double>(count) * mechanism_.unit();
  }
  return published;
}

}  // namespace cloak
