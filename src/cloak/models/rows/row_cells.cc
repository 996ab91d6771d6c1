#include "cloak/models/rows/row_cells.h"

#include <algorithm>
#include <iterator>
#include <numbers>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/adaptive_releases.h"
#include "cloak/models/setting.h"
#include "cloak/privacy/cell_mechanism.h"

namespace cloak {
namespace {

constexpr Index kCellsPerInput[] = {128, 24, 9, 5, 4, 3, 2, 2};
static_assert(std::ssize(kCellsPerInput) == kMostRowInputs);

// How many cells the first round has, by the number of inputs, where cells
// adapt: as many in each input.
constexpr Index kFirstCells[] = {128, 16, 64, 16, 32, 64, 128, 256};
static_assert(std::ssize(kFirstCells) == kMostRowInputs);

// And the others. The early rounds know little of where rows are, and what they
// cut in vain remains cut.
constexpr Index kMostCells[] = {0, 128, 128, 400, 800};
static_assert(std::size(kMostCells) == std::size(kBudgetShares));

// The share of rows that are reckoned with anywhere, whatever is believed.
constexpr double kRowsAnywhere = 0.02;

// What f may vary within a cell, as a fraction of the noise variance: less is
// lost in the noise.
constexpr double kLeastVariation = 1e-3;

// The smallest gain of a cut over another that counts, so that rounding errors
// do not choose between cuts that are worth the same.
constexpr double kWorthMore = 1 + 1e-9;

// Returns how much of the prior variance of f lies between the two halves of a
// cell, by a Gauss-Legendre point in each.
double VarianceAcross(const Kernel& kernel, const CellTree& cells, Index cell,
                      Index input) {
  const Boxes& boxes = cells.boxes();
  const double width = boxes.upper(cell, input) - boxes.lower(cell, input);
  Matrix x =
      ((boxes.lower.row(cell) + boxes.upper.row(cell)) / 2).replicate(2, 1);
  x(0, input) -= width / (2 * std::numbers::sqrt3);
  x(1, input) += width / (2 * std::numbers::sqrt3);
  const Matrix K = kernel.Covariance(x, Threads(1));
  return (K(0, 0) + K(1, 1) - 2 * K(0, 1)) / 4;
}

// A cell and an input that it may be cut across.
struct PossibleCut {
  Index cell = -1;
  Index input = 0;
};

PossibleCut BestCut(const Matrix& variance, const Vector& expected_rows,
                    const CellTree& cells) {
  PossibleCut best;
  double most = 0;
  for (Index c = 0; c < cells.size(); ++c) {
    for (Index j = 0; j < cells.inputs(); ++j) {
      const double worth = expected_rows(c) * variance(c, j);
      if (!(worth > most * kWorthMore) || !cells.CanBeCut(c, j)) continue;
      most = worth;
      best = {c, j};
    }
  }
  return best;
}

}  // namespace

Grid EvenCells(const Vector& lower, const Vector& upper,
               const std::optional<std::vector<Index>>& counts) {
  const Index inputs = lower.size();
  Grid cells(lower, upper,
             counts.value_or(std::vector<Index>(static_cast<size_t>(inputs),
                                                kCellsPerInput[inputs - 1])));
  // Before anything is computed of each.
  RequireInput(cells.size() <= CellMechanism::kMostCells,
               "there may be at most ", CellMechanism::kMostCells,
               " cells in all, but there are ", cells.size(),
               "; take fewer in each input");
  return cells;
}

bool CellsAdapt(Index inputs) { return inputs > 1; }

CellTree FirstCells(const Vector& lower, const Vector& upper,
                    const Kernel& kernel) {
  CellTree cells(lower, upper);
  Vector all = Vector::Ones(1);
  CutCells(kernel, {.most_cells = kFirstCells[lower.size() - 1]}, cells, all);
  return cells;
}

void CutEvenly(const Kernel& kernel, CellTree& cells) {
  Vector rows = cells.Shares();
  CutCells(kernel, {.most_cells = kMostCells[1]}, cells, rows);
}

void CutCells(const Kernel& kernel, const CellCuts& cuts, CellTree& cells,
              Vector& expected_rows) {
  Matrix variance(std::max(cells.size(), cuts.most_cells), cells.inputs());
  const auto measure = [&](Index cell) {
    for (Index j = 0; j < cells.inputs(); ++j) {
      const double across = VarianceAcross(kernel, cells, cell, j);
      variance(cell, j) = across < cuts.least_variance ? 0 : across;
    }
  };
  for (Index c = 0; c < cells.size(); ++c) measure(c);
  while (cells.size() < cuts.most_cells) {
    const PossibleCut cut = BestCut(variance, expected_rows, cells);
    if (cut.cell < 0) return;
    cells.Cut(cut.cell, cut.input);
    const Index other = cells.size() - 1;
    expected_rows.conservativeResize(cells.size());
    expected_rows(cut.cell) /= 2;
    expected_rows(other) = expected_rows(cut.cell);
    measure(cut.cell);
    measure(other);
  }
}

std::unique_ptr<RowInference> CutForRound(size_t round,
                                          const RowInference& model,
                                          std::vector<PublishedSums>& rounds,
                                          RowBelief& belief) {
  CellTree cells = model.cells();
  Vector expected_rows =
      (1 - kRowsAnywhere) * belief.expected_rows +
      kRowsAnywhere * belief.expected_rows.sum() * cells.Shares();
  CutCells(belief.f->basis.kernel(),
           {.most_cells = kMostCells[round],
            .least_variance = kLeastVariation * belief.noise_variance},
           cells, expected_rows);
  const std::vector<Index> ancestors =
      cells.AncestorsAmong(model.cells().size());
  for (PublishedSums& published : rounds) {
    published = OverParts(published, ancestors);
  }
  std::unique_ptr<RowInference> finer = model.OnCells(cells, expected_rows);
  belief = finer->BeliefHere(std::move(belief), expected_rows);
  return finer;
}

}  // namespace cloak
