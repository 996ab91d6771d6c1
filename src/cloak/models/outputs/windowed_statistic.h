#ifndef CLOAK_MODELS_OUTPUTS_WINDOWED_STATISTIC_H_
#define CLOAK_MODELS_OUTPUTS_WINDOWED_STATISTIC_H_

#include "cloak/models/adaptive_releases.h"
#include "cloak/models/outputs/conclusion.h"
#include "cloak/privacy/gaussian_mechanism.h"

namespace cloak {

struct WeightedBelief {
  double weight = 0;
  OutputBelief belief;
};

// One of several releases about private outputs. An output counts as far as it
// lies within half_width of a centre where it is believed to be, and this
// window is stretched over the custodian's bounds:
//   y' = middle + gain (y − centre),  gain = (d/2)/half_width,
// which the mechanism clips. So its noise, which hides d, hides 2 half_width of
// y. All outputs of a site have the same window. Each y' depends on its own y
// and on what is public, whatever the window is: the mechanism's proof is about
// y' and needs nothing of it.
struct WindowedStatistic {
  Vector half_width;  // S
  Vector gain;        // S
  // With squares unless the noise of an observation is known.
  GaussianMechanism mechanism;
};

// A statistic that was released.
struct PublishedStatistic {
  Vector centre;  // S
  NoisyStatistic noisy;
};

// Rounds for one setting. Refers to what it is made from.
class WindowedStatistics {
 public:
  WindowedStatistics(const Setting& setting, const PrivacyUnits& units,
                     const OptimalModel& model);

  // With the custodian's bounds: nothing is known yet.
  WindowedStatistic First(double share) const;
  // Where something is. The half widths and the statistic depend on the
  // variances that are believed, and on the means as far as windows around them
  // reach beyond the bounds; a belief without means is taken to be in their
  // middle. `others`: what is believed if hyperparameters are other than the
  // most probable, for the design.
  WindowedStatistic Next(double share, const OutputBelief& belief,
                         const std::vector<WeightedBelief>& others = {}) const;

  // Windows around these means (less the prior mean) and within the bounds.
  Vector Centres(const WindowedStatistic& round, const Vector& means) const;
  // Spends what the round costs.
  PublishedStatistic Publish(const WindowedStatistic& round, Vector centre,
                             const Secret<Vector>& outputs,
                             Randomness& random) const;

  // What was published, as everybody can read it.
  PublishedRound Read(const WindowedStatistic& round,
                      const PublishedStatistic& published) const;

 private:
  WindowedStatistic Make(double share, const Vector& half_width,
                         const Matrix& R) const;
  Vector HalfWidths(const OutputBelief& belief) const;

  const Setting& setting_;
  const PrivacyUnits& units_;
  const OptimalModel& model_;
  SharedBudget budget_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_WINDOWED_STATISTIC_H_
