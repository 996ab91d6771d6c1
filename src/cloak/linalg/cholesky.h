#ifndef CLOAK_LINALG_CHOLESKY_H_
#define CLOAK_LINALG_CHOLESKY_H_

#include <string>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

struct CholeskyOptions {
  // Where A is numerically not positive definite, jitter·I is added to it:
  // first_jitter, then ten times more at each further try, both relative to
  // the mean of the diagonal of A. Zero tries: never.
  double first_jitter = 1e-12;
  int jitter_tries = 7;
};

// A + jitter·I = L Lᵀ. Callers MUST look at outcome() before anything else:
// with kFailed there is no factor, and every other member throws.
//
//   Cholesky cholesky(K, threads);
//   if (cholesky.outcome() == Cholesky::kFailed) { … cholesky.message() … }
//   Vector alpha = cholesky.Solve(y);
class Cholesky {
 public:
  enum Outcome { kExact, kJittered, kFailed };

  // Reads the lower triangle of `A` only (the upper one is kept as work
  // space, so a matrix that is moved in needs no second copy; it must hold
  // the mirror image of the lower one if jitter_tries > 0).
  Cholesky(Matrix A, const Threads& threads,
           const CholeskyOptions& options = {});

  Outcome outcome() const { return outcome_; }
  // The number that was added to the diagonal; 0 with kExact.
  double jitter() const { return jitter_; }
  const std::string& message() const { return message_; }
  Index size() const { return factor_.rows(); }

  // L, with zeros above the diagonal.
  Matrix L() const;
  // log |A + jitter·I|.
  double LogDeterminant() const;

  // L⁻¹ B, L⁻ᵀ B and (A + jitter·I)⁻¹ B.
  Matrix SolveLower(Matrix B) const;
  Matrix SolveUpper(Matrix B) const;
  Matrix Solve(Matrix B) const;

 private:
  void RequireFactor() const;

  Threads threads_;
  Matrix factor_;  // L in the lower triangle; the upper one is not ours
  Outcome outcome_ = kFailed;
  double jitter_ = 0;
  std::string message_;
};

// Factorises a matrix that must be positive definite as it is. Throws Error
// that says that `what` is not.
Cholesky FactorExactly(Matrix A, const Threads& threads,
                       const std::string& what);
// Factorises one that is positive definite but for rounding, with jitter where
// it is needed.
Cholesky FactorNearly(Matrix A, const Threads& threads,
                      const std::string& what);

}  // namespace cloak

#endif  // CLOAK_LINALG_CHOLESKY_H_
