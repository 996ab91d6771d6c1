#ifndef CLOAK_KERNELS_TILE_H_
#define CLOAK_KERNELS_TILE_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// A piece of a covariance matrix small enough for the fastest cache. A whole
// expression is evaluated on one tile before the next, so sums and products
// pass over memory once.
//
// Its entries are stored column by column without gaps.
struct Tile {
  static constexpr Index kMaxSize = 4096;

  // Input d of row i is x[i + d · x_stride]; of column j, y[j + d · y_stride].
  const double* x = nullptr;
  const double* y = nullptr;
  Index x_stride = 0;
  Index y_stride = 0;
  Index rows = 0;
  Index columns = 0;
  Index inputs = 0;
  // Trait t of row i (KernelNode::ComputeTraits) is
  // x_traits[i + t · x_stride]; of column j, y_traits[j + t · y_stride].
  const double* x_traits = nullptr;
  const double* y_traits = nullptr;
  // Row i and column j are one and the same observation when
  // i + diagonal == j; kNoDiagonal when no two are.
  static constexpr Index kNoDiagonal = -(Index{1} << 60);
  Index diagonal = kNoDiagonal;

  Index size() const { return rows * columns; }
  // The tile of an expression whose traits stand after the first `count`.
  Tile SkipTraits(Index count) const {
    Tile rest = *this;
    if (count > 0) {
      rest.x_traits += count * x_stride;
      rest.y_traits += count * y_stride;
    }
    return rest;
  }
  double X(Index row, Index input) const { return x[row + input * x_stride]; }
  double Y(Index column, Index input) const {
    return y[column + input * y_stride];
  }
};

// Calls body(entry) with the position of each entry of `tile` whose row and
// column are the same observation.
template <typename Body>
void ForDiagonal(const Tile& tile, const Body& body) {
  if (tile.diagonal == Tile::kNoDiagonal) return;
  for (Index j = 0; j < tile.columns; ++j) {
    const Index i = j - tile.diagonal;
    if (i >= 0 && i < tile.rows) body(j * tile.rows + i);
  }
}

}  // namespace cloak

#endif  // CLOAK_KERNELS_TILE_H_
