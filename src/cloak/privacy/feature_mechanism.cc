#include "cloak/privacy/feature_mechanism.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/clipped_rows.h"
#include "cloak/privacy/integer_gaussian.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/scratch.h"
#include "cloak/privacy/unit_sensitivity.h"

namespace cloak {
namespace {

constexpr Index kMostFeatureRows = Index{1} << 40;

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

void CheckFeatureSizes(const Cells& cells, const Matrix& features, Index rows) {
  RequireInput(cells.size() <= FeatureMechanism::kMostCells,
               "there must be at most ", FeatureMechanism::kMostCells,
               " cells, but there are ", cells.size());
  RequireInput(
      features.cols() == cells.size() && features.rows() <= Index{1} << 20,
      "each of the ", cells.size(), " cells must have features, but ",
      features.cols(), " have");
  RequireInput(rows >= 1 && rows <= kMostFeatureRows,
               "there must be from 1 to 2^40 rows, but there are ", rows);
}

}  // namespace

FeatureMechanism::FeatureMechanism(const Cells& cells, const Matrix& features,
                                   Index rows, double sigma)
    : cells_(cells), rows_(rows) {
  CheckFeatureSizes(cells, features, rows);
  weights_ = QuantizeWeights(features, PrivacyUnits::EachRow(cells.size()));
  features_ = weights_.Exact();
  sensitivity_squared_ = LargestSquaredDistance(weights_.P);
  sigma_units_ = GaussianScale(sigma, sensitivity_squared_);
  mu_ = GaussianMu(sensitivity_squared_, sigma_units_);
  step_ = std::ldexp(1.0, weights_.exponent - IntegerWeights::kWeightBits);
  RequireInput(step_ >= std::numeric_limits<double>::min() && step_ <= 0x1p896,
               "the features are too ", step_ < 1 ? "small" : "large",
               " for double precision; rescale them");
  noise_sd_ = static_cast<double>(sigma_units_) * step_;
  sensitivity_ = SensitivityUp(sensitivity_squared_, step_);
}

NoisyFeatures FeatureMechanism::Release(
    const std::vector<Secret<Vector>>& inputs, Randomness& random) const {
  const MechanismKey key;
  RequireInput(static_cast<Index>(inputs.size()) == cells_.inputs(),
               "the cells are of ", cells_.inputs(), " inputs, but there are ",
               inputs.size());
  std::vector<const Vector*> columns;
  for (const Secret<Vector>& input : inputs) {
    columns.push_back(&input.Open(key));
    RequireInput(columns.back()->size() == rows_, "there must be ", rows_,
                 " rows, but an input has ", columns.back()->size());
  }
  const IntegerMatrix& P = weights_.P;
  const Index rank = P.rows();
  // The noise comes first: when it fails, no row has been read.
  NoisyFeatures noisy;
  noisy.integers = GaussianNoise(sigma_units_, rank, random);

  Scratch<int64_t> count(cells_.size());
  for (Index i = 0; i < rows_; ++i) {
    if (!RowIsMissing(columns, i)) count[CellOf(cells_, columns, i)] += 1;
  }
  Scratch<Int128> t(rank);
  for (Index c = 0; c < cells_.size(); ++c) {
    for (Index k = 0; k < rank; ++k) t[k] += Int128{P(k, c)} * count[c];
  }

  noisy.sums.resize(rank);
  for (Index k = 0; k < rank; ++k) {
    Int128& units = noisy.integers[static_cast<size_t>(k)];
    units = CheckedAdd(units, t[k]);
    noisy.sums(k) = static_cast<double>(units) * step_;
  }
  noisy.noise_sd = noise_sd_;
  return noisy;
}

}  // namespace cloak
