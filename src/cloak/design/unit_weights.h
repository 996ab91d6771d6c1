#ifndef CLOAK_DESIGN_UNIT_WEIGHTS_H_
#define CLOAK_DESIGN_UNIT_WEIGHTS_H_

#include "cloak/design/interior_point.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"

namespace cloak {

// OptimizeWeights for the points that the outputs of one unit reach together:
// every signed sum Σ_(i ∈ g) σ_i a_i of the columns a_i of A that belong to
// unit g. When every row is a unit, these are the columns.
//
// A unit of k rows has 2^(k−1) of them, of which few matter, so that they are
// looked for as they are violated. The columns themselves are points too: they
// are means of signed sums, so that nothing is asked that the signed sums do
// not ask, and they span the space whatever the units are. Weights on any such
// points bound the optimum (weak duality), so that the gap is honest whatever
// the search has missed: `largest` is an upper bound over all signed sums.
//
// With units of several rows the tolerance is at least 1e-4, and 1e-3 where a
// unit is bounded and not enumerated; what was reached is in the gap.
DesignWeights OptimizeForUnits(const DesignCriterion& criterion,
                               const Matrix& A, const PrivacyUnits& units,
                               const InteriorPointOptions& options);

// The largest |Σ_(i ∈ g) σ_i r_i|² over units g and signs σ, for the columns
// r_i of R; an upper bound where a unit is too large to enumerate.
double LargestUnitMove(const Matrix& R, const PrivacyUnits& units);

}  // namespace cloak

#endif  // CLOAK_DESIGN_UNIT_WEIGHTS_H_
