#include "cloak/privacy/integer_weights.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/clipped_rows.h"
#include "cloak/privacy/quantized_output.h"
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

constexpr double kLargestWeight = double{1 << IntegerWeights::kWeightBits};

// |P_ki q_i| <= 2^(a+b-1) = 2^49, so a sum of 2^13 products fits in 63 bits,
// and one of 2^40 is below 2^89.
static_assert(IntegerWeights::kWeightBits + kOutputBits <= 50);
constexpr Index kProductsIn64Bits = Index{1} << 13;

double LargestUnitSum(const Vector& norms, const UnitColumns& units) {
  double largest = 0;
  for (Index unit = 0; unit < units.units.count(); ++unit) {
    double sum = 0;
    for (const Index row : units.units.Rows(unit)) {
      sum += norms(units.columns[static_cast<size_t>(row)]);
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

IntegerWeights QuantizeWeights(const Matrix& R, const PrivacyUnits& units) {
  RequireInput(units.rows() == R.cols(), "the statistic is of ", R.cols(),
               " outputs, but the units are of ", units.rows());
  return QuantizeWeights(R, UnitColumns::OfRows(units));
}

IntegerWeights QuantizeWeights(const Matrix& R, const UnitColumns& units) {
  RequireInput(R.rows() > 0 && R.cols() > 0,
               "R must have at least one row and one column, but is ", R.rows(),
               " x ", R.cols());
  RequireInput(R.cols() <= kMostRows,
               "there may be at most 2^40 outputs, but there are ", R.cols());
  for (const Index column : units.columns) {
    RequireInput(column >= 0 && column < R.cols(), "the statistic has ",
                 R.cols(), " columns, but an output is of the column ", column);
  }
  RequirePrivacy(R.allFinite(),
                 "the statistic to release has weights that are not finite; "
                 "nothing was released");
  const double largest = R.cwiseAbs().maxCoeff();
  RequirePrivacy(largest > 0,
                 "the statistic to release is zero: no noise would be added; "
                 "nothing was released");
  // Two steps, so that squares neither overflow nor vanish: first by the
  // largest entry, then by the largest norm of a column.
  int entry_exponent = 0;
  std::frexp(largest, &entry_exponent);
  const Matrix scaled = R.unaryExpr(
      [=](double weight) { return std::ldexp(weight, -entry_exponent); });
  const Vector norms = scaled.colwise().norm();
  int norm_exponent = 0;
  std::frexp(norms.maxCoeff(), &norm_exponent);
  int unit_exponent = 0;
  std::frexp(LargestUnitSum(norms, units), &unit_exponent);
  norm_exponent =
      std::max(norm_exponent, unit_exponent - IntegerWeights::kUnitBits);
  IntegerWeights weights;
  weights.exponent = entry_exponent + norm_exponent;
  weights.P.resize(R.rows(), R.cols());
  for (Index i = 0; i < R.cols(); ++i) {
    for (Index k = 0; k < R.rows(); ++k) {
      const double weight = std::round(std::ldexp(
          scaled(k, i), IntegerWeights::kWeightBits - norm_exponent));
      if (!(std::abs(weight) <= kLargestWeight)) {
        throw PrivacyFailure(
            "a weight does not fit its integer; nothing was released");
      }
      weights.P(k, i) = static_cast<int32_t>(weight);
    }
  }
  return weights;
}

Matrix IntegerWeights::Exact() const {
  // P has 31 bits; and where 2^(e-a) is below the smallest double, P is the
  // given R times a power of two, without rounding.
  Matrix R = P.unaryExpr([this](int32_t weight) {
    return std::ldexp(static_cast<double>(weight), exponent - kWeightBits);
  });
  RequireInput(R.allFinite(),
               "the statistic to release is too large for double precision; "
               "rescale it or the outputs");
  return R;
}

double IntegerWeights::step() const {
  return std::ldexp(1.0, exponent - kWeightBits);
}

void AddExactProduct(const IntegerMatrix& P, const Vector& outputs,
                     const OutputBounds& bounds, Scratch<Int128>& t) {
  const Index size = outputs.size();
  Scratch<int64_t> partial(P.rows());
  for (Index begin = 0; begin < size; begin += kProductsIn64Bits) {
    const Index end = std::min(size, begin + kProductsIn64Bits);
    for (Index i = begin; i < end; ++i) {
      const int64_t q = QuantizeOutput(outputs(i), bounds);
      for (Index k = 0; k < P.rows(); ++k) partial[k] += P(k, i) * q;
    }
    for (Index k = 0; k < P.rows(); ++k) {
      t[k] += partial[k];
      partial[k] = 0;
    }
  }
}

void AddExactProduct(const IntegerMatrix& P, const RowSites& sites,
                     const Vector& outputs, const OutputBounds& bounds,
                     Scratch<Int128>& t) {
  if (sites.IsEachRow()) {
    AddExactProduct(P, outputs, bounds, t);
    return;
  }
  // Below 2^59, as |q| <= 2^19, and each product with P below 2^89.
  Scratch<int64_t> sums(P.cols());
  for (Index i = 0; i < outputs.size(); ++i) {
    sums[sites.Of(i)] += QuantizeOutput(outputs(i), bounds);
  }
  for (Index s = 0; s < P.cols(); ++s) {
    for (Index k = 0; k < P.rows(); ++k) t[k] += Int128{P(k, s)} * sums[s];
  }
}

}  // namespace cloak
