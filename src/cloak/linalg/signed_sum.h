#ifndef CLOAK_LINALG_SIGNED_SUM_H_
#define CLOAK_LINALG_SIGNED_SUM_H_

#include <bit>
#include <cstdint>
#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"

namespace cloak {

// How long a signed sum of the columns of A (r x g) can be: the largest
//   |A σ|² = σᵀGσ,   G = AᵀA,
// over the signs σ_i = ±1. It is how far a unit's outputs can move A y, when
// all of them move at once by at most 1: |A δ| is convex in δ, so that its
// maximum over the box [−1, 1]^g is at a corner.

// The largest σᵀGσ, and which signs are −1 there: bit i for σ_i.
template <typename Number>
struct SignMaximum {
  Number value = 0;
  uint64_t negative = 0;
};

// All signs, one after the other: 2^(g−1) steps of g additions, 1 ≤ g ≤ 63.
// (σ and −σ are the same, so σ_(g−1) stays +1.) A Gray code changes one sign
// at a time, and with h = Gσ less its own diagonal term, changing σ_i adds
// −4 σ_i h_i. Nothing on the way is larger in absolute value than
// 4 Σ_ij |G_ij|, which must fit a Number.
template <typename Number>
SignMaximum<Number> MaximizeOverSigns(
    const Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>& G) {
  const Index size = G.rows();
  std::vector<Number> h(static_cast<size_t>(size), Number{0});
  Number value = 0;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      value += G(j, i);
      if (j != i) h[static_cast<size_t>(i)] += G(j, i);
    }
  }
  SignMaximum<Number> best{value, 0};
  uint64_t negative = 0;
  for (uint64_t step = 1; step < uint64_t{1} << (size - 1); ++step) {
    const auto i = static_cast<Index>(std::countr_zero(step));
    const uint64_t bit = uint64_t{1} << i;
    const Number own = h[static_cast<size_t>(i)];
    const bool was_negative = (negative & bit) != 0;
    value += was_negative ? 4 * own : -4 * own;
    negative ^= bit;
    for (Index j = 0; j < size; ++j) {
      const Number twice = 2 * G(j, i);
      h[static_cast<size_t>(j)] += was_negative ? twice : -twice;
    }
    h[static_cast<size_t>(i)] = own;
    if (value > best.value) best = {value, negative};
  }
  return best;
}

// The most columns for which MaximizeOverSigns is worth its time: over all
// units with at most so many rows it takes at most `additions` (of which a
// processor does about 10⁹ in a second).
Index LargestEnumerated(const PrivacyUnits& units, double additions);

// Signs at which changing any one does not lengthen A σ, the longest first,
// at most `most` of them and none twice. They are found by climbing from the
// directions in which A is longest; the first is often the best there is, and
// need not be.
std::vector<Vector> LongSignedSums(const Matrix& A, Index most);

// The signs that make A σ longest: certainly for up to `enumerated` columns (at
// most 63), else as far as a search finds.
Vector LongestSignedSum(const Matrix& A, Index enumerated);

// L for the bound
//   σᵀGσ = σᵀ(G + LLᵀ)σ − |Lᵀσ|² ≤ Σ_ij |(G + LLᵀ)_ij|,
// which holds for any L whatsoever: with L = 0 it is Σ_ij |G_ij|. This one
// makes G + LLᵀ nearly diagonal with a trace nearly as small as possible, the
// dual of the semidefinite relaxation: at most π/2 times the maximum
// (Nesterov 1998), once it has converged. G is positive semi-definite.
Matrix SlackFactor(const Matrix& G);

// More columns than this are bounded in blocks, by |A σ| ≤ Σ_b |A_b σ_b|.
inline constexpr Index kSignedSumBlock = 512;

// No signs make |A σ|² more than this, up to rounding; attained for up to
// `enumerated` columns (at most 63).
double SignedSumBound(const Matrix& A, Index enumerated);

}  // namespace cloak

#endif  // CLOAK_LINALG_SIGNED_SUM_H_
