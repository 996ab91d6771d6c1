#ifndef CLOAK_MODELS_ROWS_ROWS_OPTIMAL_H_
#define CLOAK_MODELS_ROWS_ROWS_OPTIMAL_H_

#include <memory>
#include <vector>

#include "cloak/models/outputs/optimal_model.h"
#include "cloak/models/plan.h"
#include "cloak/models/rows/row_inference.h"

namespace cloak {

// Regression, or classification where the output has classes, with whole rows
// private. The box of the inputs is cut into cells, and a few linear functions
// of the sums and numbers of rows in the cells are released (cell_mechanism.h):
// those that leave the least posterior variance, by the same design as where
// inputs are public. In several rounds, of which each knows what the ones
// before it published: where f is, so that outputs are clipped to where they
// are likely to be and the noise shrinks with these bounds; and where the rows
// are, so that the design does not spend itself on empty cells, and cells are
// cut further where many rows are and f varies (row_cells.h). The rounds share
// the budget, whatever cells each of them has: each is Gaussian, of noise
// sigma/√share sensitivities, so together they are mu-Gaussian-DP with mu that
// of the budget (Dong, Roth and Su 2022, adaptive composition).
class RowsOptimalPlan : public Plan {
 public:
  // Throws InvalidInput when the setting or the options do not fit.
  RowsOptimalPlan(const SharedSetting& shared, const OptimalOptions& options);

 private:
  Release Run(const PrivateRows& rows, Randomness& randomness,
              const ReleaseObserver& observer) const override;
  std::vector<OutputBounds> BoundsAround(const RowBelief& belief) const;
  // The features of a round before anything was published.
  Matrix FirstFeatures(const RowInference& model) const;
  void ExpectError();

  Budget budget_;
  bool cells_adapt_;
  std::shared_ptr<const RowInference>
      model_;  // on the cells of the first round
  Matrix first_features_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_ROWS_OPTIMAL_H_
