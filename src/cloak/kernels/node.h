#ifndef CLOAK_KERNELS_NODE_H_
#define CLOAK_KERNELS_NODE_H_

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cloak/kernels/box_term.h"
#include "cloak/kernels/kernel.h"
#include "cloak/kernels/tile.h"

namespace cloak {

class KernelNode;
using NodePointer = std::shared_ptr<const KernelNode>;
using EqReplacement =
    std::function<NodePointer(double variance, const PerInput& lengthscale)>;

// A node of a kernel expression: one of the covariance functions (a leaf), or
// a sum or product. Immutable. Internal to this layer; see Kernel.
class KernelNode {
 public:
  enum class Kind { kLeaf, kSum, kProduct };

  virtual ~KernelNode() = default;

  virtual Kind kind() const { return Kind::kLeaf; }
  virtual std::string ToString() const = 0;
  virtual void CheckInputs(Index dimension) const = 0;
  virtual std::vector<KernelParameter> Parameters() const = 0;
  // Takes as many numbers as there are parameters.
  virtual NodePointer WithParameters(std::span<const double> values) const = 0;

  // The same expression with make(eq) in place of every eq in it; null when
  // there is none.
  virtual NodePointer ReplaceEq(const EqReplacement& /*make*/) const {
    return nullptr;
  }

  virtual Index ParameterCount() const = 0;
  virtual Index Depth() const { return 1; }

  // How many numbers of a row, beside its inputs, Evaluate and AddGradient
  // need in the tile. They are computed once for each row, not for each pair.
  virtual Index TraitCount() const { return 0; }
  // Computes the traits of the rows of X, each a column of `traits`.
  virtual void ComputeTraits(
      const Matrix& /*X*/,
      // NOLINTNEXTLINE(performance-unnecessary-value-param)
      Eigen::Ref<Matrix> /*traits*/) const {}

  // How much room, in tiles of Tile::kMaxSize, `scratch` must have below.
  virtual Index ScratchTiles() const = 0;

  // k = the covariances of the tile.
  virtual void Evaluate(const Tile& tile, double* k, double* scratch) const = 0;

  // gradient_p += Σ_ij weights_ij ∂k_ij/∂θ_p for each parameter θ_p.
  virtual void AddGradient(const Tile& tile, const double* weights,
                           double* gradient, double* scratch) const = 0;

  // The terms whose sum the kernel is, where it has means over boxes in closed
  // form. Throws InvalidInput that says which kernels have, else.
  virtual std::vector<BoxTerm> BoxTerms(Index inputs) const;

  // Claims nothing where nothing is known.
  virtual KernelShape Shape() const { return {}; }

  virtual Vector Variances(const Matrix& X) const = 0;
  virtual double VarianceBound() const = 0;
  virtual double VarianceBound(const Vector& lower,
                               const Vector& upper) const = 0;
};

// The leaves. Each throws InvalidInput unless all numbers are finite and, but
// for places, positive.
NodePointer MakeEq(double variance, const PerInput& lengthscale);
NodePointer MakeMatern12(double variance, const PerInput& lengthscale);
NodePointer MakeMatern32(double variance, const PerInput& lengthscale);
NodePointer MakeMatern52(double variance, const PerInput& lengthscale);
NodePointer MakeRationalQuadratic(double variance, const PerInput& lengthscale,
                                  double alpha);
NodePointer MakePeriodic(double variance, const PerInput& lengthscale,
                         const PerInput& period);
NodePointer MakeLinear(const PerInput& variance);
NodePointer MakeBias(double variance);
NodePointer MakeWhite(double variance);
NodePointer MakeGibbs(const GibbsArguments& arguments);
NodePointer MakeBins(double variance, const PerInput& lower,
                     const PerInput& upper, const PerInput& count);

// The sum or product of two expressions, flattened. Throws InvalidInput when
// it is larger than Kernel allows.
NodePointer MakeSum(const NodePointer& a, const NodePointer& b);
NodePointer MakeProduct(const NodePointer& a, const NodePointer& b);

constexpr Index kMaxKernelParameters = 1000;
constexpr Index kMaxKernelDepth = 64;
constexpr size_t kMaxKernelText = size_t{64} << 10;

}  // namespace cloak

#endif  // CLOAK_KERNELS_NODE_H_
