#ifndef CLOAK_MODELS_ROWS_ROW_CELLS_H_
#define CLOAK_MODELS_ROWS_ROW_CELLS_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/cell_tree.h"
#include "cloak/linalg/grid.h"
#include "cloak/linalg/matrix.h"
#include "cloak/models/rows/row_inference.h"

namespace cloak {

// Which cells private rows are put into. The first are few and even. After each
// round those are cut in which many rows are expected and f varies much, so
// that the last round, which has most of the budget, sees fine cells where rows
// are and coarse ones elsewhere. All of it depends on nothing but what was
// published.

// Returns as many cells in each input as the custodian gives, or as a single
// partition that serves all rounds has. Throws InvalidInput where these are too
// many or the box is none.
Grid EvenCells(const Vector& lower, const Vector& upper,
               const std::optional<std::vector<Index>>& counts);

// Whether cells are cut from round to round, where the custodian gives none.
// With one input, even cells are as fine as anybody needs.
bool CellsAdapt(Index inputs);

// Returns the cells of the first round, where cells adapt: cut where a function
// with this kernel varies most, if rows were spread evenly.
CellTree FirstCells(const Vector& lower, const Vector& upper,
                    const Kernel& kernel);

// Cuts cells to as many as an early round has, if rows were spread evenly.
void CutEvenly(const Kernel& kernel, CellTree& cells);

struct CellCuts {
  Index most_cells = 0;  // When there are so many, no more are cut.
  // Cells are not cut where f varies less than this across the cut.
  double least_variance = 0;
};

// Cuts cells, at each step the one and across the input for which
//   (rows expected in the cell) x (prior variance of f that the cut explains)
// is largest, and shares out the expected rows.
void CutCells(const Kernel& kernel, const CellCuts& cuts, CellTree& cells,
              Vector& expected_rows);

// Returns the inference on the cells that those of `model` are cut into for
// round `round`, given what the rounds before published; and turns these, and
// the belief that follows from them, into what they say of the new cells.
std::unique_ptr<RowInference> CutForRound(size_t round,
                                          const RowInference& model,
                                          std::vector<PublishedSums>& rounds,
                                          RowBelief& belief);

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_ROW_CELLS_H_
