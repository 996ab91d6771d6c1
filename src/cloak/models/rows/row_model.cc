#include "cloak/models/rows/row_model.h"

#include <utility>

#include "cloak/linalg/cholesky.h"
#include "cloak/models/noise_estimate.h"

namespace cloak {

RowModel::RowModel(const Cells& cells, const RowModelOptions& options,
                   const Threads& threads)
    : RowInference(cells,
                   HyperPrior(cells.Centres(), options.output_width,
                              options.kernel, options.noise_variance),
                   options.rows, threads),
      options_(options) {}

RowBelief RowModel::Beforehand(const Hyperparameters& theta) const {
  CellMeans means = MeansOver(BasisOf(theta));
  RowBelief belief;
  belief.mean = Vector::Zero(centres().rows());
  belief.features = std::move(means.Phi);
  belief.residual = std::move(means.residual);
  belief.slope = Vector::Ones(centres().rows());
  belief.noise_variance = theta.noise_variance;
  belief.expected_rows = EvenRows();
  return belief;
}

// From the squares: of round j, Σ z² is expected to be the sum over cells of
// n_c (σ² + (f − o)²)/half_width².
void RowModel::EstimateNoise(const std::vector<Round>& rounds,
                             RowBelief& belief) const {
  if (options_.noise_variance) return;
  std::vector<NoisySquares> squares;
  squares.reserve(rounds.size());
  for (const Round& round : rounds) {
    const Vector per_row =
        round.square_weight *
        (belief.expected_rows.array() / round.half_width.array().square());
    const Vector moment =
        (belief.mean - round.centre).cwiseAbs2() + belief.Variances();
    squares.push_back(
        {round.squares, round.noise_sd, per_row.sum(), per_row.dot(moment)});
  }
  belief.noise_variance = cloak::EstimateNoise(prior(), squares);
}

LinearPosterior RowModel::Infer(const RowStatistic& statistic,
                                const RowBelief& belief,
                                const CellMeans& means) const {
  const Cholesky whiten = FactoredNoise(statistic.CountNoise(belief));
  const Matrix observations =
      statistic.ObservationNoise(belief.noise_variance) +
      statistic.weights * means.residual.asDiagonal() *
          statistic.weights.transpose();
  const Matrix H = whiten.SolveLower(statistic.weights * means.Phi.transpose());
  const Matrix V =
      whiten.SolveLower(whiten.SolveLower(observations).transpose());
  return InferWeights(H, V, 1, whiten.SolveLower(statistic.w));
}

HyperPrior RowModel::PriorFor(const RowBelief& belief) const {
  return {centres(), options_.output_width, options_.kernel,
          belief.noise_variance};
}

LinearStatisticLikelihood RowModel::LikelihoodOf(
    const RowStatistic& statistic, const RowBelief& belief) const {
  const Cholesky whiten =
      FactoredNoise(statistic.CountNoise(belief) +
                    statistic.ObservationNoise(belief.noise_variance));
  return LinearStatisticLikelihood(StatisticLikelihood(
      centres(), basis_points(), whiten.SolveLower(statistic.weights),
      Vector::Zero(centres().rows()), 1, whiten.SolveLower(statistic.w),
      threads()));
}

void RowModel::Refine(const std::vector<Round>& rounds,
                      const RowStatistic& statistic, RowBelief& belief) const {
  EstimateNoise(rounds, belief);
  LinearStatisticLikelihood likelihood = LikelihoodOf(statistic, belief);
  const CellMeans means =
      MeansOver(BasisOf(MostProbable(PriorFor(belief), likelihood)));
  const LinearPosterior posterior = Infer(statistic, belief, means);
  belief.mean = means.Phi.transpose() * posterior.mean;
  belief.features = PosteriorFeatures(posterior, means.Phi);
  belief.residual = means.residual;
  EstimateNoise(rounds, belief);
}

std::vector<Posterior> RowModel::Posteriors(const RowStatistic& statistic,
                                            const RowBelief& belief) const {
  LinearStatisticLikelihood likelihood = LikelihoodOf(statistic, belief);
  std::vector<Posterior> posteriors;
  for (const WeightedHyperparameters& theta :
       LearnFromRelease(PriorFor(belief), likelihood)) {
    const Basis basis = BasisOf(theta.value);
    posteriors.push_back(
        AsPosterior(theta, belief.noise_variance, basis,
                    Infer(statistic, belief, MeansOver(basis))));
  }
  return posteriors;
}

}  // namespace cloak
