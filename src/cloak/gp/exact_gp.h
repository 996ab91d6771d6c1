#ifndef CLOAK_GP_EXACT_GP_H_
#define CLOAK_GP_EXACT_GP_H_

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// Exact regression y = f(X) + noise, f ~ GP(0, k), noise ~ N(0, diag(σ²)), with
// K_y = K(X, X) + diag(σ²) factored once. It depends on the inputs alone;
// outputs come as plain vectors, so a private column cannot get here.
class ExactGp {
 public:
  // Throws InvalidInput unless all noise variances, one for each row, are
  // finite and positive and K_y can be factored.
  ExactGp(const Kernel& kernel, const Vector& noise_variances, Matrix X,
          const Threads& threads);
  // The same noise variance for every row.
  ExactGp(const Kernel& kernel, double noise_variance, const Matrix& X,
          const Threads& threads);

  // C = K(X*, X) K_y⁻¹: the posterior mean at the rows of Xs is C y for every
  // y. This is the matrix that cloaking protects.
  Matrix CloakingMatrix(const Matrix& Xs) const;

  Vector PosteriorMean(const Matrix& Xs, const Vector& y) const;
  // Returns the variances of f, not of new observations; the same for every y.
  Vector PosteriorVariances(const Matrix& Xs) const;
  Matrix PosteriorCovariance(const Matrix& Xs) const;

  // log N(y; 0, K_y) = −½ yᵀK_y⁻¹y − ½ log|K_y| − (N/2) log 2π.
  double LogMarginalLikelihood(const Vector& y) const;

  struct LikelihoodGradient {
    Vector kernel;          // in the order of kernel.Parameters()
    double noise_variance;  // added to that of every row
  };
  // ½ tr[(ααᵀ − K_y⁻¹) ∂K_y/∂θ], α = K_y⁻¹y. Costs an inverse of K_y.
  LikelihoodGradient LogMarginalLikelihoodGradient(const Vector& y) const;

 private:
  Threads threads_;
  Kernel kernel_;
  Matrix X_;
  Cholesky cholesky_;
};

}  // namespace cloak

#endif  // CLOAK_GP_EXACT_GP_H_
