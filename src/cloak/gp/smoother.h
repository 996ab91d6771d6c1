#ifndef CLOAK_GP_SMOOTHER_H_
#define CLOAK_GP_SMOOTHER_H_

#include "cloak/gp/basis.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// A regression that is linear in the outputs, whatever they are: given y, the
// weights of the basis are N(B y, I − explainedᵀ·explained). So predictions at
// points with features Φ* are C y, C = Φ*ᵀB: the cloaking matrix.
struct LinearSmoother {
  Basis basis;
  Matrix B;          // M x N
  Matrix explained;  // e x M
};

// C = Φ*ᵀB at the rows of Xs.
Matrix CloakingMatrix(const LinearSmoother& smoother, const Matrix& Xs,
                      const Threads& threads);

// The exact process, seen at the basis points: with φ(x) = L_Z⁻¹k_Z(x),
// B = L_Z⁻¹ K_ZX K_y⁻¹ = Φ K_y⁻¹. Predictions at the basis points are those of
// the process; B y are also the coordinates of the posterior mean projected on
// span{k(·, z_j)}, in an orthonormal basis of it.
LinearSmoother ExactSmoother(const ExactGp& gp, const Basis& basis);

// Regression through inducing points, the points of the basis:
// y = Φᵀu + e, e ~ N(0, diag(D)), S = (I + ΦD⁻¹Φᵀ)⁻¹, B = SΦD⁻¹.
// With D as ModelOutputs has it this is FITC (Snelson and Ghahramani 2006): in
// their symbols L_ZᵀQ⁻¹K_MN(Λ + σ²I)⁻¹. With D the noise of observations alone
// it is the subset of regressors (Smola and Bartlett 2001).
LinearSmoother InducingSmoother(const Basis& basis, const OutputModel& outputs,
                                const Threads& threads);

// Least squares by the polynomials in the inputs up to a degree, as in section
// 5.1 of Smith et al. 2021: C = X*(XᵀX)⁻¹Xᵀ for the design matrices X, and the
// coefficients vary by σ²(XᵀX)⁻¹. The kernel of the basis spans them:
// v(1 + Σ_j x_j x'_j/s_j²)^degree, v so large that it does not matter as a
// prior. Throws InvalidInput unless 0 <= degree <= 5 and the inputs determine
// the polynomial, in double precision.
LinearSmoother PolynomialSmoother(const Matrix& X, Index degree,
                                  double noise_variance,
                                  const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_GP_SMOOTHER_H_
