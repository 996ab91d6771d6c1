#ifndef CLOAK_LINALG_MICROAGGREGATE_H_
#define CLOAK_LINALG_MICROAGGREGATE_H_

#include "cloak/linalg/kmeans.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// A number that is a mean over at least so many rows, or that so many rows
// share, is nobody's.
inline constexpr Index kLeastGroup = 10;

// The means of groups of at least kLeastGroup rows that lie together, at most
// `most` of them, and how many rows each has; together the groups have all
// rows. None when X has fewer rows than a group needs.
//
// Rows are cut in two, as evenly as can be, across the column in which they are
// widest in standard deviations, and so on with the group in which they lie
// farthest apart; rows that are alike stay together. The order of the rows does
// not matter.
KMeansClusters Microaggregates(const Matrix& X, Index most);

}  // namespace cloak

#endif  // CLOAK_LINALG_MICROAGGREGATE_H_
