#include "cloak/privacy/cell_mechanism.h"

#include <algorithm>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/clipped_rows.h"
#include "cloak/privacy/gmp_integer128.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/quantized_output.h"
#include "cloak/privacy/scratch.h"
#include "cloak/privacy/unit_sensitivity.h"

namespace cloak {
namespace {

constexpr auto kHalfRange = Uint128{kHalfOutput};  // Q

// The parts of the sensitivity between two cells: of outputs, and to be
// multiplied by G².
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

CellFactors ChooseFactors(const IntegerMatrix& P) {
  const Uint128 largest = LargestSquare(P);
  CellFactors factors;
  factors.count = CountFactor(P, largest);
  factors.square = RootDown(largest / 2);
  factors.sensitivity_squared =
      CellSquaredSensitivity(P, largest, factors.count, factors.square);
  factors.present = PresentFactor(largest, factors.count, factors.square,
                                  factors.sensitivity_squared);
  return factors;
}

const CellTree& ValidCells(const CellTree& cells, const Matrix& features,
                           const std::vector<OutputBounds>& bounds,
                           Index rows) {
  RequireInput(cells.size() <= CellMechanism::kMostCells,
               "there must be at most ", CellMechanism::kMostCells,
               " cells, but there are ", cells.size());
  RequireInput(features.cols() == cells.size() &&
                   static_cast<Index>(bounds.size()) == cells.size(),
               "each of the ", cells.size(),
               " cells must have features and bounds, but ", features.cols(),
               " and ", bounds.size(), " have");
  RequireRowCount(rows);
  return cells;
}

}  // namespace

CellMechanism::CellMechanism(const CellTree& cells, const Matrix& features,
                             const std::vector<OutputBounds>& bounds,
                             Index rows, double sigma)
    : cells_(ValidCells(cells, features, bounds, rows)),
      bounds_(bounds),
      rows_(rows),
      weights_(QuantizeWeights(features, PrivacyUnits::EachRow(cells.size()))),
      features_(weights_.Exact()),
      factors_(ChooseFactors(weights_.P)),
      noise_(factors_.sensitivity_squared, sigma,
             ValidStep(weights_.step() / kHalfOutput, "the features are",
                       "rescale them")) {}

double CellMechanism::count_weight() const {
  return static_cast<double>(factors_.count) / kHalfOutput;
}

double CellMechanism::square_weight() const {
  return static_cast<double>(factors_.square) * noise_.step() * kHalfOutput;
}

double CellMechanism::present_weight() const {
  return static_cast<double>(factors_.present) * noise_.step();
}

NoisyCells CellMechanism::Release(const std::vector<Secret<Vector>>& inputs,
                                  const Secret<Vector>& outputs,
                                  Randomness& random) const {
  const MechanismKey key;
  std::vector<const Vector*> columns =
      OpenInputs(inputs, cells_.inputs(), rows_, key);
  const Vector& y = OpenOutputs(outputs, rows_, key);
  columns.push_back(&y);
  const IntegerMatrix& P = weights_.P;
  const Index rank = P.rows();
  // The noise comes first: when it fails, no row has been read.
  DrawnNoise noise = noise_.Draw(2 * rank + 2, random);

  Scratch<int64_t> count(cells_.size());
  Scratch<int64_t> sum(cells_.size());  // below 2^59 for 2^40 rows
  Scratch<int64_t> squares(1);
  Scratch<int64_t> present(1);
  for (Index i = 0; i < rows_; ++i) {
    if (RowIsMissing(columns, i)) continue;
    const Index cell = cells_.CellOf(
        [&](Index j) { return (*columns[static_cast<size_t>(j)])(i); });
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
      t[rank + k] += Int128{P(k, c)} * Int128(factors_.count) * count[c];
    }
  }
  t[2 * rank] = Int128(factors_.square) * squares[0];
  t[2 * rank + 1] = Int128(factors_.present) * present[0];

  NoisyCells noisy;
  noisy.integers = std::move(noise).AddTo(t);
  const Vector value = noise_.Value(noisy.integers);
  noisy.sums = value.head(rank);
  noisy.counts = value.segment(rank, rank);
  noisy.squares = value(2 * rank);
  noisy.present = value(2 * rank + 1);
  noisy.noise_sd = noise_.sd();
  return noisy;
}

}  // namespace cloak
