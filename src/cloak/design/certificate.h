#ifndef CLOAK_DESIGN_CERTIFICATE_H_
#define CLOAK_DESIGN_CERTIFICATE_H_

#include <vector>

#include "cloak/design/bayes.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// A = HHᵀ + R D Rᵀ + s²I, the covariance of what is released, with H = RΦᵀ.
Matrix StatisticCovariance(const DesignPrior& prior, const Matrix& H, double s,
                           const Matrix& R, const Threads& threads);

// Σ weight · tr(Q HᵀA⁻¹H), the variance that releasing R y explains (bayes.h).
double ExplainedVariance(const std::vector<DesignPrior>& priors, double s,
                         const Matrix& R, const Threads& threads);

// How far from the best an R is, and where better may be found.
struct ExplainedVarianceBound {
  // No release with the same noise explains more than R by more than this.
  double gap = 0;
  // Rows that may raise the explained variance if R gets them too, the most
  // promising first.
  Matrix escape;
  // The value of a unit of norm at each of them, where it is 1 in R.
  Vector value;
};

struct BoundOptions {
  double enough = 0;  // look no further once the gap is at most this
  Index escapes = 0;  // at most so many rows
};

// The explained variance F is concave in G = RᵀR, over G ⪰ 0 with
// σᵀG_gg σ ≤ 1 for every unit g and all signs σ (diag(G) ≤ 1, where every row
// is a unit). With B its gradient at G, for every other G',
//   F(G') ≤ F(G) + tr B(G' − G).
// Let Λ be block diagonal, Λ_g = μ_g ((1 − α_g) C_g + α_g I) with C_g a mean of
// σσᵀ over some signs and 0 < α_g ≤ 1. I is the mean of σσᵀ over all signs, so
// tr(Λ_g G'_gg) ≤ μ_g, and if Λ ⪰ B,
//   F(G') ≤ F(G) + Σ μ_g − tr(BG).
// B = Y Yᵀ with Y thin, N x M: Λ ⪰ B if and only if λ_max(P) ≤ 1 for P =
// YᵀΛ⁻¹Y, a matrix of the size of the basis. At the optimum Λ minimises
// Σ μ_g + tr(ZP) with Z = YᵀGY, and C_g is the mean over the longest signs of
// R_g, weighted somehow; the μ_g and α_g that do so for the given C_g, and for
// Z plus a little in all directions, scaled until Λ is feasible, are those used
// here. With rows for units, λ_i = √(y_iᵀZy_i).
//
// Y is rotated so that its columns are orthogonal, and the smallest columns
// left out: what they add to B is at most τI, τ the largest eigenvalue left
// out, which adds τ to every μ_g.
//
// `moments`: C_g for each unit; empty where every row is a unit.
ExplainedVarianceBound BoundExplainedVariance(
    const std::vector<DesignPrior>& priors, const PrivacyUnits& units,
    const std::vector<Matrix>& moments, double s, const Matrix& R,
    const Threads& threads, const BoundOptions& options = {});

}  // namespace cloak

#endif  // CLOAK_DESIGN_CERTIFICATE_H_
