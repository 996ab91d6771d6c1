#ifndef CLOAK_KERNELS_GRID_H_
#define CLOAK_KERNELS_GRID_H_

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// A regular grid of cells: input j is cut in count_j equal intervals from
// lower_j to upper_j. What lies outside belongs to the nearest cell.
class Grid {
 public:
  // Throws InvalidInput unless every number is finite, lower < upper, and the
  // counts are whole numbers, at least 1.
  Grid(PerInput lower, PerInput upper, PerInput count);

  const PerInput& lower() const { return lower_; }
  const PerInput& upper() const { return upper_; }
  const PerInput& count() const { return count_; }

  // Throws InvalidInput when a list has another length, or when there are
  // more than 2^53 cells.
  void CheckInputs(Index inputs) const;

  // How many cells there are with so many inputs.
  Index CellCount(Index inputs) const;

  // Which cell each row of X lies in, from 0 on, the first input fastest.
  std::vector<Index> CellsOf(const Matrix& X) const;

  // The boxes of these cells.
  Boxes BoxesOf(const std::vector<Index>& cells, Index inputs) const;

 private:
  PerInput lower_;
  PerInput upper_;
  PerInput count_;
};

}  // namespace cloak

#endif  // CLOAK_KERNELS_GRID_H_
