#ifndef CLOAK_MODELS_ROWS_ROW_MODELS_H_
#define CLOAK_MODELS_ROWS_ROW_MODELS_H_

#include <memory>
#include <vector>

#include "cloak/gp/logistic_posterior.h"
#include "cloak/models/rows/row_inference.h"
#include "cloak/selection/from_release.h"

namespace cloak {

// Outputs are numbers: f at the row's cell and noise.
class RowModel : public RowInference {
 public:
  // `prior`: its noise variance is learned from the squares where it is free.
  RowModel(const CellTree& cells, const HyperPrior& prior, double rows,
           const Threads& threads)
      : RowInference(cells, prior, rows, threads) {}

  std::unique_ptr<RowInference> OnCells(
      const CellTree& cells, const Vector& expected_rows) const override;
  RowBelief Beforehand(const Hyperparameters& theta) const override;

 protected:
  void BelieveCells(const CellMeans& means, RowBelief& belief) const override;
  void Refine(const std::vector<PublishedSums>& rounds,
              const RowStatistic& statistic, RowBelief& belief) const override;
  std::vector<Posterior> Posteriors(const RowStatistic& statistic,
                                    const RowBelief& belief) const override;

 private:
  void EstimateNoise(const std::vector<PublishedSums>& rounds,
                     RowBelief& belief) const;
  LinearStatisticLikelihood LikelihoodOf(const RowStatistic& statistic,
                                         const RowBelief& belief) const;
  LinearPosterior Infer(const RowStatistic& statistic, const RowBelief& belief,
                        const CellMeans& means) const;
};

// Outputs are labels, −1 or 1, the second with probability 1/(1 + e⁻ᶠ), f that
// of the row's cell. A belief is about the mean label of each cell, which is
// linear in f as far as the posterior knows f (logistic_posterior.h).
class RowLabelModel : public RowInference {
 public:
  // `prior`: one for labels.
  RowLabelModel(const CellTree& cells, const HyperPrior& prior, double rows,
                const Threads& threads)
      : RowInference(cells, prior, rows, threads) {}

  std::unique_ptr<RowInference> OnCells(
      const CellTree& cells, const Vector& expected_rows) const override;
  RowBelief Beforehand(const Hyperparameters& theta) const override;

 protected:
  void BelieveCells(const CellMeans& means, RowBelief& belief) const override;
  void Refine(const std::vector<PublishedSums>& rounds,
              const RowStatistic& statistic, RowBelief& belief) const override;
  std::vector<Posterior> Posteriors(const RowStatistic& statistic,
                                    const RowBelief& belief) const override;

 private:
  // The rounds as labels of cells, in units of all noise but theirs.
  struct Whitened;

  Whitened Whiten(const RowStatistic& statistic, const RowBelief& belief) const;
  LabelModel LabelsOf(const Basis& basis, const Whitened& whitened) const;
  // `whitened` must outlive it.
  DifferencedLikelihood LikelihoodOf(const Whitened& whitened) const;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_ROW_MODELS_H_
