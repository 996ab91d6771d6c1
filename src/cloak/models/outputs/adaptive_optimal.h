#ifndef CLOAK_MODELS_OUTPUTS_ADAPTIVE_OPTIMAL_H_
#define CLOAK_MODELS_OUTPUTS_ADAPTIVE_OPTIMAL_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cloak/models/outputs/optimal_model.h"
#include "cloak/models/outputs/windowed_statistic.h"
#include "cloak/models/plan.h"

namespace cloak {

// Regression with private outputs in several rounds. Each knows from the ones
// before it where f is, up to some uncertainty, and so where outputs are likely
// to lie: it looks at them through windows as narrow as that
// (windowed_statistic.h), and the noise shrinks with the windows. All that was
// published is one linear statistic of the outputs, from which f and
// hyperparameters are inferred. (That outputs outside a window are clipped is
// neglected: windows are wide enough to clip few.)
//
// If kernel and noise are given, all but where the windows are is known
// beforehand, since variances do not depend on outputs: of the release, only
// the means do.
class AdaptiveOptimalPlan : public Plan {
 public:
  // `model`: with its basis.
  AdaptiveOptimalPlan(const SharedSetting& setting, const OptimalModel& model);

  // Returns the root mean square over places, of which each counts for its
  // weight, of the standard deviation of f that is expected to be left.
  double ExpectedSdAt(const Matrix& places, const Vector& weights) const;
  // What one release says of it.
  void SayCostOfSites(std::optional<double> cost) {
    summary_.cost_of_sites = cost;
  }
  // The words for why others cannot infer anew from the file.
  void SayNoSites(std::string why) { summary_.no_sites = std::move(why); }

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;
  void Foresee();
  // Returns the less probable beliefs that later rounds are designed for too.
  std::vector<WeightedBelief> OtherBeliefs(const Conclusion& so_far) const;
  bool given() const { return model_.prior().size() == 0; }

  OptimalModel model_;
  std::vector<WindowedStatistic> known_;  // beforehand: the first, or all
  OutputStatistic foreseen_;              // of all rounds
};

// One release, or several rounds where they are expected to leave less error,
// which depends on public things only. Labels and designs other than bayes have
// one. Rounds are of sites that may stand in the file, so that others can infer
// anew, where that costs at most 1 % of the expected error.
std::unique_ptr<Plan> PlanBestOptimal(const SharedSetting& setting,
                                      const OptimalOptions& options);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_ADAPTIVE_OPTIMAL_H_
