#include <memory>
#include <utility>

#include "cloak/base/text.h"
#include "cloak/kernels/grid.h"
#include "cloak/kernels/node.h"
#include "cloak/kernels/parameter.h"

namespace cloak {
namespace {

// k = v [x and x' are in the same cell]: the sum over cells c of
// v · 1_c(x) 1_c(x'), so positive semi-definite. The trait of a row is the
// number of its cell, which a double holds exactly.
class Bins final : public KernelNode {
 public:
  Bins(double variance, Grid grid)
      : variance_(variance), grid_(std::move(grid)) {
    CheckPositive(variance, "variance of bins");
  }

  std::string ToString() const override {
    return Text("bins(variance=", variance_,
                ", lower=", cloak::ToString(grid_.lower()),
                ", upper=", cloak::ToString(grid_.upper()),
                ", count=", cloak::ToString(grid_.count()), ")");
  }
  void CheckInputs(Index dimension) const override {
    grid_.CheckInputs(dimension);
  }
  std::vector<KernelParameter> Parameters() const override {
    return {{"variance", variance_}};
  }
  Index ParameterCount() const override { return 1; }
  NodePointer WithParameters(std::span<const double> values) const override {
    return std::make_shared<Bins>(values[0], grid_);
  }

  Index TraitCount() const override { return 1; }
  void ComputeTraits(const Matrix& X,
                     Eigen::Ref<Matrix> traits) const override {
    const std::vector<Index> cells = grid_.CellsOf(X);
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
  Grid grid_;
};

}  // namespace

NodePointer MakeBins(double variance, const PerInput& lower,
                     const PerInput& upper, const PerInput& count) {
  return std::make_shared<Bins>(variance, Grid(lower, upper, count));
}

}  // namespace cloak
