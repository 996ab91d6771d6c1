#include "cloak/models/rows/row_models.h"

#include <utility>

#include "cloak/linalg/cholesky.h"
#include "cloak/models/nuisance_parameters.h"
#include "cloak/models/release_parts.h"

namespace cloak {
namespace {

// A cell counts as having at least this part of the rows that are expected in
// it, whatever the noise made of their number.
constexpr double kLeastPart = 0.1;

// Sets the belief about the mean label of each cell from the moments of f
// there.
void BelieveLabels(const Vector& mean, const Matrix& features,
                   const Vector& residual, RowBelief& belief) {
  const Vector variance = features.colwise().squaredNorm().transpose();
  const LinearizedLabels line = Linearize(mean, variance, residual);
  belief.mean = line.intercept + line.slope.cwiseProduct(mean);
  belief.features = features * line.slope.asDiagonal();
  belief.residual = line.slope.cwiseAbs2().cwiseProduct(residual);
  belief.slope = line.slope;
  belief.noise_variance = line.noise.mean();
}

}  // namespace

std::unique_ptr<RowInference> RowModel::OnCells(
    const CellTree& cells, const Vector& expected_rows) const {
  auto other = std::make_unique<RowModel>(*this);
  other->PutInto(cells, expected_rows);
  return other;
}

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
void RowModel::EstimateNoise(const std::vector<PublishedSums>& rounds,
                             RowBelief& belief) const {
  if (!prior().NoiseIsFree()) return;
  std::vector<NoisySquares> squares;
  squares.reserve(rounds.size());
  for (const PublishedSums& round : rounds) {
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

void RowModel::BelieveCells(const CellMeans& means, RowBelief& belief) const {
  belief.mean = means.Phi.transpose() * belief.f->weights.mean;
  belief.features = PosteriorFeatures(belief.f->weights, means.Phi);
  belief.residual = means.residual;
  belief.slope = Vector::Ones(belief.mean.size());
}

void RowModel::Refine(const std::vector<PublishedSums>& rounds,
                      const RowStatistic& statistic, RowBelief& belief) const {
  EstimateNoise(rounds, belief);
  LinearStatisticLikelihood likelihood = LikelihoodOf(statistic, belief);
  const HyperPrior with_noise = prior().WithNoise(belief.noise_variance);
  const Basis basis = BasisOf(MostProbable(with_noise, likelihood).value);
  const CellMeans means = MeansOver(basis);
  belief.f = FunctionBelief{basis, Infer(statistic, belief, means)};
  BelieveCells(means, belief);
  EstimateNoise(rounds, belief);
}

std::vector<Posterior> RowModel::Posteriors(const RowStatistic& statistic,
                                            const RowBelief& belief) const {
  LinearStatisticLikelihood likelihood = LikelihoodOf(statistic, belief);
  std::vector<Posterior> posteriors;
  for (const WeightedHyperparameters& theta :
       LearnFromRelease(prior().WithNoise(belief.noise_variance), likelihood)) {
    const Basis basis = BasisOf(theta.value);
    posteriors.push_back(AsPosterior(basis, belief.noise_variance,
                                     Infer(statistic, belief, MeansOver(basis)),
                                     theta.weight));
  }
  return posteriors;
}

struct RowLabelModel::Whitened {
  Matrix R;        // of the mean label of each cell
  Vector w;        // R (mean labels + their noise) + N(0, I)
  Vector repeats;  // how many labels each mean is of
};

std::unique_ptr<RowInference> RowLabelModel::OnCells(
    const CellTree& cells, const Vector& expected_rows) const {
  auto other = std::make_unique<RowLabelModel>(*this);
  other->PutInto(cells, expected_rows);
  return other;
}

RowBelief RowLabelModel::Beforehand(const Hyperparameters& theta) const {
  const CellMeans means = MeansOver(BasisOf(theta));
  RowBelief belief;
  BelieveLabels(Vector::Zero(centres().rows()), means.Phi, means.residual,
                belief);
  belief.expected_rows = EvenRows();
  return belief;
}

RowLabelModel::Whitened RowLabelModel::Whiten(const RowStatistic& statistic,
                                              const RowBelief& belief) const {
  const Vector& expected = statistic.counts.expected;
  const Vector n = statistic.counts.mean.cwiseMax(kLeastPart * expected);
  const Cholesky noise = FactoredNoise(statistic.CountNoise(belief));
  return {noise.SolveLower(statistic.A * n.asDiagonal()),
          noise.SolveLower(statistic.w), n.cwiseAbs2().cwiseQuotient(expected)};
}

LabelModel RowLabelModel::LabelsOf(const Basis& basis,
                                   const Whitened& whitened) const {
  CellMeans means = MeansOver(basis);
  return {std::move(means.Phi), std::move(means.residual), whitened.repeats};
}

DifferencedLikelihood RowLabelModel::LikelihoodOf(
    const Whitened& whitened) const {
  return DifferencedLikelihood([this, &whitened](const Hyperparameters& theta) {
    const Basis basis = BasisOf(theta);
    const StatisticMoments moments = ModelStatistic(
        LabelsBeforehand(LabelsOf(basis, whitened)), whitened.R, threads());
    return StatisticLogLikelihood(moments.H, moments.V0, 1, whitened.w);
  });
}

void RowLabelModel::BelieveCells(const CellMeans& means,
                                 RowBelief& belief) const {
  BelieveLabels(means.Phi.transpose() * belief.f->weights.mean,
                PosteriorFeatures(belief.f->weights, means.Phi), means.residual,
                belief);
}

void RowLabelModel::Refine(const std::vector<PublishedSums>&,
                           const RowStatistic& statistic,
                           RowBelief& belief) const {
  const Whitened whitened = Whiten(statistic, belief);
  DifferencedLikelihood likelihood = LikelihoodOf(whitened);
  const Basis basis = BasisOf(MostProbable(prior(), likelihood).value);
  const LabelModel labels = LabelsOf(basis, whitened);
  belief.f = FunctionBelief{
      basis, InferFromLabels(labels, whitened.R, 1, whitened.w, threads())};
  BelieveCells({labels.Phi, labels.residual}, belief);
}

std::vector<Posterior> RowLabelModel::Posteriors(
    const RowStatistic& statistic, const RowBelief& belief) const {
  const Whitened whitened = Whiten(statistic, belief);
  DifferencedLikelihood likelihood = LikelihoodOf(whitened);
  std::vector<Posterior> posteriors;
  for (const WeightedHyperparameters& theta :
       LearnFromRelease(prior(), likelihood)) {
    const Basis basis = BasisOf(theta.value);
    posteriors.push_back(
        AsPosterior(basis, 0,
                    InferFromLabels(LabelsOf(basis, whitened), whitened.R, 1,
                                    whitened.w, threads()),
                    theta.weight));
  }
  return posteriors;
}

}  // namespace cloak
