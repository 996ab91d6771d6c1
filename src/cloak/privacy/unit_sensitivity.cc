#include "cloak/privacy/unit_sensitivity.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/linalg/signed_sum.h"
#include "cloak/privacy/gmp_integer128.h"

namespace cloak {
namespace {

using WideMatrix = Eigen::Matrix<Int128, Eigen::Dynamic, Eigen::Dynamic>;
using LongMatrix = Eigen::Matrix<int64_t, Eigen::Dynamic, Eigen::Dynamic>;

// A second or so.
constexpr double kAdditions = 3e8;

// |L_ik| up to this: a sum of 2^40 of their products is below 2^120.
constexpr double kLargestSlack = 0x1p40;

Uint128 Magnitude(Int128 value) {
  return value < 0 ? Uint128{0} - Uint128(value) : Uint128(value);
}

WideMatrix GramOf(const IntegerMatrix& P, std::span<const Index> rows) {
  const auto size = static_cast<Index>(rows.size());
  WideMatrix G(size, size);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j <= i; ++j) {
      G(i, j) = ColumnProduct(P, rows[static_cast<size_t>(i)],
                              rows[static_cast<size_t>(j)]);
      G(j, i) = G(i, j);
    }
  }
  return G;
}

// Σ_ij |S_ij|, and room to enumerate: see MaximizeOverSigns.
Uint128 AbsoluteSum(const WideMatrix& S) {
  Uint128 sum = 0;
  for (Index j = 0; j < S.cols(); ++j) {
    for (Index i = 0; i < S.rows(); ++i) {
      sum = CheckedAdd(sum, Magnitude(S(i, j)));
    }
  }
  RequirePrivacy(sum <= Uint128{1} << 124,
                 "the outputs of one unit move the statistic too far for "
                 "128-bit integers; nothing was released");
  return sum;
}

// Are there signs with σ_i σ_j G_ij ≥ 0 for all i and j? Outputs that are
// connected by a G_ij ≠ 0 determine each other's.
bool SignsAgree(const WideMatrix& G) {
  const Index size = G.rows();
  std::vector<int> signs(static_cast<size_t>(size), 0);
  std::vector<Index> reached;
  for (Index start = 0; start < size; ++start) {
    if (signs[static_cast<size_t>(start)] != 0) continue;
    signs[static_cast<size_t>(start)] = 1;
    reached.push_back(start);
    while (!reached.empty()) {
      const Index i = reached.back();
      reached.pop_back();
      for (Index j = 0; j < size; ++j) {
        if (G(i, j) == 0) continue;
        const int wanted = G(i, j) > 0 ? signs[static_cast<size_t>(i)]
                                       : -signs[static_cast<size_t>(i)];
        int& sign = signs[static_cast<size_t>(j)];
        if (sign == -wanted) return false;
        if (sign == 0) reached.push_back(j);
        sign = wanted;
      }
    }
  }
  return true;
}

// SlackFactor in integers. Any matrix will do, so nothing here can be wrong,
// only useless.
LongMatrix RoundedSlack(const WideMatrix& G) {
  const Matrix L = SlackFactor(G.cast<double>());
  return L
      .unaryExpr([](double value) {
        return std::abs(value) <= kLargestSlack ? std::round(value) : 0.0;
      })
      .cast<int64_t>();
}

// Σ_ij |(G + LLᵀ)_ij|.
Uint128 SlackBound(const WideMatrix& G) {
  const LongMatrix transposed = RoundedSlack(G).transpose();
  WideMatrix S = G;
  for (Index i = 0; i < G.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      Int128 sum = 0;
      for (Index k = 0; k < transposed.rows(); ++k) {
        sum += Int128{transposed(k, i)} * transposed(k, j);
      }
      S(i, j) = CheckedAdd(S(i, j), sum);
      S(j, i) = S(i, j);
    }
  }
  return AbsoluteSum(S);
}

Uint128 RootRoundedUp(Uint128 square) {
  const mpz_class exact = ToGmp(square);
  mpz_class root = sqrt(exact);
  if (root * root < exact) ++root;
  return FromGmp(root);
}

// Measures a unit, or a block of one that is too large.
UnitSensitivity MeasureBlock(const IntegerMatrix& P,
                             std::span<const Index> rows, Index enumerated) {
  if (rows.size() == 1) {
    return {static_cast<Uint128>(ColumnProduct(P, rows[0], rows[0])), true};
  }
  const WideMatrix G = GramOf(P, rows);
  const Uint128 plain = AbsoluteSum(G);
  if (SignsAgree(G)) return {plain, true};
  if (G.rows() <= enumerated) {
    return {static_cast<Uint128>(MaximizeOverSigns<Int128>(G).value), true};
  }
  return {std::min(plain, SlackBound(G)), false};
}

UnitSensitivity MeasureUnit(const IntegerMatrix& P, std::span<const Index> rows,
                            Index enumerated) {
  constexpr auto kBlock = static_cast<size_t>(kSignedSumBlock);
  if (rows.size() <= kBlock) return MeasureBlock(P, rows, enumerated);
  Uint128 length = 0;
  for (size_t begin = 0; begin < rows.size(); begin += kBlock) {
    const auto block =
        rows.subspan(begin, std::min(kBlock, rows.size() - begin));
    length = CheckedAdd(
        length, RootRoundedUp(MeasureBlock(P, block, enumerated).squared));
  }
  return {CheckedMultiply(length, length), false};
}

}  // namespace

Int128 ColumnProduct(const IntegerMatrix& P, Index i, Index j) {
  Int128 sum = 0;
  for (Index k = 0; k < P.rows(); ++k) sum += Int128{P(k, i)} * P(k, j);
  return sum;
}

UnitSensitivity MeasureUnits(const IntegerMatrix& P, const UnitColumns& units) {
  RequirePrivacy(units.units.rows() == static_cast<Index>(units.columns.size()),
                 "the units are not of the outputs of the statistic; nothing "
                 "was released");
  for (const Index column : units.columns) {
    RequirePrivacy(column >= 0 && column < P.cols(),
                   "an output is of a column that the statistic does not have; "
                   "nothing was released");
  }
  const Index enumerated = LargestEnumerated(units.units, kAdditions);
  UnitSensitivity largest{0, true};
  std::vector<Index> columns;
  for (Index unit = 0; unit < units.units.count(); ++unit) {
    columns.clear();
    for (const Index output : units.units.Rows(unit)) {
      columns.push_back(units.columns[static_cast<size_t>(output)]);
    }
    const UnitSensitivity one = MeasureUnit(P, columns, enumerated);
    if (one.squared > largest.squared ||
        (one.squared == largest.squared && one.exact)) {
      largest = one;
    }
  }
  return largest;
}

UnitSensitivity MeasureUnits(const IntegerMatrix& P,
                             const PrivacyUnits& units) {
  RequirePrivacy(units.rows() == P.cols(),
                 "the units are not of the outputs of the statistic; nothing "
                 "was released");
  return MeasureUnits(P, UnitColumns::OfRows(units));
}

}  // namespace cloak
