#ifndef CLOAK_PRIVACY_HINGE_SOLVER_H_
#define CLOAK_PRIVACY_HINGE_SOLVER_H_

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/privacy/hinge_dual.h"

namespace cloak {

// Brings `dual`, of the columns of X and the margin T, to a state that is
// Certified(): by an interior-point method, whose numbers are doubles and are
// not trusted, and from where that ends by sweeps, which cannot fail
// (hinge_dual.h). How long it takes depends on the rows.
void SolveHinge(const Matrix& X, Int128 margin, const Threads& threads,
                HingeDual& dual);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_HINGE_SOLVER_H_
