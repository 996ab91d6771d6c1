#include <algorithm>
#include <memory>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"
#include "cloak/kernels/node.h"

namespace cloak {
namespace {

// A sum or product of two or more expressions, none of which is of the same
// kind (they are flattened).
class Composite : public KernelNode {
 public:
  explicit Composite(std::vector<NodePointer> parts)
      : parts_(std::move(parts)) {
    for (const NodePointer& part : parts_) {
      parameter_count_ += part->ParameterCount();
      depth_ = std::max(depth_, part->Depth() + 1);
      scratch_tiles_ = std::max(scratch_tiles_, part->ScratchTiles());
      trait_count_ += part->TraitCount();
    }
    RequireInput(parameter_count_ <= kMaxKernelParameters,
                 "a kernel must have at most ", kMaxKernelParameters,
                 " parameters, but has ", parameter_count_);
    RequireInput(depth_ <= kMaxKernelDepth, "a kernel must have at most ",
                 kMaxKernelDepth, " levels of nesting, but has ", depth_);
  }

  const std::vector<NodePointer>& parts() const { return parts_; }

  void CheckInputs(Index dimension) const override {
    for (const NodePointer& part : parts_) part->CheckInputs(dimension);
  }

  std::vector<KernelParameter> Parameters() const override {
    std::vector<KernelParameter> parameters;
    for (size_t i = 0; i < parts_.size(); ++i) {
      for (KernelParameter& parameter : parts_[i]->Parameters()) {
        parameters.push_back({Text(i, ".", parameter.path), parameter.value});
      }
    }
    return parameters;
  }

  Index ParameterCount() const override { return parameter_count_; }
  Index Depth() const override { return depth_; }

  Index TraitCount() const override { return trait_count_; }
  void ComputeTraits(const Matrix& X,
                     Eigen::Ref<Matrix> traits) const override {
    Index first = 0;
    for (const NodePointer& part : parts_) {
      const Index count = part->TraitCount();
      if (count > 0) part->ComputeTraits(X, traits.middleCols(first, count));
      first += count;
    }
  }

 protected:
  std::vector<NodePointer> WithPartParameters(
      std::span<const double> values) const {
    std::vector<NodePointer> parts;
    for (const NodePointer& part : parts_) {
      const auto count = static_cast<size_t>(part->ParameterCount());
      parts.push_back(part->WithParameters(values.first(count)));
      values = values.subspan(count);
    }
    return parts;
  }

  // Empty when no part has an eq.
  std::vector<NodePointer> PartsWithoutEq(const EqReplacement& make) const {
    std::vector<NodePointer> parts = parts_;
    bool replaced = false;
    for (NodePointer& part : parts) {
      if (NodePointer changed = part->ReplaceEq(make)) {
        part = std::move(changed);
        replaced = true;
      }
    }
    if (!replaced) parts.clear();
    return parts;
  }

  // Sums and products of what is not negative decrease as their parts do.
  bool PartsDecrease() const {
    return std::all_of(
        parts_.begin(), parts_.end(),
        [](const NodePointer& part) { return part->Shape().decreasing; });
  }

  // The tile as part p sees it.
  Tile TileOf(size_t p, const Tile& tile) const {
    Index before = 0;
    for (size_t q = 0; q < p; ++q) before += parts_[q]->TraitCount();
    return tile.SkipTraits(before);
  }

  Index part_scratch_tiles() const { return scratch_tiles_; }

 private:
  std::vector<NodePointer> parts_;
  Index parameter_count_ = 0;
  Index depth_ = 0;
  Index scratch_tiles_ = 0;
  Index trait_count_ = 0;
};

class Sum final : public Composite {
 public:
  using Composite::Composite;

  Kind kind() const override { return Kind::kSum; }

  std::string ToString() const override {
    std::vector<std::string> terms;
    for (const NodePointer& part : parts()) terms.push_back(part->ToString());
    return Join(terms, " + ");
  }

  NodePointer WithParameters(std::span<const double> values) const override {
    return std::make_shared<Sum>(WithPartParameters(values));
  }
  NodePointer ReplaceEq(const EqReplacement& make) const override {
    const std::vector<NodePointer> parts = PartsWithoutEq(make);
    if (parts.empty()) return nullptr;
    NodePointer sum = parts[0];
    for (size_t p = 1; p < parts.size(); ++p) sum = MakeSum(sum, parts[p]);
    return sum;
  }

  Index ScratchTiles() const override { return part_scratch_tiles() + 1; }

  void Evaluate(const Tile& tile, double* k, double* scratch) const override {
    double* next = scratch + Tile::kMaxSize;
    parts()[0]->Evaluate(tile, k, next);
    for (size_t p = 1; p < parts().size(); ++p) {
      parts()[p]->Evaluate(TileOf(p, tile), scratch, next);
      for (Index i = 0; i < tile.size(); ++i) k[i] += scratch[i];
    }
  }

  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double* scratch) const override {
    for (size_t p = 0; p < parts().size(); ++p) {
      parts()[p]->AddGradient(TileOf(p, tile), weights, gradient, scratch);
      gradient += parts()[p]->ParameterCount();
    }
  }

  std::vector<BoxTerm> BoxTerms(Index inputs) const override {
    std::vector<BoxTerm> sum;
    for (const NodePointer& part : parts()) {
      const std::vector<BoxTerm> terms = part->BoxTerms(inputs);
      sum.insert(sum.end(), terms.begin(), terms.end());
      CheckBoxTermCount(sum.size());
    }
    return sum;
  }

