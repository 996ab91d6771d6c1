#ifndef CLOAK_GP_VARIATIONAL_POSTERIOR_H_
#define CLOAK_GP_VARIATIONAL_POSTERIOR_H_

#include "cloak/gp/basis.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// Sums over rows of k_i y_i and k_i k_iᵀ, k_i the covariances of row i with the
// basis points, with independent noise on each entry of A (deviation a_sd) and
// of the upper triangle of B (b_sd on the diagonal, b_sd/√2 off it).
struct VariationalMoments {
  Vector A = {};
  Matrix B = {};
  double a_sd = 0;
  double b_sd = 0;
};

// u ~ N(mean, I − explainedᵀexplained + noiseᵀnoise) for the weights of a
// basis: values at its points are L_Z u.
struct VariationalPosterior {
  Vector mean;
  Matrix explained;
  Matrix noise;
};

// The variational posterior of Titsias (2009) given noisy sums, as published by
// Honkela and Melkas (2021), section 3.3, their u being L_Z times ours: with
// σ² the variance of observations, K = K(Z, Z) and M points,
//   Σ̃ = (K + σ⁻²B + λI)⁻¹,                                           (12)
//   m = σ⁻² K Σ̃ A,
//   S = K Σ̃ K + S₂₁ + S₂₂,                                            (18)
//   λ = b_sd σ⁻² √(M log(2M²/ρ)) (M + 1)/(2M),                        (13)
//   S₂₁ = a_sd² σ⁻⁴ K Σ̃² K,                                           (14)
//   S₂₂ = σ⁻⁸ K Σ̃ D Σ̃ K,  D = diag(b_sd² (w_i² + |w|²)/2),  w = Σ̃ A.  (17)
// (In (17) E_ij Ã E_ji = w_j² e_i e_iᵀ, and summing over j leaves D.)
//
// In weights K becomes L_Zᵀ on the left and L_Z on the right. K Σ̃ K may exceed
// K where B has negative eigenvalues beyond λ: what exceeds it is in `noise`
// too, of which S₂₁ + S₂₂ are the rest.
//
// With the probability ρ that the paper leaves, Σ̃⁻¹ is not positive definite
// and the paper has no posterior. Then so much is added to its diagonal that
// its smallest eigenvalue is λ.
//
// What is published is an approximation that this keeps to: (17) takes the
// noise on B_ij and on B_ji for independent, though it is the same number, and
// no term accounts for the bias that λ brings.
VariationalPosterior InferVariational(const Basis& basis, double noise_variance,
                                      const VariationalMoments& moments,
                                      double rho);

// Its covariance as expected before A is known: w_i² in D is replaced by its
// mean when B is as given and y are observations of the process.
VariationalPosterior ExpectVariational(const Basis& basis,
                                       double noise_variance,
                                       const VariationalMoments& moments,
                                       double rho);

}  // namespace cloak

#endif  // CLOAK_GP_VARIATIONAL_POSTERIOR_H_
