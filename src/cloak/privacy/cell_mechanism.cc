#include "cloak/privacy/cell_mechanism.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/clipped_rows.h"
#include "cloak/privacy/gmp_integer128.h"
#include "cloak/privacy/integer_gaussian.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/quantized_output.h"
#include "cloak/privacy/scratch.h"
#include "cloak/privacy/unit_sensitivity.h"

namespace cloak {
namespace {

constexpr auto kHalfRange = Uint128{kHalfOutput};  // Q
constexpr Index kMostCellRows = Index{1} << 40;

// What two cells contribute to the sensitivity: outputs, without and with G².
struct Pair {
  Uint128 outputs;   // 2 Q² (K² + |g|)
  Uint128 distance;  // |P_c − P_c'|²
};

// |P_c . P_c'| <= 2^62, so that 2 Q² times it is below 2^102, and a row adds
// less than 2^51 to each number.
template <typename Use>
void ForPairs(const IntegerMatrix& P, Uint128 largest, const Use& use) {
  std::vector<Int128> squares;
  for (Index a = 0; a < P.cols(); ++a) {
    squares.push_back(ColumnProduct(P, a, a));
    for (Index b = 0; b <= a; ++b) {
      const Int128 g = a == b ? squares.back() : ColumnProduct(P, a, b);
      const Uint128 size = Uint128(g < 0 ? -g : g);
      const Int128 distance = squares[static_cast<size_t>(a)] +
                              squares[static_cast<size_t>(b)] - 2 * g;
      use(Pair{CheckedMultiply(2 * kHalfRange * kHalfRange, largest + size),
               Uint128(distance)});
    }
  }
}

Uint128 LargestSquare(const IntegerMatrix& P) {
  Uint128 largest = 0;
  for (Index c = 0; c < P.cols(); ++c) {
    largest = std::max(largest, Uint128(ColumnProduct(P, c, c)));
  }
  RequirePrivacy(largest > 0,
                 "the features are zero: no noise would be added; nothing was "
                 "released");
  return largest;
}

// G: how it is chosen has no bearing on the guarantee, which is computed for
// whatever it is.
Uint128 CountFactor(const IntegerMatrix& P, Uint128 largest) {
  const Uint128 allowed = CheckedMultiply(4 * kHalfRange * kHalfRange, largest);
  const auto more = static_cast<Uint128>(static_cast<double>(allowed) *
                                         CellMechanism::kCountShare);
  Uint128 most = kHalfRange * kHalfRange;
  ForPairs(P, largest, [&](const Pair& pair) {
    if (pair.distance == 0) return;
    most = std::min(most, (allowed + more - pair.outputs) / pair.distance);
  });
  return RootDown(most);
}

Uint128 CellSquaredSensitivity(const IntegerMatrix& P, Uint128 largest,
                               Uint128 count_factor, Uint128 square_factor) {
  RequirePrivacy(2 * square_factor * square_factor <= largest,
                 "the squares weigh more than their sensitivity allows for");
  Uint128 most = 0;
  ForPairs(P, largest, [&](const Pair& pair) {
    most = std::max(
        most,
        CheckedAdd(pair.outputs, CheckedMultiply(count_factor * count_factor,
                                                 pair.distance)));
  });
  return CheckedAdd(
      most, CheckedMultiply(square_factor * square_factor, 2 * kHalfRange + 1));
}

// T.
Uint128 PresentFactor(Uint128 largest, Uint128 count_factor,
                      Uint128 square_factor, Uint128 sensitivity_squared) {
  const Uint128 Q2 = kHalfRange * kHalfRange;
  const Uint128 row =
      CheckedAdd(CheckedMultiply(Q2 + count_factor * count_factor, largest),
                 CheckedMultiply(square_factor * square_factor, Q2));
  RequirePrivacy(row < sensitivity_squared,
                 "a row that is missing would move the statistic farther than "
                 "its noise allows for");
  return RootDown(sensitivity_squared - row);
}

void CheckCellSizes(const Cells& cells, const Matrix& features,
                    const std::vector<OutputBounds>& bounds, Index rows) {
  RequireInput(cells.size() <= CellMechanism::kMostCells,
               "there must be at most ", CellMechanism::kMostCells,
               " cells, but there are ", cells.size());
  RequireInput(features.cols() == cells.size() &&
                   static_cast<Index>(bounds.size()) == cells.size(),
               "each of the ", cells.size(),
               " cells must have features and bounds, but ", features.cols(),
               " and ", bounds.size(), " have");
  RequireInput(rows >= 1 && rows <= kMostCellRows,
               "there must be from 1 to 2^40 rows, but there are ", rows);
}

}  // namespace

CellMechanism::CellMechanism(const Cells& cells, const Matrix& features,
                             const std::vector<OutputBounds>& bounds,
                             Index rows, double sigma)
    : cells_(cells), bounds_(bounds), rows_(rows) {
  CheckCellSizes(cells, features, bounds, rows);
  weights_ = QuantizeWeights(features, PrivacyUnits::EachRow(cells.size()));
  features_ = weights_.Exact();
  const Uint128 largest = LargestSquare(weights_.P);
  count_factor_ = CountFactor(weights_.P, largest);
  square_factor_ = RootDown(largest / 2);
  sensitivity_squared_ = CellSquaredSensitivity(weights_.P, largest,
                                                count_factor_, square_factor_);
  present_factor_ = PresentFactor(largest, count_factor_, square_factor_,
                                  sensitivity_squared_);
  sigma_units_ = GaussianScale(sigma, sensitivity_squared_);
  mu_ = GaussianMu(sensitivity_squared_, sigma_units_);
  const auto Q = static_cast<double>(kHalfRange);
  step_ = std::ldexp(1.0, weights_.exponent - IntegerWeights::kWeightBits) / Q;
  RequireInput(step_ >= std::numeric_limits<double>::min() && step_ <= 0x1p896,
               "the features are too ", step_ < 1 ? "small" : "large",
               " for double precision; rescale them");
  noise_sd_ = static_cast<double>(sigma_units_) * step_;
  sensitivity_ = SensitivityUp(sensitivity_squared_, step_);
  count_weight_ = static_cast<double>(count_factor_) / Q;
  square_weight_ = static_cast<double>(square_factor_) * step_ * Q;
  present_weight_ = static_cast<double>(present_factor_) * step_;
}

NoisyCells CellMechanism::Release(const std::vector<Secret<Vector>>& inputs,
                                  const Secret<Vector>& outputs,
                                  Randomness& random) const {
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
  const Vector& y = outputs.Open(key);
  columns.push_back(&y);
  RequireInput(y.size() == rows_, "there must be ", rows_,
               " rows, but the output has ", y.size());
  const IntegerMatrix& P = weights_.P;
  const Index rank = P.rows();
  // The noise comes first: when it fails, no row has been read.
  NoisyCells noisy;
  noisy.integers = GaussianNoise(sigma_units_, 2 * rank + 2, random);

  Scratch<int64_t> count(cells_.size());
  Scratch<int64_t> sum(cells_.size());  // below 2^59 for 2^40 rows
  Scratch<int64_t> squares(1);
  Scratch<int64_t> present(1);
  for (Index i = 0; i < rows_; ++i) {
    if (RowIsMissing(columns, i)) continue;
    const Index cell = CellOf(cells_, columns, i);
    present[0] += 1;
    const int64_t q = QuantizeOutput(y(i), bounds_[static_cast<size_t>(cell)]);
    count[cell] += 1;
    sum[cell] += q;
    squares[0] += q * q / kHalfOutput;
  }
  Scratch<Int128> t(2 * rank + 2);
  for (Index c = 0; c < cells_.size(); ++c) {
    for (Index k = 0; k < rank; ++k) {
      t[k] += Int128{P(k, c)} * sum[c];
      t[rank + k] += Int128{P(k, c)} * Int128(count_factor_) * count[c];
    }
  }
  t[2 * rank] = Int128(square_factor_) * squares[0];
  t[2 * rank + 1] = Int128(present_factor_) * present[0];

  Vector value(2 * rank + 2);
  for (Index k = 0; k < value.size(); ++k) {
    Int128& units = noisy.integers[static_cast<size_t>(k)];
    units = CheckedAdd(units, t[k]);
    value(k) = static_cast<double>(units) * step_;
  }
  noisy.sums = value.head(rank);
  noisy.counts = value.segment(rank, rank);
  noisy.squares = value(2 * rank);
  noisy.present = value(2 * rank + 1);
  noisy.noise_sd = noise_sd_;
  return noisy;
}

}  // namespace cloak
