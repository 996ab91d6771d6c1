#ifndef CLOAK_LINALG_MICROAGGREGATE_H_
#define CLOAK_LINALG_MICROAGGREGATE_H_

#include <vector>

#include "cloak/linalg/kmeans.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// A number that is a mean over at least so many rows, or that so many rows
// share, is nobody's.
inline constexpr Index kLeastGroup = 10;

// Rows that lie together.
struct RowGroups {
  Matrix centres;     // the mean of each group
  Vector weights;     // how many rows it has
  Matrix deviations;  // root mean squares of the distances from the centre
  // The group of each of the different rows.
  std::vector<Index> of_distinct;
};

// Groups of at least `least` rows (which there must be), at most `most` of
// them; together the groups have all rows. Rows are cut in two, as evenly as
// can be, across the column in which they are widest in standard deviations,
// and so on with the group in which they lie farthest apart; rows that are
// alike stay together. The order of the rows does not matter.
RowGroups GroupRows(const DistinctRows& distinct, Index most, Index least);

// The means of groups of at least kLeastGroup rows, and how many rows each has.
// None when there are fewer rows than a group needs.
KMeansClusters Microaggregates(const DistinctRows& distinct, Index most);

}  // namespace cloak

#endif  // CLOAK_LINALG_MICROAGGREGATE_H_
