#ifndef CLOAK_AUDIT_NEIGHBOURS_H_
#define CLOAK_AUDIT_NEIGHBOURS_H_

#include <vector>

#include "cloak/audit/made_up_rows.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/models/observed_release.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "cloak/privacy/integer128.h"

namespace cloak {

// Two made-up tables that differ in what one promise protects, and what a
// mechanism would publish of each without its noise, in its units: an auditor's
// own computation, of the first numbers that are published or all of them.
struct NeighbouringTables {
  Index unit = 0;  // whose outputs differ, or which row
  MadeUpRows table;
  MadeUpRows other;
  std::vector<Int128> statistic;
  std::vector<Int128> other_statistic;
  // |other_statistic - statistic|^2: a sensitivity below it is refuted. The
  // largest Uint128 stands for more than that.
  Uint128 distance_squared = 0;
};

// |b - a|^2 of vectors of the same size, or the largest Uint128.
Uint128 DistanceSquared(const std::vector<Int128>& a,
                        const std::vector<Int128>& b);

// Neighbours that a release of outputs keeps far apart. Nothing that the
// mechanism says of its sensitivity is used: the integers are computed anew
// from R(), step(), squares_step() and bounds(), and every distance is that of
// two real tables.
//
// - The first pair is the farthest apart of those in which the outputs of a
//   unit go from one bound to the other: for certain where no unit has more
//   than kEnumeratedRows rows; for larger units, as far as a search finds.
// - In the second, outputs of a unit that are at a bound go missing: that moves
//   the sum of squares, and the number of outputs that are there, as much as
//   they can be.
//
// Throws PrivacyFailure when R() is not on the grid that step() says.
std::vector<NeighbouringTables> OutputNeighbours(const ObservedOutputs& release,
                                                 const PrivacyUnits& units);

// The first of them, where outputs count within the mechanism's bounds.
NeighbouringTables FarthestNeighbours(const GaussianMechanism& mechanism,
                                      const PrivacyUnits& units);
ObservedOutputs WithinItsBounds(const GaussianMechanism& mechanism);

inline constexpr Index kEnumeratedRows = 12;

// t = P q, W times the sum of |q|^2/Q where the mechanism has squares, and the
// weights of the outputs that are not missing, for outputs that are all at a
// bound, in the middle or missing (where q has no rounding).
std::vector<Int128> ExactNumbers(const ObservedOutputs& release,
                                 const Vector& outputs);

}  // namespace cloak

#endif  // CLOAK_AUDIT_NEIGHBOURS_H_
