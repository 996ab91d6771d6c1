#include "cloak/models/outputs/optimal_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/gp/basis_candidates.h"
#include "cloak/gp/logistic_posterior.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/linalg/microaggregate.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"
#include "cloak/models/release_parts.h"
#include "cloak/privacy/integer_weights.h"

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

// How many points to try first, where there are more different rows, and how
// large the variance of f among the rows of a point may be beforehand, as a
// fraction of the noise of an observation.
constexpr Index kFewPoints = 1024;
constexpr double kPointDeviation = 0.03;

// Up to so many rows of persons are designed for as they are.
constexpr Index kMostUnitRows = 20'000;

double DeviationFromPoints(const SiteInputs& sites, const HyperPrior& prior) {
  double deviation = 0;
  for (const WeightedHyperparameters& node : prior.Nodes()) {
    const Kernel& kernel = node.value.kernel;
    deviation += node.weight *
                 (sites.weights().dot(sites.DeviationOfPoints(kernel)) +
                  sites.BendOfSums(kernel).sum()) /
                 node.value.noise_variance;
  }
  return deviation / sites.sizes().sum();
}

// The sites of a design that weighs rows by what is gained from them, with as
// few points as will do: their number is in inverse proportion to a power of
// the deviation, which is a squared distance. For the designs of the papers,
// each row is a site; of persons too, if there are few rows: the design then
// knows which of them move together.
SiteInputs SitesFor(const Setting& setting, const OptimalOptions& options,
                    const HyperPrior& prior) {
  const PublicInputs& inputs = setting.open();
  const bool of_units = inputs.units && inputs.X.rows() <= kMostUnitRows;
  if (of_units || options.design != OptimalOptions::kBayes) {
    return SiteInputs::EachRow(inputs.X);
  }
  const Matrix others = inputs.noise_variances ? Matrix(*inputs.noise_variances)
                                               : Matrix(inputs.X.rows(), 0);
  const auto gather = [&](double points) {
    SiteOptions sites = options.sites;
    sites.most_points = static_cast<Index>(
        std::min(points, static_cast<double>(sites.most_points)));
    // Labels of one site share one f.
    if (setting.HasLabels()) sites.most_sites = sites.most_points;
    return SiteInputs(inputs.X, others, sites);
  };
  SiteInputs sites = gather(kFewPoints);
  const double excess = DeviationFromPoints(sites, prior) / kPointDeviation;
  if (excess <= 1) return sites;
  return gather(kFewPoints *
                std::pow(excess, 0.5 * static_cast<double>(inputs.X.cols())));
}

Vector PlaceWeightsFor(const SiteInputs& sites,
                       const std::optional<Matrix>& query_points) {
  if (!query_points) return sites.weights() / sites.weights().sum();
  const Index count = query_points->rows();
  return Vector::Constant(count, 1 / static_cast<double>(count));
}

