#ifndef CLOAK_DESIGN_CERTIFICATE_H_
#define CLOAK_DESIGN_CERTIFICATE_H_

#include <vector>

#include "cloak/design/bayes.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// Σ weight · tr(Q HᵀA⁻¹H), the variance that releasing R y explains (bayes.h).
double ExplainedVariance(const std::vector<DesignPrior>& priors, double s,
                         const Matrix& R, const Threads& threads);

// How much more variance than R any release with the same noise could explain
// at most.
//
// The explained variance F is concave in G = RᵀR, over G ⪰ 0 with diag(G) ≤ 1.
// With B its gradient at G, for every other G' and every λ ≥ 0 with
// diag(λ) ⪰ B,
//   F(G') ≤ F(G) + tr B(G' − G) ≤ F(G) + Σ λ_i − tr(BG).
// B = Y Yᵀ/s² with Y thin, so diag(λ) ⪰ B is a question about a matrix of the
// size of the basis: λ_max(Yᵀ diag(λ)⁻¹ Y) ≤ s². At the optimum λ = diag(BG);
// that, plus a little for rows that are hardly listened to, and scaled until
// it is feasible, is the λ used here.
double ExplainedVarianceGap(const std::vector<DesignPrior>& priors, double s,
                            const Matrix& R, const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_DESIGN_CERTIFICATE_H_
