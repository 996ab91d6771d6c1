#include "cloak/kernels/grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/kernels/parameter.h"
#include "cloak/linalg/cells.h"

namespace cloak {
namespace {

constexpr double kMostCells = 0x1p53;

}  // namespace

Grid::Grid(PerInput lower, PerInput upper, PerInput count)
    : lower_(std::move(lower)),
      upper_(std::move(upper)),
      count_(std::move(count)) {
  CheckPositive(count_, "count of bins");
  for (const double cells : count_.values()) {
    RequireInput(cells == std::floor(cells) && cells <= kMostCells,
                 "count of bins must be a whole number, but is ", cells);
  }
  // A list of another length than another is told of by CheckInputs.
  const size_t most = std::max(lower_.values().size(), upper_.values().size());
  RequireInput(!lower_.values().empty() && !upper_.values().empty(),
               "lower and upper of bins must have at least one number");
  for (size_t j = 0; j < most; ++j) {
    const double low = lower_.values()[std::min(j, lower_.values().size() - 1)];
    const double high =
        upper_.values()[std::min(j, upper_.values().size() - 1)];
    RequireInput(low < high && std::isfinite(high - low),
                 "lower and upper of bins must be finite with lower < "
                 "upper, but are ",
                 low, " and ", high);
  }
}

void Grid::CheckInputs(Index inputs) const {
  CheckLength(lower_, inputs, "lower of bins");
  CheckLength(upper_, inputs, "upper of bins");
  CheckLength(count_, inputs, "count of bins");
  double cells = 1;
  for (Index d = 0; d < inputs; ++d) cells *= count_[d];
  RequireInput(cells <= kMostCells,
               "bins must have at most 2^53 cells, but has ",
               RoundedText(cells), "; take fewer in each input");
}

Index Grid::CellCount(Index inputs) const {
  CheckInputs(inputs);
  Index cells = 1;
  for (Index d = 0; d < inputs; ++d) cells *= static_cast<Index>(count_[d]);
  return cells;
}

std::vector<Index> Grid::CellsOf(const Matrix& X) const {
  CheckInputs(X.cols());
  Vector lower(X.cols());
  Vector upper(X.cols());
  std::vector<Index> counts;
  for (Index d = 0; d < X.cols(); ++d) {
    lower(d) = lower_[d];
    upper(d) = upper_[d];
    counts.push_back(static_cast<Index>(count_[d]));
  }
  const Cells cells(lower, upper, counts);
  std::vector<Index> of_rows(static_cast<size_t>(X.rows()), 0);
  for (Index d = X.cols() - 1; d >= 0; --d) {
    for (Index i = 0; i < X.rows(); ++i) {
      Index& cell = of_rows[static_cast<size_t>(i)];
      cell =
          cell * counts[static_cast<size_t>(d)] + cells.IntervalOf(d, X(i, d));
    }
  }
  return of_rows;
}

Boxes Grid::BoxesOf(const std::vector<Index>& cells, Index inputs) const {
  CheckInputs(inputs);
  const auto rows = static_cast<Index>(cells.size());
  Boxes boxes{Matrix(rows, inputs), Matrix(rows, inputs)};
  for (Index i = 0; i < rows; ++i) {
    Index rest = cells[static_cast<size_t>(i)];
    for (Index d = 0; d < inputs; ++d) {
      const auto count = static_cast<Index>(count_[d]);
      const double width = upper_[d] - lower_[d];
      const auto edge = [&](Index position) {
        return position == count
                   ? upper_[d]
                   : lower_[d] +
                         width * static_cast<double>(position) / count_[d];
      };
      boxes.lower(i, d) = edge(rest % count);
      boxes.upper(i, d) = edge(rest % count + 1);
      rest /= count;
    }
  }
  return boxes;
}

}  // namespace cloak
