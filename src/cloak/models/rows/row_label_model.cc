#include "cloak/models/rows/row_label_model.h"

#include <utility>

namespace cloak {
namespace {

// A cell counts as having at least this part of the rows that are expected in
// it, whatever the noise made of their number.
constexpr double kLeastPart = 0.1;

// Of the mean label of each cell, given the moments of f there.
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

struct RowLabelModel::Whitened {
  Matrix R;        // of the mean label of each cell
  Vector w;        // R (mean labels + their noise) + N(0, I)
  Vector repeats;  // how many labels each mean is of
};

RowLabelModel::RowLabelModel(const Cells& cells,
                             const std::optional<Kernel>& kernel, double rows,
                             const Threads& threads)
    : RowInference(cells, HyperPrior::ForLabels(cells.Centres(), kernel), rows,
                   threads) {}

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

void RowLabelModel::Refine(const std::vector<Round>&,
                           const RowStatistic& statistic,
                           RowBelief& belief) const {
  const Whitened whitened = Whiten(statistic, belief);
  DifferencedLikelihood likelihood = LikelihoodOf(whitened);
  const Basis basis = BasisOf(MostProbable(prior(), likelihood));
  const LabelModel labels = LabelsOf(basis, whitened);
  const LinearPosterior posterior =
      InferFromLabels(labels, whitened.R, 1, whitened.w, threads());
  BelieveLabels(labels.Phi.transpose() * posterior.mean,
                PosteriorFeatures(posterior, labels.Phi), labels.residual,
                belief);
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
        AsPosterior(theta, 0, basis,
                    InferFromLabels(LabelsOf(basis, whitened), whitened.R, 1,
                                    whitened.w, threads())));
  }
  return posteriors;
}

}  // namespace cloak
