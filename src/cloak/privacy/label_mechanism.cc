#include "cloak/privacy/label_mechanism.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/gmp_integer128.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/scratch.h"
#include "cloak/privacy/unit_sensitivity.h"

namespace cloak {
namespace {

// |t| <= 2^30 for each of up to 2^40 rows: no sum leaves 127 bits, noise
// included, and 2^32 rows fit 63.
constexpr Index kRowsIn64Bits = Index{1} << 32;

// |P_i . P_j| <= 2^60, by Cauchy and Schwarz up to rounding.
Uint128 PairSum(const IntegerMatrix& P, std::span<const Index> rows) {
  Uint128 sum = 0;
  for (size_t a = 0; a < rows.size(); ++a) {
    sum = CheckedAdd(sum, Uint128(ColumnProduct(P, rows[a], rows[a])));
    for (size_t b = 0; b < a; ++b) {
      const Int128 dot = ColumnProduct(P, rows[a], rows[b]);
      const auto size = Uint128(dot < 0 ? -dot : dot);
      sum = CheckedAdd(sum, CheckedMultiply(size, 2));
    }
  }
  return sum;
}

// (sum |P_i|)^2, each root rounded up.
Uint128 SquaredNormSum(const IntegerMatrix& P, std::span<const Index> rows) {
  mpz_class sum = 0;
  for (const Index row : rows) {
    const mpz_class square = ToGmp(Uint128(ColumnProduct(P, row, row)));
    mpz_class root = sqrt(square);
    if (root * root < square) ++root;
    sum += root;
  }
  return FromGmp(sum * sum);
}

Uint128 LabelSquaredSensitivity(const IntegerMatrix& P,
                                const PrivacyUnits& units) {
  Uint128 largest = 0;
  for (Index unit = 0; unit < units.count(); ++unit) {
    const std::span<const Index> rows = units.Rows(unit);
    largest = std::max(largest, rows.size() <= LabelMechanism::kPairedRows
                                    ? PairSum(P, rows)
                                    : SquaredNormSum(P, rows));
  }
  RequirePrivacy(largest > 0,
                 "the statistic to release is zero: no noise would be added; "
                 "nothing was released");
  return CheckedMultiply(largest, 2);
}

// Whatever the label is, one of the classes.
Index ClassOf(double label, Index classes) {
  if (std::isnan(label)) return 0;
  const double last = static_cast<double>(classes - 1);
  return std::clamp<Index>(
      static_cast<Index>(std::llround(std::clamp(label, 0.0, last))), 0,
      classes - 1);
}

Index ValidClasses(Index classes) {
  RequireInput(classes >= 2 && classes <= LabelMechanism::kMostClasses,
               "there must be 2 to ", LabelMechanism::kMostClasses,
               " classes, but there are ", classes);
  return classes;
}

}  // namespace

LabelMechanism::LabelMechanism(const Matrix& R, Index classes,
                               const PrivacyUnits& units, const Budget& budget)
    : classes_(ValidClasses(classes)),
      budget_(budget),
      weights_(QuantizeWeights(R, units)),
      R_(weights_.Exact()),
      noise_(LabelSquaredSensitivity(weights_.P, units), GaussianSigma(budget),
             ValidStep(weights_.step(), "the statistic to release is",
                       "rescale it")) {}

NoisyLabels LabelMechanism::Release(const Secret<Vector>& labels,
                                    Randomness& random) const {
  const MechanismKey key;
  const IntegerMatrix& P = weights_.P;
  const Index rank = P.rows();
  const Index size = labels.Open(key).size();
  RequireInput(size == P.cols(), "the statistic is of ", P.cols(),
               " labels, but there are ", size);
  // The noise comes first: when it fails, no label has been read.
  DrawnNoise noise = noise_.Draw(rank * classes_, random);
  const Vector& y = labels.Open(key);
  Scratch<Int128> t(rank * classes_);
  Scratch<int64_t> partial(rank * classes_);
  for (Index begin = 0; begin < size; begin += kRowsIn64Bits) {
    const Index end = std::min(size, begin + kRowsIn64Bits);
    for (Index i = begin; i < end; ++i) {
      const Index label = ClassOf(y(i), classes_);
      // All classes are added to, 0 or 1 times.
      for (Index c = 0; c < classes_; ++c) {
        const int64_t times = c == label ? 1 : 0;
        for (Index k = 0; k < rank; ++k) {
          partial[c * rank + k] += times * P(k, i);
        }
      }
    }
    for (Index k = 0; k < rank * classes_; ++k) {
      t[k] += partial[k];
      partial[k] = 0;
    }
  }
  NoisyLabels noisy;
  noisy.integers = std::move(noise).AddTo(t);
  noisy.value = noise_.Value(noisy.integers).reshaped(rank, classes_);
  noisy.noise_sd = noise_.sd();
  return noisy;
}

}  // namespace cloak
