#include "cloak/linalg/cell_tree.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "cloak/base/error.h"

namespace cloak {
namespace {

double Between(double lower, double upper) {
  return lower + (upper - lower) / 2;
}

}  // namespace

CellTree::CellTree(const Vector& lower, const Vector& upper)
    : CellTree(Grid(lower, upper,
                    std::vector<Index>(static_cast<size_t>(lower.size()), 1))) {
}

CellTree::CellTree(const Grid& grid)
    : lower_(grid.lower()),
      upper_(grid.upper()),
      nodes_(1),
      node_of_(static_cast<size_t>(grid.size())),
      parents_(static_cast<size_t>(grid.size())) {
  std::iota(parents_.begin(), parents_.end(), Index{0});
  boxes_ = grid.BoxesOf(parents_);
  AddGrid(grid, 0, std::vector<Index>(grid.counts().size(), 0), grid.counts());
}

void CellTree::AddGrid(const Grid& grid, size_t at, std::vector<Index> first,
                       std::vector<Index> last) {
  Index cell = 0;
  for (size_t j = first.size(); j-- > 0;) {
    cell = cell * grid.counts()[j] + first[j];
  }
  for (size_t j = 0; j < first.size(); ++j) {
    if (last[j] - first[j] < 2) continue;
    const Index middle = (first[j] + last[j]) / 2;
    // The lower edge of the cell that the upper part begins with.
    Index stride = 1;
    for (size_t i = 0; i < j; ++i) stride *= grid.counts()[i];
    const Index above = cell + (middle - first[j]) * stride;
    const auto input = static_cast<Index>(j);
    const Node cut = CutNode(at, input, boxes_.lower(above, input));
    const Index end = std::exchange(last[j], middle);
    AddGrid(grid, cut.below, first, last);
    first[j] = middle;
    last[j] = end;
    AddGrid(grid, cut.above, std::move(first), std::move(last));
    return;
  }
  nodes_[at].cell = cell;
  node_of_[static_cast<size_t>(cell)] = at;
}

CellTree::Node CellTree::CutNode(size_t at, Index input, double edge) {
  const size_t below = nodes_.size();
  nodes_.resize(below + 2);
  nodes_[at].input = input;
  nodes_[at].edge = edge;
  nodes_[at].below = below;
  nodes_[at].above = below + 1;
  return nodes_[at];
}

bool CellTree::CanBeCut(Index cell, Index input) const {
  const double lower = boxes_.lower(cell, input);
  const double upper = boxes_.upper(cell, input);
  const double middle = Between(lower, upper);
  return lower < middle && middle < upper;
}

void CellTree::Cut(Index cell, Index input) {
  if (!CanBeCut(cell, input)) throw Error("a cell is too small to be cut");
  const double middle =
      Between(boxes_.lower(cell, input), boxes_.upper(cell, input));
  const Node cut = CutNode(node_of_[static_cast<size_t>(cell)], input, middle);
  const Index other = size();
  nodes_[cut.below].cell = cell;
  nodes_[cut.above].cell = other;
  node_of_[static_cast<size_t>(cell)] = cut.below;
  node_of_.push_back(cut.above);
  parents_.push_back(cell);
  for (Matrix* edges : {&boxes_.lower, &boxes_.upper}) {
    edges->conservativeResize(other + 1, Eigen::NoChange);
    edges->row(other) = edges->row(cell);
  }
  boxes_.upper(cell, input) = middle;
  boxes_.lower(other, input) = middle;
}

Matrix CellTree::Centres() const {
  return boxes_.lower + (boxes_.upper - boxes_.lower) / 2;
}

Vector CellTree::Shares() const {
  const Matrix widths = (boxes_.upper - boxes_.lower) *
                        (upper_ - lower_).cwiseInverse().asDiagonal();
  return widths.rowwise().prod();
}

std::vector<Index> CellTree::AncestorsAmong(Index cells) const {
  std::vector<Index> ancestors(parents_.size());
  for (size_t c = 0; c < ancestors.size(); ++c) {
    // A parent has a smaller number than its child, so it is already known.
    const auto cell = static_cast<Index>(c);
    ancestors[c] =
        cell < cells ? cell : ancestors[static_cast<size_t>(parents_[c])];
  }
  return ancestors;
}

}  // namespace cloak
