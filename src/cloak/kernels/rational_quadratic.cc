#include <algorithm>
#include <cmath>
#include <memory>

#include "cloak/base/text.h"
#include "cloak/kernels/distance.h"
#include "cloak/kernels/parameter.h"
#include "cloak/kernels/stationary.h"
#include "cloak/kernels/vector_exp.h"

namespace cloak {
namespace {

// f = (1 + q)^(−α) = exp(−α log(1 + q)) with q = s/(2α) (Rasmussen and
// Williams 2006, equation 4.19), so
//   −2f' = f/(1 + q)  and  ∂f/∂α = f · (q/(1 + q) − log(1 + q)).
class RationalQuadratic final : public Stationary {
 public:
  RationalQuadratic(double variance, const PerInput& lengthscale, double alpha)
      : Stationary("rq", variance, lengthscale), alpha_(alpha) {
    CheckPositive(alpha, "alpha of rq");
  }

  std::string ToString() const override {
    return Text("rq(variance=", variance(),
                ", lengthscale=", cloak::ToString(lengthscale()),
                ", alpha=", alpha_, ")");
  }

  std::vector<KernelParameter> Parameters() const override {
    auto parameters = Stationary::Parameters();
    parameters.push_back({"alpha", alpha_});
    return parameters;
  }

  Index ParameterCount() const override {
    return Stationary::ParameterCount() + 1;
  }

  NodePointer WithParameters(std::span<const double> values) const override {
    const PerInput variance = TakeLike(Stationary::variance(), &values);
    const PerInput lengthscale = TakeLike(Stationary::lengthscale(), &values);
    return std::make_shared<RationalQuadratic>(variance[0], lengthscale,
                                               values[0]);
  }

  void AddGradient(const Tile& tile, const double* weights, double* gradient,
                   double* scratch) const override {
    Stationary::AddGradient(tile, weights, gradient, scratch);
    const Index n = tile.size();
    const double* s = scratch;  // as Stationary::AddGradient leaves them
    const double* f = scratch + Tile::kMaxSize;
    double* log = scratch + 2 * Tile::kMaxSize;
    for (Index i = 0; i < n; ++i) log[i] = Quotient(s[i]);
    Log1pInPlace(log, n);
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      const double q = Quotient(s[i]);
      sum += weights[i] * f[i] * (q / (1 + q) - log[i]);
    }
    gradient[Stationary::ParameterCount()] += variance() * sum;
  }

 protected:
  void Profile(double* values, Index n, double factor, double*) const override {
    for (Index i = 0; i < n; ++i) values[i] = Quotient(values[i]);
    Log1pInPlace(values, n);
    ScaledExpInPlace(values, n, -alpha_, factor);
  }

  void ProfileAndSlope(const double* s, Index n, double* f,
                       double* slope) const override {
    std::copy_n(s, n, f);
    Profile(f, n, 1, slope);
    for (Index i = 0; i < n; ++i) slope[i] = f[i] / (1 + Quotient(s[i]));
  }

 private:
  double Quotient(double s) const { return std::min(s / alpha_ / 2, 1e300); }

  double alpha_;
};

}  // namespace

NodePointer MakeRationalQuadratic(double variance, const PerInput& lengthscale,
                                  double alpha) {
  return std::make_shared<RationalQuadratic>(variance, lengthscale, alpha);
}

}  // namespace cloak
