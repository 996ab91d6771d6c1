#ifndef CLOAK_AUDIT_NEIGHBOURS_H_
#define CLOAK_AUDIT_NEIGHBOURS_H_

#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/units.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "cloak/privacy/integer128.h"

namespace cloak {

// Two made-up tables that differ in the outputs of one unit, as far apart as
// an auditor could find, and what the mechanism would publish of each without
// its noise, in units of the mechanism.
struct NeighbouringTables {
  Index unit = 0;  // whose outputs differ
  Vector outputs;
  Vector other_outputs;
  std::vector<Int128> statistic;
  std::vector<Int128> other_statistic;
  // |other_statistic - statistic|^2: a sensitivity below it is refuted.
  Uint128 distance_squared = 0;
};

// The neighbours that R() of the mechanism keeps farthest apart. Nothing that
// the mechanism says of its sensitivity is used: the integers are computed
// anew from R(), unit() and bounds(), and every distance is that of two real
// tables. The farthest is found for certain when no unit has more than
// kEnumeratedRows rows; for larger units, as far as a search finds.
//
// Throws PrivacyFailure when R() is not on the grid that unit() says.
NeighbouringTables FarthestNeighbours(const GaussianMechanism& mechanism,
                                      const Units& units);

inline constexpr Index kEnumeratedRows = 12;

// t = P q for outputs that are all at a bound (where q has no rounding), from
// R(), unit() and bounds() alone.
std::vector<Int128> ExactStatistic(const GaussianMechanism& mechanism,
                                   const Vector& outputs);

}  // namespace cloak

#endif  // CLOAK_AUDIT_NEIGHBOURS_H_
