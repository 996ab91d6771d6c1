#ifndef CLOAK_AUDIT_ROW_NEIGHBOURS_H_
#define CLOAK_AUDIT_ROW_NEIGHBOURS_H_

#include <vector>

#include "cloak/audit/neighbours.h"
#include "cloak/linalg/matrix.h"
#include "cloak/models/observed_release.h"

namespace cloak {

// Neighbours of which one row, inputs and output, is substituted by another,
// that a release of `rows` rows keeps far apart. As of OutputNeighbours, what
// the mechanism says of its sensitivity is not used: the integers are computed
// anew from features(), step() and the weights of counts and squares, and every
// pair of cells is tried.
//
// - The first pair is the farthest of those with outputs at a bound before and
//   after. Delta^2 is a bound that comes near to it, or equals it.
// - In the second, an output in the middle of the bounds of its cell goes to a
//   bound: that moves the sum of squares most.
// - In the third, the row that adds most to the sums goes missing.
//
// Throws PrivacyFailure when features() are not on the grid that step() says.
std::vector<NeighbouringTables> CellNeighbours(const ObservedCells& release,
                                               Index rows);

// The same of rows without outputs: the farthest pair, and one in which the row
// that adds most goes missing.
std::vector<NeighbouringTables> FeatureNeighbours(
    const ObservedFeatures& release, Index rows);

}  // namespace cloak

#endif  // CLOAK_AUDIT_ROW_NEIGHBOURS_H_
