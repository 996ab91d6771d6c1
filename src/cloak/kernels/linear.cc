#include <algorithm>
#include <limits>
#include <memory>

#include "cloak/base/text.h"
#include "cloak/kernels/distance.h"
#include "cloak/kernels/node.h"
#include "cloak/kernels/parameter.h"

namespace cloak {
namespace {

// k = Σ_d v_d x_d x'_d.
class Linear final : public KernelNode {
 public:
  explicit Linear(const PerInput& variance) : variance_(variance) {
    CheckPositive(variance, "variance of linear");
  }

  std::string ToString() const override {
    return Text("linear(", cloak::ToString(variance_), ")");
  }
  void CheckInputs(Index dimension) const override {
    CheckLength(variance_, dimension, "variance of linear");
  }
  std::vector<KernelParameter> Parameters() const override {
    std::vector<KernelParameter> parameters;
    AppendParameters(variance_, "variance", &parameters);
    return parameters;
  }
  Index ParameterCount() const override {
    return static_cast<Index>(variance_.values().size());
  }
  NodePointer WithParameters(std::span<const double> values) const override {
    return std::make_shared<Linear>(TakeLike(variance_, &values));
  }

  Index ScratchTiles() const override { return 0; }
  void Evaluate(const Tile& tile, double* k, double*) const override {
    WeightedProducts(tile, variance_.values(), k);
  }
  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double*) const override {
    for (Index d = 0; d < tile.inputs; ++d) {
      gradient[variance_.shared() ? 0 : d] +=
          WeightedProductSum(tile, d, weights);
    }
  }

  std::vector<BoxTerm> BoxTerms(Index inputs) const override {
    BoxTerm term;
    term.slopes = Vector(inputs);
    for (Index d = 0; d < inputs; ++d) term.slopes(d) = variance_[d];
    return {term};
  }

  // The same operations in the same order as Evaluate, and below: rounding is
  // monotone, so no k(x, x) computed inside the box exceeds its bound.
  Vector Variances(const Matrix& X) const override {
    Vector variances = Vector::Zero(X.rows());
    for (Index d = 0; d < X.cols(); ++d) {
      variances.array() += variance_[d] * X.col(d).array().square();
    }
    return variances;
  }
  double VarianceBound() const override {
    return std::numeric_limits<double>::infinity();
  }
  double VarianceBound(const Vector& lower,
                       const Vector& upper) const override {
    double bound = 0;
    for (Index d = 0; d < lower.size(); ++d) {
      bound +=
          variance_[d] * std::max(lower[d] * lower[d], upper[d] * upper[d]);
    }
    return bound;
  }

 private:
  PerInput variance_;
};

}  // namespace

NodePointer MakeLinear(const PerInput& variance) {
  return std::make_shared<Linear>(variance);
}

}  // namespace cloak
