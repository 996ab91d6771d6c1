#include <algorithm>
#include <memory>
#include <numeric>

#include "cloak/base/text.h"
#include "cloak/kernels/node.h"
#include "cloak/kernels/parameter.h"

namespace cloak {
namespace {

// The base of bias and white: one variance, the same at every input.
class Constant : public KernelNode {
 public:
  Constant(const std::string& name, double variance)
      : name_(name), variance_(variance) {
    CheckPositive(variance, "variance of " + name);
  }

  std::string ToString() const override {
    return Text(name_, "(", variance_, ")");
  }
  void CheckInputs(Index) const override {}
  std::vector<KernelParameter> Parameters() const override {
    return {{"variance", variance_}};
  }
  Index ParameterCount() const override { return 1; }
  Index ScratchTiles() const override { return 0; }
  Vector Variances(const Matrix& X) const override {
    return Vector::Constant(X.rows(), variance_);
  }
  double VarianceBound() const override { return variance_; }
  double VarianceBound(const Vector&, const Vector&) const override {
    return variance_;
  }

 protected:
  double variance() const { return variance_; }

 private:
  std::string name_;
  double variance_;
};

class Bias final : public Constant {
 public:
  explicit Bias(double variance) : Constant("bias", variance) {}

  NodePointer WithParameters(std::span<const double> values) const override {
    return std::make_shared<Bias>(values[0]);
  }
  std::vector<BoxTerm> BoxTerms(Index inputs) const override {
    return {{.factor = variance(), .rates = Vector::Zero(inputs)}};
  }
  KernelShape Shape() const override {
    return {.decreasing = true, .product = true};
  }
  void Evaluate(const Tile& tile, double* k, double*) const override {
    std::fill_n(k, tile.size(), variance());
  }
  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double*) const override {
    gradient[0] = std::accumulate(weights, weights + tile.size(), gradient[0]);
  }
};

class White final : public Constant {
 public:
  explicit White(double variance) : Constant("white", variance) {}

  NodePointer WithParameters(std::span<const double> values) const override {
    return std::make_shared<White>(values[0]);
  }
  void Evaluate(const Tile& tile, double* k, double*) const override {
    std::fill_n(k, tile.size(), 0.0);
    ForDiagonal(tile, [&](Index entry) { k[entry] = variance(); });
  }
  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double*) const override {
    ForDiagonal(tile, [&](Index entry) { gradient[0] += weights[entry]; });
  }
};

}  // namespace

NodePointer MakeBias(double variance) {
  return std::make_shared<Bias>(variance);
}
NodePointer MakeWhite(double variance) {
  return std::make_shared<White>(variance);
}

}  // namespace cloak