// The mean over the places of |A φ|².
double MeanSquareOfProduct(const Matrix& A, const Matrix& phi,
                           const Vector& weights) {
  return (A * phi).colwise().squaredNorm().dot(weights.transpose());
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

OptimalModel::OptimalModel(const SharedSetting& setting,
                           const OptimalOptions& options)
    : threads_(setting->threads),
      has_labels_(setting->HasLabels()),
      options_(options),
      prior_(PriorFor(*setting, options)),
      sites_(SitesFor(*setting, options, prior_)),
      design_units_(PrivacyUnits::EachRow(sites_.count())),
      place_weights_(PlaceWeightsFor(sites_, options.query_points)) {
  const PublicInputs& inputs = setting->open();
  if (inputs.noise_variances) {
    noise_of_sums_ = sites_.SumOfRows(*inputs.noise_variances);
  }
  if (!inputs.units) return;
  if (sites_.of_rows().IsEachRow()) {
    design_units_ = *inputs.units;
  } else {
    kinds_of_units_ = UnitColumns::OfKinds(sites_.of_rows(), *inputs.units);
  }
}

OptimalModel::OptimalModel(SiteInputs sites,
                           std::optional<Vector> noise_of_sums,
                           HyperPrior prior, Matrix basis_points,
                           const Threads& threads)
    : threads_(threads),
      prior_(std::move(prior)),
      sites_(std::move(sites)),
      noise_of_sums_(std::move(noise_of_sums)),
      design_units_(PrivacyUnits::EachRow(sites_.count())),
      place_weights_(PlaceWeightsFor(sites_, {})),
      Z_(std::move(basis_points)) {}

Matrix OptimalModel::MeanOverPlaces(const Matrix& of_places) const {
  return WeightedGram(of_places, place_weights_, threads());
}

bool OptimalModel::SitesArePublishable() const {
  // Ten rows may be those of one person.
  return options_ && options_->keep_sites && !kinds_of_units_ &&
         sites_.weights().minCoeff() >= kLeastGroup;
}

Matrix OptimalModel::BasisPoints(const Matrix& X, Index most) const {
  // The roughest of the nodes needs the most.
  const BasisCandidates candidates(X);
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

// Where the design takes each site by itself, the outputs of a person reach
// farther than one output, and noise is as many times larger. How many times
// depends on the statistic, and is measured of one that is designed for a
// guess.
NoiseDesign OptimalModel::Design(const std::vector<DesignPrior>& priors,
                                 double s, const Progress& progress,
                                 const BayesOptions& options) const {
  const auto design = [&](double reach) {
    return BayesDesign(priors, design_units_, reach * s, threads(), progress,
                       options);
  };
  if (!kinds_of_units_) return design(1);
  const double guess =
      std::sqrt(static_cast<double>(kinds_of_units_->units.largest()));
  const IntegerWeights weights =
      QuantizeWeights(design(guess).R, *kinds_of_units_);
  const auto squared =
      static_cast<double>(MeasureUnits(weights.P, *kinds_of_units_).squared);
  NoiseDesign found = design(std::sqrt(squared) * weights.step());
  found.gap = -1;  // the certificate is for sites by themselves
  return found;
}

LabelModel OptimalModel::Labels(const Basis& basis) const {
  LabelModel labels = ModelLabels(basis, sites_.points());
  labels.repeats = sites_.sizes();
  return labels;
}

OutputModel OptimalModel::Outputs(const Basis& basis,
                                  const Hyperparameters& theta) const {
  if (!HasLabels()) {
    return sites_.Model(basis, theta.noise_variance, noise_of_sums_);
  }
  const OutputModel means = LabelsBeforehand(Labels(basis));
  return {means.Phi * sites_.sizes().asDiagonal(),
          means.D.cwiseProduct(sites_.sizes().cwiseAbs2())};
}

OutputModel OptimalModel::PointOutputs(const Basis& basis,
                                       const Hyperparameters& theta) const {
  if (sites_.PointsAreSites()) return Outputs(basis, theta);
  return sites_.PointModel(
      basis, noise_of_sums_ ? noise_of_sums_->sum() / sites_.sizes().sum()
                            : theta.noise_variance);
}

LinearPosterior OptimalModel::Infer(const Basis& basis,
                                    const Hyperparameters& theta,
                                    const OutputStatistic& statistic) const {
  if (HasLabels()) {
    return InferFromLabels(Labels(basis),
                           statistic.R * sites_.sizes().asDiagonal(),
                           statistic.s, statistic.w, threads());
  }
  const StatisticMoments moments =
      ModelStatistic(Outputs(basis, theta), statistic.R, threads());
  return InferWeights(moments.H, moments.V0, statistic.s, statistic.w);
}

std::unique_ptr<ReleaseLikelihood> OptimalModel::LikelihoodOf(
    const OutputStatistic& statistic) const {
  if (!HasLabels()) {
    return std::make_unique<LinearStatisticLikelihood>(
        StatisticLikelihood(sites_, Z_, statistic.R, noise_of_sums_,
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

HyperparameterMode OptimalModel::MostProbable(
    const HyperPrior& prior, const OutputStatistic& statistic,
    const std::optional<Vector>& near) const {
  const std::unique_ptr<ReleaseLikelihood> likelihood = LikelihoodOf(statistic);
  return cloak::MostProbable(prior, *likelihood, near);
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
  return ExpectedSd(model, theta, statistic, model.Places(),
                    model.PlaceWeights());
}

double ExpectedSd(const OptimalModel& model, const Hyperparameters& theta,
                  const OutputStatistic& statistic, const Matrix& places,
                  const Vector& weights) {
  const Basis basis = model.BasisOf(theta);
  const Matrix phi = basis.Features(places);
  const StatisticMoments moments =
      ModelStatistic(model.Outputs(basis, theta), statistic.R, model.threads());
  const LinearPosterior posterior = InferWeights(
      moments.H, moments.V0, statistic.s, Vector::Zero(moments.H.rows()));
  const double prior_variance = (phi.colwise().squaredNorm().transpose() +
                                 basis.ResidualVariances(places, phi))
                                    .dot(weights);
  return std::sqrt(
      std::max(0.0, prior_variance -
                        MeanSquareOfProduct(posterior.explained, phi, weights) +
                        MeanSquareOfProduct(posterior.noise, phi, weights)));
}

// S = (I + Φ D⁻¹ Φᵀ)⁻¹, with each point by itself.
double ExpectedSdWithoutPrivacy(const OptimalModel& model,
                                const Hyperparameters& theta) {
  const Basis basis = model.BasisOf(theta);
  const Vector& weights = model.PlaceWeights();
  const Matrix phi = basis.Features(model.Places());
  const OutputModel outputs = model.PointOutputs(basis, theta);
  const SymmetricEigen precision = EigenDecomposition(
      WeightedGram(outputs.Phi, outputs.D.cwiseInverse(), model.threads()));
  const Vector sd = (1 + precision.values.cwiseMax(0).array()).sqrt().inverse();
  return std::sqrt(
      MeanSquareOfProduct(sd.asDiagonal() * precision.vectors.transpose(), phi,
                          weights) +
      basis.ResidualVariances(model.Places(), phi).dot(weights));
}

}  // namespace cloak
