#ifndef CLOAK_GP_BASIS_H_
#define CLOAK_GP_BASIS_H_

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// A Gaussian process seen through finitely many weights:
//   f(x) = φ(x)ᵀu + residual(x),  u ~ N(0, I),
//   φ(x) = L_Z⁻¹ k_Z(x),  L_Z L_Zᵀ = K(Z, Z) + jitter·I,
// with the residual independent of u and of variance k(x,x) − |φ(x)|² ≥ 0.
// With Z dense enough for the kernel the residual vanishes.
class Basis {
 public:
  // Rows of Z are the basis points. The jitter is 1e-10 times the mean
  // k(z, z): far above rounding, so that a basis that can be factored on one
  // machine can be factored on all of them.
  Basis(const Kernel& kernel, const Matrix& Z, const Threads& threads);

  // Exactly this jitter, as a release says. Throws InvalidInput when the
  // covariance cannot be factored or the kernel does not fit the inputs.
  Basis(const Kernel& kernel, Matrix Z, double jitter, const Threads& threads);

  Index size() const { return Z_.rows(); }
  const Kernel& kernel() const { return kernel_; }
  const Matrix& points() const { return Z_; }
  double jitter() const { return jitter_; }

  // φ(x) as columns: size() x X.rows().
  Matrix Features(const Matrix& X) const;

  // k(x,x) − |φ(x)|², never below zero, for features Phi of X.
  Vector ResidualVariances(const Matrix& X, const Matrix& Phi) const;

  // L_Z⁻¹ B: values of functions at Z as weights.
  Matrix WhitenValues(Matrix B) const;

  // Aᵀ L_Z⁻¹ for a matrix A with size() rows: applied to k_Z(x) it gives
  // Aᵀφ(x) without the features.
  Matrix FoldIntoCovariance(const Matrix& A) const;

 private:
  Threads threads_;
  Kernel kernel_;
  Matrix Z_;
  double jitter_;
  Cholesky cholesky_;
};

struct BasisSelectionOptions {
  Index max_size = 200;
  // Stop when no residual variance is larger; it should be small against the
  // noise of an observation. (Against k(x,x) will not do: a vague bias makes
  // that as large as one likes.)
  double tolerance = 0;
};

// Residual variances below this fraction of the largest variance are rounding
// errors.
inline constexpr double kLeastRelativeResidual = 1e-10;

// k(x, x) of each row without what is independent between observations.
Vector SharedVariances(const Kernel& kernel, const Matrix& X);

// Throws InvalidInput, saying that the kernel connects no row with any other,
// unless it does.
void RequireConnectedRows(bool connected);

// Rows of X that span the process: pivoted Cholesky of K(X, X), which takes
// at each step the row whose residual variance is largest. X is what may be
// published as it is: cells of a grid, or query points. (For the rows of a
// table: basis_candidates.h.) Throws InvalidInput when the kernel connects no
// row with any other.
Matrix SelectBasisPoints(const Kernel& kernel, const Matrix& X,
                         const Threads& threads,
                         const BasisSelectionOptions& options);
// The same where rows matter more or less: residual variances count times
// `weights`, one for each row.
Matrix SelectBasisPoints(const Kernel& kernel, const Matrix& X,
                         const Vector& weights, const Threads& threads,
                         const BasisSelectionOptions& options);

}  // namespace cloak

#endif  // CLOAK_GP_BASIS_H_
