#ifndef CLOAK_MODELS_BINNING_H_
#define CLOAK_MODELS_BINNING_H_

#include <optional>
#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/kernels/grid.h"
#include "cloak/models/plan.h"
#include "cloak/privacy/bin_sum_mechanism.h"

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
// What is published, and what it costs: bin_sum_mechanism.h. Where outputs are
// missing, a bin has as many rows as have an output, as far as that is known.
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
  const PrivacyUnits& units() const override { return units_; }
  const GaussianMechanism* mechanism() const override { return nullptr; }
  Release Execute(const PrivateRows& rows,
                  Randomness& randomness) const override;

  // For auditors, beside the statistic in the release.
  const BinSumMechanism& sums() const { return *sums_; }

 private:
  void ModelBins();
  void ModelIntegrals();
  Vector PresentIn(const NoisyBinSums& noisy) const;
  // Both from sums of the outputs less the prior mean, and how many outputs
  // each is of.
  LinearPosterior InferFromSums(const Vector& sums, const Vector& present,
                                double noise_sd) const;
  LinearPosterior BinPosterior(const Vector& sums, const Vector& present,
                               double noise_sd) const;
  Posterior Infer(const Vector& sums, const Vector& present) const;

  PlanSetting setting_;
  BinningOptions options_;
  PrivacyUnits units_;
  std::optional<BinSumMechanism> sums_;
  PlanSummary summary_;
  std::vector<Index> cells_;  // occupied, in ascending order
  Vector counts_;             // rows in each
  double noise_variance_ = 0;
  std::optional<Basis> basis_;
  // kIntegralBinning: the means of f over the bins are H u + e, e ~ N(0, V).
  Matrix H_;
  Matrix V_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_BINNING_H_
