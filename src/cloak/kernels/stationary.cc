#include "cloak/kernels/stationary.h"

#include <utility>

#include "cloak/base/text.h"
#include "cloak/kernels/distance.h"
#include "cloak/kernels/parameter.h"

namespace cloak {

Stationary::Stationary(std::string_view name, double variance,
                       PerInput lengthscale)
    : name_(name), variance_(variance), lengthscale_(std::move(lengthscale)) {
  CheckPositive(variance_, "variance of " + name_);
  CheckPositive(lengthscale_, "lengthscale of " + name_);
  inverse_lengthscale_ = Inverses(lengthscale_);
}

std::string Stationary::ToString() const {
  return Text(name_, "(variance=", variance_,
              ", lengthscale=", cloak::ToString(lengthscale_), ")");
}

void Stationary::CheckInputs(Index dimension) const {
  CheckLength(lengthscale_, dimension, "lengthscale of " + name_);
}

std::vector<KernelParameter> Stationary::Parameters() const {
  std::vector<KernelParameter> parameters;
  AppendParameters(variance_, "variance", &parameters);
  AppendParameters(lengthscale_, "lengthscale", &parameters);
  return parameters;
}

Index Stationary::ParameterCount() const {
  return 1 + static_cast<Index>(lengthscale_.values().size());
}

void Stationary::Evaluate(const Tile& tile, double* k, double* scratch) const {
  SquaredDistances(tile, inverse_lengthscale_, k);
  Profile(k, tile.size(), variance_, scratch);
}

// With u_d = (x_d − x'_d)/ℓ_d: ∂s/∂ℓ_d = −2 u_d²/ℓ_d, hence
//   ∂k/∂ℓ_d = variance · (−2 f'(s)) · u_d²/ℓ_d,
// and the sum of that over d when all ℓ_d are one parameter: u_d² becomes s.
void Stationary::AddGradient(const Tile& tile, const double* weights,
                             double* gradient, double* scratch) const {
  const Index n = tile.size();
  double* s = scratch;
  double* f = scratch + Tile::kMaxSize;
  double* slope = scratch + 2 * Tile::kMaxSize;
  SquaredDistances(tile, inverse_lengthscale_, s);
  ProfileAndSlope(s, n, f, slope);
  gradient[0] += Dot(weights, f, n);
  for (Index i = 0; i < n; ++i) slope[i] *= weights[i] * variance_;
  if (lengthscale_.shared()) {
    gradient[1] += Dot(slope, s, n) * inverse_lengthscale_[0];
    return;
  }
  for (Index d = 0; d < tile.inputs; ++d) {
    const double inverse = inverse_lengthscale_[static_cast<size_t>(d)];
    gradient[1 + d] += WeightedSquares(tile, d, inverse, slope) * inverse;
  }
}

Vector Stationary::Variances(const Matrix& X) const {
  return Vector::Constant(X.rows(), variance_);
}

}  // namespace cloak
