#ifndef CLOAK_GP_CONSISTENT_COUNTS_H_
#define CLOAK_GP_CONSISTENT_COUNTS_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// Counts that are possible: not negative, and in all as many as are known.
struct ConsistentCounts {
  Vector count;
  Vector sd;
  Vector lower;
  Vector upper;
};

// Returns the most probable of counts believed to be N(mean, variance), given
// that none is negative and that they sum to `total` (positive). Each is moved
// by the same multiple of its variance, which is what knowing the sum of
// independent normal variables does to them, and no farther than to 0. (Their
// means would not do: of hundreds of empty bins, each has a little, and
// together they take it from those that have many.)
//
// The standard deviation is that of a normal variable cut off at 0. The
// interval has at least the probability `interval` without the knowledge of the
// sum, as it stands where the sum moves much; it always holds the count.
ConsistentCounts MakeConsistent(const Vector& mean, const Vector& variance,
                                double total, double interval);

}  // namespace cloak

#endif  // CLOAK_GP_CONSISTENT_COUNTS_H_
