#ifndef CLOAK_LINALG_CELL_TREE_H_
#define CLOAK_LINALG_CELL_TREE_H_

#include <vector>

#include "cloak/linalg/boxes.h"
#include "cloak/linalg/grid.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// A box of inputs cut into cells that may be small where much happens and large
// elsewhere. It begins as one cell or as a grid, and any cell can be cut in
// two. The cuts form a tree: a row starts at its root and at each cut goes
// below or above, by one comparison with a public number, until no cut is left.
// So each row is in exactly one cell, whatever its numbers are: the cells are
// disjoint, and what lies outside the box is in a cell at its edge.
//
// A cell that is cut keeps its number for its lower half, and the upper half
// gets the next number that is free. The cells of a tree before it was cut any
// further are therefore the first ones of the tree afterwards (AncestorsAmong).
class CellTree {
 public:
  // The box as one cell. Throws InvalidInput as Grid does.
  CellTree(const Vector& lower, const Vector& upper);
  // The cells of a grid, with the same numbers and edges. (Implicit, since a
  // grid is a special case.)
  // NOLINTNEXTLINE(google-explicit-constructor)
  CellTree(const Grid& grid);

  Index inputs() const { return lower_.size(); }
  Index size() const { return boxes_.lower.rows(); }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  // The box of each cell.
  const Boxes& boxes() const { return boxes_; }

  // Whether there is a number between the edges of the cell in this input.
  bool CanBeCut(Index cell, Index input) const;
  // Cuts a cell in the middle of an input. Throws Error unless it can be cut.
  void Cut(Index cell, Index input);

  // Returns the cell of the row whose input j is row(j). What is not a number
  // counts as larger than any number.
  template <typename Row>
  Index CellOf(const Row& row) const {
    const Node* at = nodes_.data();
    while (at->input >= 0) {
      const bool below = row(at->input) < at->edge;
      at = &nodes_[below ? at->below : at->above];
    }
    return at->cell;
  }

  // Returns the middle of each cell as a row: size() x inputs().
  Matrix Centres() const;
  // Returns the part of the box that each cell takes.
  Vector Shares() const;
  // Returns, for each cell, the number that it had when there were `cells` of
  // them: that of the cell which it is or was cut from.
  std::vector<Index> AncestorsAmong(Index cells) const;

 private:
  // A cut of one input at an edge, or, where the input is −1, a cell.
  struct Node {
    Index input = -1;
    double edge = 0;
    size_t below = 0;
    size_t above = 0;
    Index cell = 0;
  };

  // Makes the node `at` one of the cells of the grid whose intervals lie from
  // first(j) to last(j), and of nodes below it.
  void AddGrid(const Grid& grid, size_t at, std::vector<Index> first,
               std::vector<Index> last);
  // Makes the node `at` a cut with two new nodes below it, and returns it.
  Node CutNode(size_t at, Index input, double edge);

  Vector lower_;
  Vector upper_;
  std::vector<Node> nodes_;
  std::vector<size_t> node_of_;  // each cell
  std::vector<Index> parents_;   // of each cell; itself where it was first
  Boxes boxes_;
};

}  // namespace cloak

#endif  // CLOAK_LINALG_CELL_TREE_H_
