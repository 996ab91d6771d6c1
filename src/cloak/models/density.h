#ifndef CLOAK_MODELS_DENSITY_H_
#define CLOAK_MODELS_DENSITY_H_

#include <optional>
#include <string>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/count_release.h"
#include "cloak/models/plan.h"

namespace cloak {

// All that is public of a table whose density is wanted.
struct DensitySetting {
  Index rows = 0;
  // Where the inputs, 1 to 3, lie, from public knowledge. A row outside counts
  // as the nearest inside.
  Vector lower;
  Vector upper;
  std::vector<std::string> input_names;
  CountBudget budget;
  Threads threads = {};
  Progress progress = NoProgress;

  static constexpr Index kMostInputs = 3;

  // Throws InvalidInput when something does not fit or is not finite.
  void Validate() const;
};

// The parts of a release that do not depend on private cells.
ReleaseContent ContentOf(const DensitySetting& setting,
                         const PlanSummary& summary);

// The density of the rows over the box of their inputs, with whole rows
// private. How many rows there are in each cell of a grid is released with
// exact noise (count_release.h), and a log-Gaussian density inferred from it:
//   e^f/Z,  f a Gaussian process, bias + eq or matern52 with a lengthscale for
// each input, variance and lengthscales by their evidence, averaged over those
// near the best (log_intensity.h).
class DensityPlan : public Plan {
 public:
  // `cells`: in how many each input is cut; when absent, so many that privacy
  // noise and what a cell hides of the density balance, by the number of rows,
  // epsilon and the number of inputs. Throws InvalidInput when the setting does
  // not fit.
  explicit DensityPlan(const DensitySetting& setting,
                       const std::optional<std::vector<Index>>& cells = {});

  const PlanSummary& summary() const override { return summary_; }
  PrivacyEvent event() const override { return counts_.event(); }
  const PrivacyUnits& units() const override { return units_; }
  const GaussianMechanism* mechanism() const override { return nullptr; }
  Release Execute(const PrivateRows& rows,
                  Randomness& randomness) const override;

 private:
  DensitySetting setting_;
  PrivacyUnits units_;
  CountRelease counts_;
  PlanSummary summary_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_DENSITY_H_
