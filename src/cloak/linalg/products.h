#ifndef CLOAK_LINALG_PRODUCTS_H_
#define CLOAK_LINALG_PRODUCTS_H_

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// Large products on several threads, the same bits on any number of them.

// A B, for a B with many columns.
Matrix Product(const Matrix& A, const Matrix& B, const Threads& threads);

// A Bᵀ, for A and B with many columns.
Matrix ProductTransposed(const Matrix& A, const Matrix& B,
                         const Threads& threads);

// A diag(w) Aᵀ, both triangles, for an A with many columns and w ≥ 0.
Matrix WeightedGram(const Matrix& A, const Vector& w, const Threads& threads);

// A Aᵀ, both triangles, for an A with many rows.
Matrix Gram(const Matrix& A, const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_LINALG_PRODUCTS_H_
