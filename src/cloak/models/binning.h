#ifndef CLOAK_MODELS_BINNING_H_
#define CLOAK_MODELS_BINNING_H_

#include <optional>
#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/kernels/grid.h"
#include "cloak/models/plan.h"
#include "cloak/privacy/count_mechanism.h"

namespace cloak {

struct BinningOptions {
  enum Method {
    // The mean of each bin, the same all over the bin.
    kBinning,
    // A process conditioned on the means of the bins as means of the function
    // over them (Smith 2018, supplement, "Integral Kernel"). Needs kernel and
    // noise_variance.
    kIntegralBinning,
  };
  Method method = kBinning;
  // How many in each input.
  PerInput bins = 10;
  // Where they begin and end in each input; the public range of the inputs
  // when absent. Rows outside belong to the nearest bin.
  std::optional<Vector> lower = {};
  std::optional<Vector> upper = {};
  std::optional<Kernel> kernel = {};
  // Of an observation around f; what HyperPrior has when absent (kBinning).
  std::optional<double> noise_variance = {};
};

// Bins the rows by their public inputs and publishes the sum of the outputs of
// each occupied bin with Laplace noise: (epsilon, 0)-differential privacy.
// How many rows a bin has is public, and so is which bins have none; of those
// nothing is released.
//
// Integers only, from clipped outputs to published numbers (as in
// gaussian_mechanism.h): q_i in [-2^19, 2^19], t_b = the sum of q_i over the
// rows of bin b, published: t_b + discrete Laplace noise (count_mechanism.h).
//
// Sensitivity. Let y and y' differ in the outputs of one unit g, and B_b be
// the rows of bin b, which depend on public things only. q_i depends on y_i
// alone and |q_i − q_i'| ≤ 2^20, so
//   Σ_b |t_b − t_b'| ≤ Σ_b Σ_(i ∈ g ∩ B_b) |q_i − q_i'| ≤ |g| 2^20,
// attained when all outputs of g go from the lower bound to the upper. The
// largest unit has Units::largest() rows.
//
// Inference takes the noise for Gaussian of the same variance.
class BinningPlan : public Plan {
 public:
  // The budget's delta is not used. Throws InvalidInput when the options do
  // not fit, more than 2000 bins are occupied, or a unit has more than 4096
  // rows.
  BinningPlan(const PlanSetting& setting, const BinningOptions& options);

  const PlanSummary& summary() const override { return summary_; }
  PrivacyEvent event() const override;
  const Units& units() const override { return units_; }
  const GaussianMechanism* mechanism() const override { return nullptr; }
  Release Execute(const PrivateRows& rows,
                  Randomness& randomness) const override;

  // For auditors, beside the statistic in the release: which of the occupied
  // bins each row is in, and the noise.
  const std::vector<Index>& bin_of_row() const { return bin_of_row_; }
  const CountMechanism& noise() const { return noise_; }

 private:
  void ModelBins();
  void ModelIntegrals();
  LinearPosterior BinPosterior(const Vector& sums, double noise_sd) const;
  Posterior Infer(const Vector& sums) const;

  PlanSetting setting_;
  BinningOptions options_;
  Units units_;
  CountMechanism noise_;
  double unit_;  // what an integer is worth
  PlanSummary summary_;
  std::vector<Index> cells_;       // occupied, in ascending order
  std::vector<Index> bin_of_row_;  // positions in cells_
  Vector counts_;                  // rows in each
  double noise_variance_ = 0;
  std::optional<Basis> basis_;
  // kIntegralBinning: the sums are H u + e, e ~ N(0, V0), plus noise.
  Matrix H_;
  Matrix V0_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_BINNING_H_
