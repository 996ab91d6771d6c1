#ifndef CLOAK_LINALG_CELLS_H_
#define CLOAK_LINALG_CELLS_H_

#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// A box of inputs cut into cells: input j in counts[j] equal intervals from
// lower(j) to upper(j). Cells are numbered from 0 on, the first input fastest.
class Cells {
 public:
  // Throws InvalidInput unless there is at least one input, lower < upper and
  // both are finite, every count is at least 1, and there are at most 2^53
  // cells.
  Cells(Vector lower, Vector upper, std::vector<Index> counts);

  Index inputs() const { return lower_.size(); }
  Index size() const { return size_; }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  const std::vector<Index>& counts() const { return counts_; }

  // Which interval of input j the value x is in. What lies outside is in the
  // nearest, and what is not a number in the first.
  Index IntervalOf(Index j, double x) const;

  // The middle of each cell, as rows: size() x inputs().
  Matrix Centres() const;

 private:
  Vector lower_;
  Vector upper_;
  std::vector<Index> counts_;
  Index size_ = 1;
};

}  // namespace cloak

#endif  // CLOAK_LINALG_CELLS_H_
