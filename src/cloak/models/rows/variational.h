#ifndef CLOAK_MODELS_ROWS_VARIATIONAL_H_
#define CLOAK_MODELS_ROWS_VARIATIONAL_H_

#include <optional>
#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/kernels/kernel.h"
#include "cloak/models/plan.h"
#include "cloak/models/rows/feature_norm.h"
#include "cloak/privacy/moment_mechanism.h"

namespace cloak {

struct VariationalOptions {
  Kernel kernel = Kernel::Eq(1, 1);
  // The variance of an observation around f.
  double noise_variance = 0;
  // How many inducing points in each input: a regular grid over the ranges,
  // with points at both ends (in the middle where there is one). One number for
  // all inputs or one for each.
  std::vector<Index> grid = {9};
  // Or these instead: public, one in each row, anywhere.
  std::optional<Matrix> inducing_points = {};
  // σ_a/σ_b; the paper has 1.
  double ratio = 1;
  NormBound norm = NormBound::kTightest;
  MomentBound sensitivity = MomentBound::kExact;
  // The probability that the paper's λ is too small.
  double rho = 0.01;
};

// The published method for private rows (Honkela and Melkas 2021, Algorithm 1):
// A = Σ k_i y_i and B = Σ k_i k_iᵀ are released with Gaussian noise
// (moment_mechanism.h), k_i being the covariances of row i with the inducing
// points, and the variational posterior is corrected for the noise
// (variational_posterior.h).
class VariationalPlan : public Plan {
 public:
  // B has half the square of that many numbers, all of which stand in the file.
  static constexpr Index kMostPoints = 200;

  // Throws InvalidInput when the setting or an option is not valid, or the
  // norm of the features cannot be bounded.
  VariationalPlan(const SharedSetting& setting, const Budget& budget,
                  const VariationalOptions& options);

  // The paper's R_k, Z, and Δ, σ_a, σ_b and so on.
  double feature_norm() const { return moments_.setting().norm; }
  const Matrix& inducing_points() const { return basis_.points(); }
  const MomentMechanism& moments() const { return moments_; }

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;
  void Summarise(const Budget& budget);

  VariationalOptions options_;
  Basis basis_;
  MomentMechanism moments_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_VARIATIONAL_H_
