#ifndef CLOAK_LINALG_GRID_H_
#define CLOAK_LINALG_GRID_H_

#include <vector>

#include "cloak/linalg/boxes.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// A box of inputs cut into cells: input j in counts[j] equal intervals from
// lower(j) to upper(j). Cells are numbered from 0 on, the first input fastest.
class Grid {
 public:
  static constexpr double kMostCells = 0x1p53;

  // Throws InvalidInput unless there is at least one input, lower < upper and
  // both are finite, every count is at least 1, and there are at most 2^53
  // cells.
  Grid(Vector lower, Vector upper, std::vector<Index> counts);

  Index inputs() const { return lower_.size(); }
  Index size() const { return size_; }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  const std::vector<Index>& counts() const { return counts_; }

  // Returns the interval of input j that x is in. What lies outside is in the
  // nearest, and what is not a number in the first.
  Index IntervalOf(Index j, double x) const;

  // Returns the cell of the row whose input j is row(j).
  template <typename Row>
  Index CellOf(const Row& row) const {
    Index cell = 0;
    for (Index j = inputs() - 1; j >= 0; --j) {
      cell = cell * counts_[static_cast<size_t>(j)] + IntervalOf(j, row(j));
    }
    return cell;
  }
  // Returns the cell of each row of X.
  std::vector<Index> CellsOf(const Matrix& X) const;

  // Returns the middle of each cell as a row: size() x inputs().
  Matrix Centres() const;
  // Returns the boxes of some cells, in that order.
  Boxes BoxesOf(const std::vector<Index>& cells) const;

 private:
  Vector lower_;
  Vector upper_;
  std::vector<Index> counts_;
  Index size_ = 1;
};

}  // namespace cloak

#endif  // CLOAK_LINALG_GRID_H_
