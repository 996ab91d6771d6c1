#include <algorithm>
#include <memory>
#include <numbers>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/kernels/distance.h"
#include "cloak/kernels/node.h"
#include "cloak/kernels/parameter.h"
#include "cloak/kernels/vector_exp.h"

namespace cloak {
namespace {

// k = v exp(−2 Σ_d sin²(π t_d)/ℓ_d²), t_d = (x_d − x'_d)/p_d (MacKay 1998).
// sin² has period 1 in t_d, so only its distance from the nearest integer
// matters, and many periods away nothing is lost but the bits of x itself.
class Periodic final : public KernelNode {
 public:
  Periodic(double variance, const PerInput& lengthscale, const PerInput& period)
      : variance_(variance), lengthscale_(lengthscale), period_(period) {
    CheckPositive(variance, "variance of periodic");
    CheckPositive(lengthscale, "lengthscale of periodic");
    CheckPositive(period, "period of periodic");
    RequireInput(lengthscale.shared() || period.shared() ||
                     lengthscale.values().size() == period.values().size(),
                 "lengthscale and period of periodic must have one number for "
                 "each input, but have ",
                 lengthscale.values().size(), " and ", period.values().size());
  }

  std::string ToString() const override {
    return Text("periodic(variance=", variance_,
                ", lengthscale=", cloak::ToString(lengthscale_),
                ", period=", cloak::ToString(period_), ")");
  }

  void CheckInputs(Index dimension) const override {
    CheckLength(lengthscale_, dimension, "lengthscale of periodic");
    CheckLength(period_, dimension, "period of periodic");
  }

  std::vector<KernelParameter> Parameters() const override {
    std::vector<KernelParameter> parameters;
    AppendParameters(variance_, "variance", &parameters);
    AppendParameters(lengthscale_, "lengthscale", &parameters);
    AppendParameters(period_, "period", &parameters);
    return parameters;
  }

  Index ParameterCount() const override {
    return FirstPeriod() + static_cast<Index>(period_.values().size());
  }

  NodePointer WithParameters(std::span<const double> values) const override {
    const PerInput variance = TakeLike(variance_, &values);
    const PerInput lengthscale = TakeLike(lengthscale_, &values);
    return std::make_shared<Periodic>(variance[0], lengthscale,
                                      TakeLike(period_, &values));
  }

  Index ScratchTiles() const override { return 3; }

  void Evaluate(const Tile& tile, double* k, double* scratch) const override {
    Unscaled(tile, variance_, k, scratch);
  }

  // ∂k/∂v   = k/v,
  // ∂k/∂ℓ_d = k · 4 sin²(π t_d)/ℓ_d³,
  // ∂k/∂p_d = k · 2π t_d sin(2π t_d)/(p_d ℓ_d²).
  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double* scratch) const override {
    const Index n = tile.size();
    double* weighted = scratch;
    double* sine = scratch + Tile::kMaxSize;
    double* periods = scratch + 2 * Tile::kMaxSize;
    Unscaled(tile, 1, weighted, sine);
    gradient[0] += Dot(weights, weighted, n);
    for (Index i = 0; i < n; ++i) weighted[i] *= weights[i] * variance_;

    for (Index d = 0; d < tile.inputs; ++d) {
      const double l = lengthscale_[d];
      Phases(tile, d, 1 / period_[d], sine);
      SinPiInPlace(sine, n);
      for (Index i = 0; i < n; ++i) sine[i] *= sine[i];
      gradient[lengthscale_.shared() ? 1 : 1 + d] +=
          4 * Dot(weighted, sine, n) / l / l / l;

      Phases(tile, d, 1 / period_[d], sine);
      for (Index i = 0; i < n; ++i) sine[i] *= 2;
      SinPiInPlace(sine, n);
      Periods(tile, d, 1 / period_[d], periods);
      for (Index i = 0; i < n; ++i) sine[i] *= periods[i];
      gradient[FirstPeriod() + (period_.shared() ? 0 : d)] +=
          2 * std::numbers::pi * Dot(weighted, sine, n) / period_[d] / l / l;
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
  Index FirstPeriod() const {
    return 1 + static_cast<Index>(lengthscale_.values().size());
  }

  // k = factor · exp(…), with one tile of scratch.
  void Unscaled(const Tile& tile, double factor, double* k,
                double* scratch) const {
    const Index n = tile.size();
    std::fill_n(k, n, 0.0);
    for (Index d = 0; d < tile.inputs; ++d) {
      const double inverse = 1 / lengthscale_[d];
      Phases(tile, d, 1 / period_[d], scratch);
      SinPiInPlace(scratch, n);
      for (Index i = 0; i < n; ++i) {
        const double scaled = inverse * scratch[i];
        k[i] = std::min(k[i] + scaled * scaled, 1e300);
      }
    }
    ScaledExpInPlace(k, n, -2, factor);
  }

  double variance_;
  PerInput lengthscale_;
  PerInput period_;
};

}  // namespace

NodePointer MakePeriodic(double variance, const PerInput& lengthscale,
                         const PerInput& period) {
  return std::make_shared<Periodic>(variance, lengthscale, period);
}

}  // namespace cloak
