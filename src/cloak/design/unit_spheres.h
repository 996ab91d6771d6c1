#ifndef CLOAK_DESIGN_UNIT_SPHERES_H_
#define CLOAK_DESIGN_UNIT_SPHERES_H_

#include <functional>
#include <span>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/linalg/units.h"

namespace cloak {

// Matrices R (r x N) that the outputs of one unit g, all moving at once by at
// most 1, move by at most 1: |R_g σ| ≤ 1 for all signs σ. Where every row is a
// unit of its own, columns of norm 1.
class UnitSpheres {
 public:
  UnitSpheres(Units units, const Threads& threads);

  // Divides the columns of each unit by the longest |R_g σ|. A unit whose
  // columns are all zero gets the first unit vector, shared out. For units too
  // large to try all signs, by the longest one that a search finds.
  void Normalize(Matrix& R) const;

  // The same, by a bound that no signs exceed.
  void NormalizeSafely(Matrix& R) const;

  // Turns the gradient of F at a normalised R into that of F(normalised R):
  //   ∂F_g − ⟨∂F_g, R_g⟩ (R_g σ)σᵀ,  σ the longest signs.
  void Project(const Matrix& R, Matrix& gradient) const;

 private:
  void ForUnits(
      const std::function<void(std::span<const Index> rows)>& body) const;

  Units units_;
  Threads threads_;
  Index enumerated_;
};

}  // namespace cloak

#endif  // CLOAK_DESIGN_UNIT_SPHERES_H_
