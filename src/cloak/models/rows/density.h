#ifndef CLOAK_MODELS_ROWS_DENSITY_H_
#define CLOAK_MODELS_ROWS_DENSITY_H_

#include "cloak/models/plan.h"
#include "cloak/models/rows/count_release.h"
#include "cloak/models/task.h"

namespace cloak {

// Throws InvalidInput unless the setting is of 1 to 3 private inputs with
// ranges.
void ValidateDensity(const Setting& setting);

// Returns the parts of a release of a density that do not depend on private
// cells.
ReleaseContent DensityContent(const Setting& setting,
                              const PlanSummary& summary);

// The density of the rows over the box of their inputs, with whole rows
// private. How many rows there are in each cell of a grid is released with
// exact noise (count_release.h), and a log-Gaussian density inferred from it:
//   e^f/Z,  f a Gaussian process, bias + eq or matern52 with a lengthscale for
// each input, variance and lengthscales by their evidence, averaged over those
// near the best (log_intensity.h).
class DensityPlan : public Plan {
 public:
  // Where the task has no number of cells, there are so many that privacy noise
  // and what a cell hides of the density balance, by the number of rows,
  // epsilon and the number of inputs. Throws InvalidInput when the setting does
  // not fit.
  DensityPlan(const SharedSetting& setting, const Density& task);

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;

  CountRelease counts_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_DENSITY_H_
