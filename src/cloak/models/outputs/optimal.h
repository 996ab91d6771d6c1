#ifndef CLOAK_MODELS_OUTPUTS_OPTIMAL_H_
#define CLOAK_MODELS_OUTPUTS_OPTIMAL_H_

#include <optional>

#include "cloak/models/outputs/gaussian_plan.h"
#include "cloak/models/outputs/optimal_model.h"

namespace cloak {

// How near to the best a design is: certified, for all hyperparameters that
// stand for what is learned; or as near as a few steps come for the most
// probable of them, to see about how much one release would leave. With
// hyperparameters that are given the basis depends on the design, and it is
// always certified.
enum class DesignPrecision { kCertified, kRough };

// Releases the statistic that leaves the least posterior variance, and infers
// from it, hyperparameters included.
class OptimalPlan : public GaussianPlan {
 public:
  OptimalPlan(const SharedSetting& setting, const OptimalOptions& options,
              DesignPrecision precision = DesignPrecision::kCertified);

  const OptimalModel& model() const { return model_; }
  std::optional<LinearDecoder> decoder() const override;

 protected:
  void Infer(const NoisyStatistic& noisy, double share,
             ReleaseContent& content) const override;

 private:
  NoiseDesign GrowBasis(double s, DesignPrecision precision);
  NoiseDesign DesignForPredictions() const;

  OptimalModel model_;
};

// Returns how much less error a release could leave at most, as a part of it,
// that weighed each point of the sites by itself and not all of a site alike,
// for the most probable hyperparameters: the certificate of R among all such
// statistics with noise of s. Absent where each site is a point.
std::optional<double> CostOfSites(const OptimalModel& model, const Matrix& R,
                                  double s);

// Returns the statistic that leaves the least posterior variance, with a column
// for each site and noise of s on each number, if one unit moves it by at most
// 1, whichever of the hyperparameters that stand for all are the right ones;
// `left`: the mean variance of f that is left at the places that matter.
NoiseDesign DesignBeforehand(const OptimalModel& model, double s,
                             DesignPrecision precision,
                             const Progress& progress, double& left);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_OPTIMAL_H_
