#include "cloak/linalg/grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
Grid::Grid(Vector lower, Vector upper, std::vector<Index> counts)
    : lower_(std::move(lower)),
      upper_(std::move(upper)),
      counts_(std::move(counts)) {
  RequireInput(lower_.size() > 0 && upper_.size() == lower_.size() &&
                   static_cast<Index>(counts_.size()) == lower_.size(),
               "cells need a range and a count for each input, and at least "
               "one input");
  double cells = 1;
  for (Index j = 0; j < lower_.size(); ++j) {
    RequireInput(lower_(j) < upper_(j) && std::isfinite(upper_(j) - lower_(j)),
                 "cells must have finite ranges with lower < upper, but "
                 "input ",
                 j, " has ", lower_(j), " and ", upper_(j));
    const Index count = counts_[static_cast<size_t>(j)];
    RequireInput(count >= 1,
                 "there must be at least one cell in each input, but "
                 "input ",
                 j, " has ", count);
    cells *= static_cast<double>(count);
    RequireInput(cells <= kMostCells,
                 "there must be at most 2^53 cells; take fewer in each input");
    size_ *= count;
  }
}

Index Grid::IntervalOf(Index j, double x) const {
  if (std::isnan(x)) return 0;
  const Index count = counts_[static_cast<size_t>(j)];
  const double inside = std::clamp(x, lower_(j), upper_(j));
  const double position = (inside - lower_(j)) / (upper_(j) - lower_(j)) *
                          static_cast<double>(count);
  return std::clamp<Index>(static_cast<Index>(position), 0, count - 1);
}

std::vector<Index> Grid::CellsOf(const Matrix& X) const {
  std::vector<Index> cells;
  cells.reserve(static_cast<size_t>(X.rows()));
  for (Index i = 0; i < X.rows(); ++i) cells.push_back(CellOf(X.row(i)));
  return cells;
}

Matrix Grid::Centres() const {
  Matrix centres(size_, inputs());
  Index stride = 1;
  for (Index j = 0; j < inputs(); ++j) {
    const Index count = counts_[static_cast<size_t>(j)];
    const double width = (upper_(j) - lower_(j)) / static_cast<double>(count);
    for (Index c = 0; c < size_; ++c) {
      const auto interval = static_cast<double>(c / stride % count);
      centres(c, j) = lower_(j) + (interval + 0.5) * width;
    }
    stride *= count;
  }
  return centres;
}

Boxes Grid::BoxesOf(const std::vector<Index>& cells) const {
  const auto rows = static_cast<Index>(cells.size());
  Boxes boxes{Matrix(rows, inputs()), Matrix(rows, inputs())};
  const auto edge = [this](Index j, Index position) {
    const Index count = counts_[static_cast<size_t>(j)];
    const double width = upper_(j) - lower_(j);
    return position == count
               ? upper_(j)
               : lower_(j) + width * static_cast<double>(position) /
                                 static_cast<double>(count);
  };
  for (Index i = 0; i < rows; ++i) {
    Index rest = cells[static_cast<size_t>(i)];
    for (Index j = 0; j < inputs(); ++j) {
      const Index count = counts_[static_cast<size_t>(j)];
      boxes.lower(i, j) = edge(j, rest % count);
      boxes.upper(i, j) = edge(j, rest % count + 1);
      rest /= count;
    }
  }
  return boxes;
}

}  // namespace cloak
