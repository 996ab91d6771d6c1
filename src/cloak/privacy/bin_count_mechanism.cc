#include "cloak/privacy/bin_count_mechanism.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/clipped_rows.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

constexpr uint64_t kL1 = 2;
constexpr uint64_t kSquaredL2 = 2;

CountMechanism BestNoise(const CountBudget& budget) {
  RequireInput(budget.delta >= 0 && budget.delta < 1,
               "delta must be at least 0 and below 1, but is ", budget.delta);
  const CountMechanism laplace = CountMechanism::Laplace(kL1, budget.epsilon);
  if (budget.delta == 0) return laplace;
  const CountMechanism gaussian = CountMechanism::Gaussian(
      kSquaredL2, GaussianSigma(Budget(budget.epsilon, budget.delta)));
  return budget.gaussian || gaussian.noise_sd() < laplace.noise_sd() ? gaussian
                                                                     : laplace;
}

}  // namespace

BinCountMechanism::BinCountMechanism(std::vector<BinnedColumn> columns,
                                     Index rows, const CountBudget& budget)
    : columns_(std::move(columns)), rows_(rows), noise_(BestNoise(budget)) {
  RequireRowCount(rows);
  RequireInput(!columns_.empty(), "counts need an input to count by");
  for (const BinnedColumn& column : columns_) {
    RequireInput(column.bins >= 1 && column.bins <= kMostBins &&
                     bins_ * column.bins <= kMostBins,
                 "there must be 1 to ", kMostBins,
                 " bins in all, but there are ",
                 static_cast<double>(bins_) * static_cast<double>(column.bins),
                 "; take fewer");
    bins_ *= column.bins;
  }
}

bool BinCountMechanism::pure() const { return std::isfinite(noise_.epsilon()); }

double BinCountMechanism::sensitivity() const {
  return pure() ? static_cast<double>(kL1)
                : std::nextafter(std::sqrt(static_cast<double>(kSquaredL2)), 2);
}

PrivacyEvent BinCountMechanism::event() const {
  if (pure()) return PureEvent(noise_.epsilon());
  return GaussianEvent(noise_.mu());
}

Index BinCountMechanism::BinOf(const std::vector<const Vector*>& cells,
                               Index i) const {
  if (RowIsMissing(cells, i)) return bins_;
  Index bin = 0;
  for (size_t j = 0; j < columns_.size(); ++j) {
    const BinnedColumn& column = columns_[j];
    bin = bin * column.bins +
          std::clamp<Index>(column.bin_of((*cells[j])(i)), 0, column.bins - 1);
  }
  return bin;
}

NoisyBinCounts BinCountMechanism::Release(
    const std::vector<Secret<Vector>>& inputs, Randomness& random) const {
  const MechanismKey key;
  const std::vector<const Vector*> cells =
      OpenInputs(inputs, static_cast<Index>(columns_.size()), rows_, key);
  NoisyBinCounts noisy;
  noisy.counts = noise_.ReleaseTally(
      static_cast<size_t>(bins_) + 1,
      [&](Scratch<int64_t>& counts) {
        for (Index i = 0; i < rows_; ++i) counts[BinOf(cells, i)] += 1;
      },
      random);
  noisy.missing = noisy.counts.back();
  noisy.counts.pop_back();
  return noisy;
}

}  // namespace cloak
