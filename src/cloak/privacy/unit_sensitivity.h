#ifndef CLOAK_PRIVACY_UNIT_SENSITIVITY_H_
#define CLOAK_PRIVACY_UNIT_SENSITIVITY_H_

#include <cstdint>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/unit_columns.h"

namespace cloak {

using IntegerMatrix = Eigen::Matrix<int32_t, Eigen::Dynamic, Eigen::Dynamic>;

// Returns the product p_iᵀp_j of two columns of P. Each of up to 2^63 terms is
// at most 2^62 in size, so that it cannot overflow.
Int128 ColumnProduct(const IntegerMatrix& P, Index i, Index j);

// How far P δ can reach when the outputs of one unit move.
struct UnitSensitivity {
  // At least the largest |Σ_(i ∈ g) σ_i p_i|² over units g and signs σ, for
  // the columns p_i of P.
  Uint128 squared = 0;
  // Whether it is attained.
  bool exact = false;
};

// Let q and q' differ only in the outputs of unit g, each by at most m. Then
// P(q − q') = Σ_(i ∈ g) δ_i p_i with δ in the box [−m, m]^g, and its length is
// a convex function of δ, so that it is largest at a corner, δ = m σ with
// σ_i = ±1. Hence
//   |P(q − q')|² ≤ m² max_σ |Σ σ_i p_i|² = m² max_σ σᵀGσ,   G_ij = p_iᵀp_j,
// and a corner attains it. For each unit, in exact integers:
//
// 1. σᵀGσ ≤ Σ_ij |G_ij|. It is attained, so exact, if there are signs with
//    σ_i σ_j G_ij ≥ 0 for all i and j.
// 2. Otherwise small units are enumerated (linalg/signed_sum.h), which is
//    exact.
// 3. Otherwise, for any integer matrix L,
//      σᵀGσ = σᵀ(G + LLᵀ)σ − |Lᵀσ|² ≤ Σ_ij |(G + LLᵀ)_ij|.
//    L is found in floating point and rounded; no property of it is needed.
//    Units with very many rows are cut into blocks b, by the triangle
//    inequality: |Σ σ_i p_i| ≤ Σ_b |Σ_(i ∈ b) σ_i p_i|, roots rounded up.
//
// Throws PrivacyFailure when integers would overflow, or a unit has a column
// that P does not have.
UnitSensitivity MeasureUnits(const IntegerMatrix& P, const UnitColumns& units);
// The same where every column is that of one output.
UnitSensitivity MeasureUnits(const IntegerMatrix& P, const PrivacyUnits& units);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_UNIT_SENSITIVITY_H_
