#include "cloak/models/outputs/optimal_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/gp/basis_candidates.h"
#include "cloak/gp/logistic_posterior.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"
#include "cloak/models/release_parts.h"

namespace cloak {
namespace {

// The basis may leave this of f at a row, as a fraction of the noise variance.
constexpr double kBasisResidual = 1e-4;

HyperPrior PriorFor(const Setting& setting, const OptimalOptions& options) {
  return setting.HasLabels()
             ? HyperPrior::ForLabels(setting.X(), options.kernel)
             : HyperPrior(setting.X(), setting.bounds().width(), options.kernel,
                          options.noise_variance);
}

double MeanSquareOfProduct(const Matrix& A, const Matrix& phi) {
  return (A * phi).squaredNorm() / static_cast<double>(phi.cols());
}

}  // namespace

void AddMissingOutputs(double share, const Vector& squares,
                       OutputStatistic& statistic, const Threads& threads) {
  if (share >= 1) return;
  const Matrix scaled =
      statistic.R *
      ((1 - share) / share * squares).cwiseSqrt().eval().asDiagonal();
  Matrix noise = ProductTransposed(scaled, scaled, threads);
  noise.diagonal().array() += statistic.s * statistic.s;
  const Cholesky factor(std::move(noise), threads);
  statistic.R = factor.SolveLower(statistic.R);
  statistic.w = factor.SolveLower(statistic.w);
  statistic.s = 1;
}

OptimalModel::OptimalModel(SharedSetting setting, const OptimalOptions& options)
    : setting_(std::move(setting)),
      options_(options),
      prior_(PriorFor(*setting_, options)) {}

Matrix OptimalModel::BasisPoints(Index most) const {
  // The roughest of the nodes needs the most.
  const BasisCandidates candidates(X());
  Matrix best;
  for (const WeightedHyperparameters& node : prior_.Nodes()) {
    Matrix points = SelectBasisPoints(
        node.value.kernel, candidates, threads(),
        {.max_size = most,
         .tolerance = kBasisResidual * node.value.noise_variance});
    if (points.rows() > best.rows()) best = std::move(points);
  }
  return best;
}

OutputModel OptimalModel::Outputs(const Basis& basis,
                                  const Hyperparameters& theta) const {
  if (HasLabels()) {
    return LabelsBeforehand(ModelLabels(basis, X()));
  }
  OutputModel outputs = ModelOutputs(basis, theta.noise_variance, X());
  if (row_noise_variances()) {
    outputs.D += *row_noise_variances();
    outputs.D.array() -= theta.noise_variance;
  }
  return outputs;
}

LinearPosterior OptimalModel::Infer(const Basis& basis,
                                    const Hyperparameters& theta,
                                    const OutputStatistic& statistic) const {
  if (HasLabels()) {
    return InferFromLabels(ModelLabels(basis, X()), statistic.R, statistic.s,
                           statistic.w, threads());
  }
  const StatisticMoments moments =
      ModelStatistic(Outputs(basis, theta), statistic.R, threads());
  return InferWeights(moments.H, moments.V0, statistic.s, statistic.w);
}

std::unique_ptr<ReleaseLikelihood> OptimalModel::LikelihoodOf(
    const OutputStatistic& statistic) const {
  if (!HasLabels()) {
    return std::make_unique<LinearStatisticLikelihood>(
        StatisticLikelihood(X(), Z_, statistic.R, row_noise_variances(),
                            statistic.s, statistic.w, threads()));
  }
  return std::make_unique<DifferencedLikelihood>(
      [this, &statistic](const Hyperparameters& theta) {
        const StatisticMoments moments = ModelStatistic(
            Outputs(BasisOf(theta), theta), statistic.R, threads());
        return StatisticLogLikelihood(moments.H, moments.V0, statistic.s,
                                      statistic.w);
      });
}

Hyperparameters OptimalModel::MostProbable(
    const HyperPrior& prior, const OutputStatistic& statistic) const {
  const std::unique_ptr<ReleaseLikelihood> likelihood = LikelihoodOf(statistic);
  return cloak::MostProbable(prior, *likelihood);
}

std::vector<WeightedHyperparameters> OptimalModel::Learn(
    const HyperPrior& prior, const OutputStatistic& statistic,
    const Progress& progress) const {
  const std::unique_ptr<ReleaseLikelihood> likelihood = LikelihoodOf(statistic);
  return LearnFromRelease(prior, *likelihood, progress);
}

Posterior OptimalModel::Conditioned(const WeightedHyperparameters& theta,
                                    const OutputStatistic& statistic) const {
  const Basis basis = BasisOf(theta.value);
  return AsPosterior(basis, HasLabels() ? 0 : theta.value.noise_variance,
                     Infer(basis, theta.value, statistic), theta.weight);
}

double ExpectedSd(const OptimalModel& model, const Hyperparameters& theta,
                  const OutputStatistic& statistic) {
  const Basis basis = model.BasisOf(theta);
  const Matrix phi = basis.Features(model.Queries());
  const double residual = basis.ResidualVariances(model.Queries(), phi).mean();
  const StatisticMoments moments =
      ModelStatistic(model.Outputs(basis, theta), statistic.R, model.threads());
  const LinearPosterior posterior = InferWeights(
      moments.H, moments.V0, statistic.s, Vector::Zero(moments.H.rows()));
  const double prior_variance =
      phi.squaredNorm() / static_cast<double>(phi.cols()) + residual;
  return std::sqrt(std::max(
      0.0, prior_variance - MeanSquareOfProduct(posterior.explained, phi) +
               MeanSquareOfProduct(posterior.noise, phi)));
}

// S = (I + Φ D⁻¹ Φᵀ)⁻¹.
double ExpectedSdWithoutPrivacy(const OptimalModel& model,
                                const Hyperparameters& theta) {
  const Basis basis = model.BasisOf(theta);
  const Matrix phi = basis.Features(model.Queries());
  const OutputModel outputs = model.Outputs(basis, theta);
  const Matrix scaled =
      outputs.Phi * outputs.D.cwiseInverse().cwiseSqrt().asDiagonal();
  const SymmetricEigen precision =
      EigenDecomposition(Matrix(scaled * scaled.transpose()));
  const Vector sd = (1 + precision.values.cwiseMax(0).array()).sqrt().inverse();
  return std::sqrt(MeanSquareOfProduct(
                       sd.asDiagonal() * precision.vectors.transpose(), phi) +
                   basis.ResidualVariances(model.Queries(), phi).mean());
}

}  // namespace cloak
