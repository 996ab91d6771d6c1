#ifndef CLOAK_KERNELS_STATIONARY_H_
#define CLOAK_KERNELS_STATIONARY_H_

#include <string>
#include <string_view>
#include <vector>

#include "cloak/kernels/node.h"

namespace cloak {

// variance · f(s) with s = r² = Σ_d (x_d − x'_d)²/lengthscale_d² and f(0) = 1.
class Stationary : public KernelNode {
 public:
  Stationary(std::string_view name, double variance, PerInput lengthscale);

  std::string ToString() const override;
  void CheckInputs(Index dimension) const override;
  std::vector<KernelParameter> Parameters() const override;
  Index ParameterCount() const override;
  Index ScratchTiles() const override { return 3; }
  void Evaluate(const Tile& tile, double* k, double* scratch) const override;
  // Leaves s in the first tile of scratch and f(s) in the second.
  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double* scratch) const override;
  Vector Variances(const Matrix& X) const override;
  // Every f here decreases to 0.
  KernelShape Shape() const override {
    return {.decreasing = true, .radial = lengthscale_};
  }
  double VarianceBound() const override { return variance_; }
  double VarianceBound(const Vector&, const Vector&) const override {
    return variance_;
  }

 protected:
  // values: s → factor · f(s), with room for n numbers in scratch.
  virtual void Profile(double* values, Index n, double factor,
                       double* scratch) const = 0;
  // f = f(s) and slope = −2 f'(s); where f' is infinite (s = 0), 0.
  virtual void ProfileAndSlope(const double* s, Index n, double* f,
                               double* slope) const = 0;

  const std::string& name() const { return name_; }
  double variance() const { return variance_; }
  const PerInput& lengthscale() const { return lengthscale_; }

 private:
  std::string name_;
  double variance_;
  PerInput lengthscale_;
  std::vector<double> inverse_lengthscale_;
};

}  // namespace cloak

#endif  // CLOAK_KERNELS_STATIONARY_H_
