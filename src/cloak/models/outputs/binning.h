#ifndef CLOAK_MODELS_OUTPUTS_BINNING_H_
#define CLOAK_MODELS_OUTPUTS_BINNING_H_

#include <optional>
#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/models/plan.h"
#include "cloak/models/task.h"
#include "cloak/privacy/bin_sum_mechanism.h"

namespace cloak {

// Bins the rows by their public inputs and publishes the sum of the outputs of
// each occupied bin with Laplace noise: (epsilon, 0)-differential privacy.
// How many rows a bin has is public, and so is which bins have none; of those
// nothing is released.
//
// bin_sum_mechanism.h says what is published and what it costs. Where outputs
// are missing, a bin has as many rows as have an output, as far as that is
// known.
//
// With the method binning, f is the mean of each bin, the same all over the
// bin; with integral-binning, a process conditioned on the means of the bins as
// means of the function over them (Smith 2018, supplement, "Integral Kernel").
//
// Inference takes the noise for Gaussian of the same variance.
class BinningPlan : public Plan {
 public:
  // `task` is binning or integral-binning. Throws InvalidInput when its options
  // do not fit, more than 2000 bins are occupied, or a unit has more than 4096
  // rows.
  BinningPlan(const SharedSetting& setting, const Regression& task);

  // For auditors, beside the statistic in the release.
  const BinSumMechanism& sums() const { return *sums_; }

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;
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

  Regression task_;
  std::optional<BinSumMechanism> sums_;
  std::vector<Index> cells_;  // occupied, in ascending order
  Vector counts_;             // rows in each
  double noise_variance_ = 0;
  std::optional<Basis> basis_;
  // With integral-binning, the means of f over the bins are H u + e, e ~ N(0,
  // V).
  Matrix H_;
  Matrix V_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_BINNING_H_