  Vector Variances(const Matrix& X) const override {
    Vector variances = parts()[0]->Variances(X);
    for (size_t p = 1; p < parts().size(); ++p) {
      variances += parts()[p]->Variances(X);
    }
    return variances;
  }

  KernelShape Shape() const override { return {.decreasing = PartsDecrease()}; }
  double VarianceBound() const override {
    double bound = 0;
    for (const NodePointer& part : parts()) bound += part->VarianceBound();
    return bound;
  }
  double VarianceBound(const Vector& lower,
                       const Vector& upper) const override {
    double bound = 0;
    for (const NodePointer& part : parts()) {
      bound += part->VarianceBound(lower, upper);
    }
    return bound;
  }
};

// Infinite as soon as one factor is: another may have underflowed to 0, yet
// is positive.
double BoundOfProduct(double a, double b) {
  return a == kInfinity || b == kInfinity ? kInfinity : a * b;
}

class Product final : public Composite {
 public:
  using Composite::Composite;

  Kind kind() const override { return Kind::kProduct; }

  std::string ToString() const override {
    std::vector<std::string> factors;
    for (const NodePointer& part : parts()) {
      factors.push_back(part->kind() == Kind::kSum
                            ? Text("(", part->ToString(), ")")
                            : part->ToString());
    }
    return Join(factors, " * ");
  }

  NodePointer WithParameters(std::span<const double> values) const override {
    return std::make_shared<Product>(WithPartParameters(values));
  }
  NodePointer ReplaceEq(const EqReplacement& make) const override {
    const std::vector<NodePointer> parts = PartsWithoutEq(make);
    if (parts.empty()) return nullptr;
    NodePointer product = parts[0];
    for (size_t p = 1; p < parts.size(); ++p) {
      product = MakeProduct(product, parts[p]);
    }
    return product;
  }

  Index ScratchTiles() const override { return part_scratch_tiles() + 2; }

  void Evaluate(const Tile& tile, double* k, double* scratch) const override {
    double* next = scratch + Tile::kMaxSize;
    parts()[0]->Evaluate(tile, k, next);
    for (size_t p = 1; p < parts().size(); ++p) {
      parts()[p]->Evaluate(TileOf(p, tile), scratch, next);
      for (Index i = 0; i < tile.size(); ++i) k[i] *= scratch[i];
    }
  }

  // The weights of one factor are the weights of the product times all other
  // factors (never a division by a factor that may be 0).
  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double* scratch) const override {
    double* part_weights = scratch;
    double* factor = scratch + Tile::kMaxSize;
    double* next = scratch + 2 * Tile::kMaxSize;
    for (size_t p = 0; p < parts().size(); ++p) {
      std::copy_n(weights, tile.size(), part_weights);
      for (size_t other = 0; other < parts().size(); ++other) {
        if (other == p) continue;
        parts()[other]->Evaluate(TileOf(other, tile), factor, next);
        for (Index i = 0; i < tile.size(); ++i) part_weights[i] *= factor[i];
      }
      parts()[p]->AddGradient(TileOf(p, tile), part_weights, gradient, next);
      gradient += parts()[p]->ParameterCount();
    }
  }

  std::vector<BoxTerm> BoxTerms(Index inputs) const override {
    std::vector<BoxTerm> product = parts()[0]->BoxTerms(inputs);
    for (size_t p = 1; p < parts().size(); ++p) {
      product = MultiplyBoxTerms(product, parts()[p]->BoxTerms(inputs));
    }
    return product;
  }

  Vector Variances(const Matrix& X) const override {
    Vector variances = parts()[0]->Variances(X);
    for (size_t p = 1; p < parts().size(); ++p) {
      variances.array() *= parts()[p]->Variances(X).array();
    }
    return variances;
  }

  KernelShape Shape() const override {
    const bool product = std::all_of(
        parts().begin(), parts().end(),
        [](const NodePointer& part) { return part->Shape().product; });
    return {.decreasing = PartsDecrease(), .product = product};
  }
  double VarianceBound() const override {
    double bound = 1;
    for (const NodePointer& part : parts()) {
      bound = BoundOfProduct(bound, part->VarianceBound());
    }
    return bound;
  }
  double VarianceBound(const Vector& lower,
                       const Vector& upper) const override {
    double bound = 1;
    for (const NodePointer& part : parts()) {
      bound = BoundOfProduct(bound, part->VarianceBound(lower, upper));
    }
    return bound;
  }
};

void AppendFlattened(const NodePointer& node, KernelNode::Kind kind,
                     std::vector<NodePointer>* parts) {
  if (node->kind() != kind) {
    parts->push_back(node);
    return;
  }
  const auto& inner = static_cast<const Composite&>(*node).parts();
  parts->insert(parts->end(), inner.begin(), inner.end());
}

template <typename Node>
NodePointer MakeComposite(const NodePointer& a, const NodePointer& b,
                          KernelNode::Kind kind) {
  std::vector<NodePointer> parts;
  AppendFlattened(a, kind, &parts);
  AppendFlattened(b, kind, &parts);
  return std::make_shared<Node>(std::move(parts));
}

}  // namespace

NodePointer MakeSum(const NodePointer& a, const NodePointer& b) {
  return MakeComposite<Sum>(a, b, KernelNode::Kind::kSum);
}
NodePointer MakeProduct(const NodePointer& a, const NodePointer& b) {
  return MakeComposite<Product>(a, b, KernelNode::Kind::kProduct);
}

}  // namespace cloak
