#ifndef CLOAK_DESIGN_UNIT_SPHERES_H_
#define CLOAK_DESIGN_UNIT_SPHERES_H_

#include <functional>
#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// Matrices R (r x N) that the outputs of one unit g, all moving at once by at
// most 1, move by at most 1: |R_g σ| ≤ 1 for all signs σ. Where every row is a
// unit of its own, columns of norm 1.
//
// The largest |R_g σ| has kinks where two signs tie, and the best R is at such
// kinks, so a smooth stand-in ν(R_g) is used on the way there: the p-th power
// mean of |R_g σ| over all signs for small units, and for larger ones the bound
// ν² = Σ_ij |G_ij|, G = R_gᵀR_g, with |G_ij| rounded off near 0.
class UnitSpheres {
 public:
  UnitSpheres(const PrivacyUnits& units, const Threads& threads);

  // Doubles p from now on.
  void Sharpen();

  // Divides each unit's columns by ν. A unit whose columns are all zero gets
  // the first unit vector, shared out.
  void Normalize(Matrix& R) const;

  // Divides each unit's columns by the longest |R_g σ|, or for units too large
  // to try all signs, by a bound that none exceeds.
  void NormalizeSafely(Matrix& R) const;

  // Turns the gradient of F at a normalised R into that of F(normalised R),
  //   ∂F_g − ⟨∂F_g, R_g⟩ ∂ν.
  void Project(const Matrix& R, Matrix& gradient) const;

  // For every unit, C_g = Σ w_σ σσᵀ over long signs of R_g, Σ w_σ = 1: for
  // small units ∂ν is along R_g C_g. Empty where every row is a unit.
  std::vector<Matrix> SignMoments(const Matrix& R) const;

 private:
  struct Length {
    double nu = 0;
    Matrix slope;  // ∂ν is along R_g · slope
  };
  Length LengthOf(const Matrix& A) const;
  void ForUnits(const std::function<void(Index unit)>& body) const;

  const PrivacyUnits& units_;
  Threads threads_;
  Index enumerated_;  // rows of the largest unit that is called small
  std::vector<Matrix> all_signs_;  // one a column, by the size of the unit
  double p_ = 16;
};

}  // namespace cloak

#endif  // CLOAK_DESIGN_UNIT_SPHERES_H_
