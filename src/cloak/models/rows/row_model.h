#ifndef CLOAK_MODELS_ROWS_ROW_MODEL_H_
#define CLOAK_MODELS_ROWS_ROW_MODEL_H_

#include <optional>
#include <vector>

#include "cloak/models/rows/row_inference.h"
#include "cloak/selection/from_release.h"

namespace cloak {

struct RowModelOptions {
  // Learned when absent.
  std::optional<Kernel> kernel = {};
  std::optional<double> noise_variance = {};
  double output_width = 1;  // d
  double rows = 1;
};

// Outputs are numbers: f at the row's cell and noise.
class RowModel : public RowInference {
 public:
  RowModel(const Cells& cells, const RowModelOptions& options,
           const Threads& threads);

  RowBelief Beforehand(const Hyperparameters& theta) const override;

 protected:
  void Refine(const std::vector<Round>& rounds, const RowStatistic& statistic,
              RowBelief& belief) const override;
  std::vector<Posterior> Posteriors(const RowStatistic& statistic,
                                    const RowBelief& belief) const override;

 private:
  void EstimateNoise(const std::vector<Round>& rounds, RowBelief& belief) const;
  // With the noise that is believed.
  HyperPrior PriorFor(const RowBelief& belief) const;
  LinearStatisticLikelihood LikelihoodOf(const RowStatistic& statistic,
                                         const RowBelief& belief) const;
  LinearPosterior Infer(const RowStatistic& statistic, const RowBelief& belief,
                        const CellMeans& means) const;

  RowModelOptions options_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_ROW_MODEL_H_
