#include "cloak/audit/neighbours.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/signed_sum.h"

namespace cloak {
namespace {

using Weights = Eigen::Matrix<int64_t, Eigen::Dynamic, Eigen::Dynamic>;
using Sum = Eigen::Matrix<int64_t, Eigen::Dynamic, 1>;

// P, from R = P 2^(e-a) and unit = d 2^(e-a-b).
Weights WeightsOf(const GaussianMechanism& mechanism) {
  int unit_exponent = 0;
  int width_exponent = 0;
  const double unit = std::frexp(mechanism.unit(), &unit_exponent);
  const double width = std::frexp(mechanism.bounds().width(), &width_exponent);
  RequirePrivacy(unit == width,
                 "the unit of the statistic is not the width of the bounds "
                 "times a power of two, so that it is not on a grid of exact "
                 "integers");
  const int exponent =
      unit_exponent - width_exponent + GaussianMechanism::kOutputBits;
  return mechanism.R().unaryExpr([=](double weight) {
    const double integer = std::ldexp(weight, -exponent);
    RequirePrivacy(
        std::abs(integer) <= 0x1p31 && std::trunc(integer) == integer,
        "a weight of the statistic is not a whole number of units");
    return static_cast<int64_t>(integer);
  });
}

Uint128 SquaredLength(const Sum& sum) {
  Uint128 squared = 0;
  for (const int64_t entry : sum) {
    const auto size = static_cast<Uint128>(entry < 0 ? -entry : entry);
    squared = CheckedAdd(squared, CheckedMultiply(size, size));
  }
  return squared;
}

struct Move {
  Uint128 squared = 0;  // |sum of signs times columns|^2
  Vector signs;         // +-1, one for each row of the unit
};

// Every choice of signs (up to a common one), changing one at a time.
Move TryAllSigns(const Weights& columns) {
  const Index size = columns.cols();
  Vector signs = Vector::Ones(size);
  Sum sum = columns.rowwise().sum();
  Move best{SquaredLength(sum), signs};
  for (uint64_t step = 1; step < uint64_t{1} << (size - 1); ++step) {
    const auto i = static_cast<Index>(std::countr_zero(step));
    sum -= 2 * static_cast<int64_t>(signs(i)) * columns.col(i);
    signs(i) = -signs(i);
    const Uint128 squared = SquaredLength(sum);
    if (squared > best.squared) best = {squared, signs};
  }
  return best;
}

// A search in floating point proposes the signs; their length is exact.
Move SearchSigns(const Weights& columns) {
  constexpr Index kTried = 8;
  Move best;
  for (Vector& signs : LongSignedSums(columns.cast<double>(), kTried)) {
    const Uint128 squared =
        SquaredLength(columns * signs.cast<int64_t>().eval());
    if (squared > best.squared) best = {squared, std::move(signs)};
  }
  return best;
}

std::vector<Int128> ExactStatistic(const Weights& P, const OutputBounds& bounds,
                                   const Vector& outputs) {
  RequireInput(outputs.size() == P.cols(),
               Text("the statistic is of ", P.cols(),
                    " outputs, but there are ", outputs.size()));
  std::vector<Int128> t(static_cast<size_t>(P.rows()), 0);
  for (Index i = 0; i < P.cols(); ++i) {
    const bool upper = outputs(i) == bounds.upper();
    RequireInput(upper || outputs(i) == bounds.lower(),
                 "an audit needs every output at a bound");
    const Int128 q = upper ? kHalfOutput : -kHalfOutput;
    for (Index k = 0; k < P.rows(); ++k) {
      Int128& sum = t[static_cast<size_t>(k)];
      sum = CheckedAdd(sum, CheckedMultiply(Int128{P(k, i)}, q));
    }
  }
  return t;
}

}  // namespace

std::vector<Int128> ExactStatistic(const GaussianMechanism& mechanism,
                                   const Vector& outputs) {
  return ExactStatistic(WeightsOf(mechanism), mechanism.bounds(), outputs);
}

NeighbouringTables FarthestNeighbours(const GaussianMechanism& mechanism,
                                      const Units& units) {
  const Weights P = WeightsOf(mechanism);
  RequireInput(units.rows() == P.cols(),
               Text("the statistic is of ", P.cols(),
                    " outputs, but the units are of ", units.rows()));
  NeighbouringTables found;
  Move farthest;
  for (Index unit = 0; unit < units.count(); ++unit) {
    const auto rows = units.Rows(unit);
    Weights columns(P.rows(), static_cast<Index>(rows.size()));
    for (size_t i = 0; i < rows.size(); ++i) {
      columns.col(static_cast<Index>(i)) = P.col(rows[i]);
    }
    Move move = columns.cols() <= kEnumeratedRows ? TryAllSigns(columns)
                                                  : SearchSigns(columns);
    if (move.squared > farthest.squared) {
      farthest = std::move(move);
      found.unit = unit;
    }
  }
  RequirePrivacy(farthest.squared > 0,
                 "no output moves the statistic: there is nothing to audit");
  const OutputBounds& bounds = mechanism.bounds();
  found.outputs = Vector::Constant(P.cols(), bounds.lower());
  found.other_outputs = found.outputs;
  const auto rows = units.Rows(found.unit);
  for (size_t i = 0; i < rows.size(); ++i) {
    Vector& higher = farthest.signs(static_cast<Index>(i)) > 0
                         ? found.other_outputs
                         : found.outputs;
    higher(rows[i]) = bounds.upper();
  }
  found.statistic = ExactStatistic(P, bounds, found.outputs);
  found.other_statistic = ExactStatistic(P, bounds, found.other_outputs);
  // An output that goes from one bound to the other moves by 2^b steps.
  found.distance_squared =
      CheckedMultiply(farthest.squared, static_cast<Uint128>(4) *
                                            static_cast<Uint128>(kHalfOutput) *
                                            static_cast<Uint128>(kHalfOutput));
  return found;
}

}  // namespace cloak
