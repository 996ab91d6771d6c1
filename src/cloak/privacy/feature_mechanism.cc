#include "cloak/privacy/feature_mechanism.h"

#include <algorithm>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/clipped_rows.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/scratch.h"
#include "cloak/privacy/unit_sensitivity.h"

namespace cloak {
namespace {

// Entries are at most 2^30 and there are at most 2^20 of them: the square of a
// difference is at most 2^62, and the sum below 2^82.
Uint128 SquaredDistance(const IntegerMatrix& P, Index a, Index b) {
  Uint128 sum = 0;
  for (Index k = 0; k < P.rows(); ++k) {
    const auto difference = int64_t{P(k, a)} - int64_t{P(k, b)};
    sum += static_cast<uint64_t>(difference * difference);
  }
  return sum;
}

Uint128 LargestSquaredDistance(const IntegerMatrix& P) {
  Uint128 largest = 0;
  for (Index a = 0; a < P.cols(); ++a) {
    largest = std::max(largest, Uint128(ColumnProduct(P, a, a)));
    for (Index b = 0; b < a; ++b) {
      largest = std::max(largest, SquaredDistance(P, a, b));
    }
  }
  RequirePrivacy(largest > 0,
                 "all features are zero: no noise would be added; nothing was "
                 "released");
  return largest;
}

const Grid& ValidFeatureCells(const Grid& cells, const Matrix& features,
                              Index rows) {
  RequireInput(cells.size() <= FeatureMechanism::kMostCells,
               "there must be at most ", FeatureMechanism::kMostCells,
               " cells, but there are ", cells.size());
  RequireInput(
      features.cols() == cells.size() && features.rows() <= Index{1} << 20,
      "each of the ", cells.size(), " cells must have features, but ",
      features.cols(), " have");
  RequireRowCount(rows);
  return cells;
}

}  // namespace

FeatureMechanism::FeatureMechanism(const Grid& cells, const Matrix& features,
                                   Index rows, double sigma)
    : cells_(ValidFeatureCells(cells, features, rows)),
      rows_(rows),
      weights_(QuantizeWeights(features, PrivacyUnits::EachRow(cells.size()))),
      features_(weights_.Exact()),
      noise_(LargestSquaredDistance(weights_.P), sigma,
             ValidStep(weights_.step(), "the features are", "rescale them")) {}

NoisyFeatures FeatureMechanism::Release(
    const std::vector<Secret<Vector>>& inputs, Randomness& random) const {
  const MechanismKey key;
  const std::vector<const Vector*> columns =
      OpenInputs(inputs, cells_.inputs(), rows_, key);
  const IntegerMatrix& P = weights_.P;
  const Index rank = P.rows();
  // The noise comes first: when it fails, no row has been read.
  DrawnNoise noise = noise_.Draw(rank, random);

  Scratch<int64_t> count(cells_.size());
  for (Index i = 0; i < rows_; ++i) {
    if (!RowIsMissing(columns, i)) count[CellOf(cells_, columns, i)] += 1;
  }
  Scratch<Int128> t(rank);
  for (Index c = 0; c < cells_.size(); ++c) {
    for (Index k = 0; k < rank; ++k) t[k] += Int128{P(k, c)} * count[c];
  }

  NoisyFeatures noisy;
  noisy.integers = std::move(noise).AddTo(t);
  noisy.sums = noise_.Value(noisy.integers);
  noisy.noise_sd = noise_.sd();
  return noisy;
}

}  // namespace cloak
