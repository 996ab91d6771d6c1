#ifndef CLOAK_MODELS_OUTPUTS_GAUSSIAN_PLAN_H_
#define CLOAK_MODELS_OUTPUTS_GAUSSIAN_PLAN_H_

#include <memory>

#include "cloak/design/noise_design.h"
#include "cloak/models/plan.h"
#include "cloak/privacy/gaussian_mechanism.h"

namespace cloak {

// A plan that touches the outputs by one exact Gaussian release of R y. Those
// who derive from it choose R, before, and infer from what was released,
// after: they never see an output.
class GaussianPlan : public Plan {
 protected:
  // Throws InvalidInput when the setting is not valid.
  GaussianPlan(const SharedSetting& setting, const Budget& budget);

  // Returns the noise on a statistic that one unit moves by at most d.
  double UnitNoise() const;
  // To be called once, when the design is chosen, which has a column for each
  // site. `least_sigma` as in GaussianMechanism.
  void ChooseStatistic(const NoiseDesign& design, const RowSites& sites,
                       double least_sigma = 0);
  // The same where each row is a site.
  void ChooseStatistic(const NoiseDesign& design, double least_sigma = 0);

  // Post-processing: adds basis points and posteriors. `noisy.value` is
  // R y + noise of noisy.noise_sd, y the sums over sites of outputs less the
  // prior mean. Where outputs are missing,
  // both have been divided by `share`, that of the outputs that are there:
  // outputs that are missing at random leave so much of the statistic.
  virtual void Infer(const NoisyStatistic& noisy, double share,
                     ReleaseContent& content) const = 0;

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const final;

  Budget budget_;
  std::unique_ptr<const GaussianMechanism> statistic_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_GAUSSIAN_PLAN_H_
