#include "cloak/kernels/bins.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/kernels/node.h"
#include "cloak/kernels/parameter.h"

namespace cloak {
namespace {

// k = v [x and x' are in the same cell]: the sum over cells c of
// v · 1_c(x) 1_c(x'), so positive semi-definite. The trait of a row is the
// number of its cell, which a double holds exactly.
class Bins final : public KernelNode {
 public:
  Bins(double variance, const PerInput& lower, const PerInput& upper,
       const PerInput& count)
      : variance_(variance), lower_(lower), upper_(upper), count_(count) {
    CheckBins(lower, upper, count);
    CheckPositive(variance, "variance of bins");
  }

  std::string ToString() const override {
    return Text("bins(variance=", variance_,
                ", lower=", cloak::ToString(lower_),
                ", upper=", cloak::ToString(upper_),
                ", count=", cloak::ToString(count_), ")");
  }
  void CheckInputs(Index dimension) const override {
    BinGrid(lower_, upper_, count_, dimension);
  }
  std::vector<KernelParameter> Parameters() const override {
    return {{"variance", variance_}};
  }
  Index ParameterCount() const override { return 1; }
  NodePointer WithParameters(std::span<const double> values) const override {
    return std::make_shared<Bins>(values[0], lower_, upper_, count_);
  }

  Index TraitCount() const override { return 1; }
  void ComputeTraits(const Matrix& X,
                     Eigen::Ref<Matrix> traits) const override {
    const std::vector<Index> cells =
        BinGrid(lower_, upper_, count_, X.cols()).CellsOf(X);
    for (Index i = 0; i < X.rows(); ++i) {
      traits(i, 0) = static_cast<double>(cells[static_cast<size_t>(i)]);
    }
  }

  Index ScratchTiles() const override { return 0; }
  void Evaluate(const Tile& tile, double* k, double*) const override {
    for (Index j = 0; j < tile.columns; ++j) {
      for (Index i = 0; i < tile.rows; ++i) {
        k[j * tile.rows + i] =
            tile.x_traits[i] == tile.y_traits[j] ? variance_ : 0;
      }
    }
  }
  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double*) const override {
    for (Index j = 0; j < tile.columns; ++j) {
      for (Index i = 0; i < tile.rows; ++i) {
        if (tile.x_traits[i] == tile.y_traits[j]) {
          gradient[0] += weights[j * tile.rows + i];
        }
      }
    }
  }

  Vector Variances(const Matrix& X) const override {
    return Vector::Constant(X.rows(), variance_);
  }
  double VarianceBound() const override { return variance_; }
  double VarianceBound(const Vector&, const Vector&) const override {
    return variance_;
  }

 private:
  double variance_;
  PerInput lower_;
  PerInput upper_;
  PerInput count_;
};

}  // namespace

void CheckBins(const PerInput& lower, const PerInput& upper,
               const PerInput& count) {
  CheckPositive(count, "count of bins");
  for (const double cells : count.values()) {
    RequireInput(cells == std::floor(cells) && cells <= Grid::kMostCells,
                 "count of bins must be a whole number, but is ", cells);
  }
  // A list of another length than another is told of by BinGrid.
  const size_t most = std::max(lower.values().size(), upper.values().size());
  RequireInput(!lower.values().empty() && !upper.values().empty(),
               "lower and upper of bins must have at least one number");
  for (size_t j = 0; j < most; ++j) {
    const double low = lower.values()[std::min(j, lower.values().size() - 1)];
    const double high = upper.values()[std::min(j, upper.values().size() - 1)];
    RequireInput(low < high && std::isfinite(high - low),
                 "lower and upper of bins must be finite with lower < "
                 "upper, but are ",
                 low, " and ", high);
  }
}

Grid BinGrid(const PerInput& lower, const PerInput& upper,
             const PerInput& count, Index inputs) {
  CheckLength(lower, inputs, "lower of bins");
  CheckLength(upper, inputs, "upper of bins");
  CheckLength(count, inputs, "count of bins");
  Vector low(inputs);
  Vector high(inputs);
  std::vector<Index> counts;
  double cells = 1;
  for (Index d = 0; d < inputs; ++d) {
    low(d) = lower[d];
    high(d) = upper[d];
    counts.push_back(static_cast<Index>(count[d]));
    cells *= count[d];
  }
  RequireInput(cells <= Grid::kMostCells,
               "bins must have at most 2^53 cells, but has ",
               RoundedText(cells), "; take fewer in each input");
  return {std::move(low), std::move(high), std::move(counts)};
}

NodePointer MakeBins(double variance, const PerInput& lower,
                     const PerInput& upper, const PerInput& count) {
  return std::make_shared<Bins>(variance, lower, upper, count);
}

}  // namespace cloak
