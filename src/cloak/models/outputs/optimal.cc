#include "cloak/models/outputs/optimal.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "cloak/design/bayes.h"
#include "cloak/design/certificate.h"
#include "cloak/design/first_guess.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/gp/basis.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/linalg/products.h"
#include "cloak/models/release_parts.h"

namespace cloak {
namespace {

// Without query points, volume and trace protect predictions at this many of
// the inputs.
constexpr Index kMostDefaultQueries = 200;

// How many basis points to begin with, when more are worth their place in the
// file, and the most there can be.
constexpr Index kFirstBasisSize = 200;
constexpr double kWorthwhile = 0.01;
constexpr Index kLargestBasisSize = 800;

// What a few steps find leaves hardly more than the best.
constexpr BayesOptions kFewSteps = {.tolerance = 0.1,
                                    .max_rank = 200,
                                    .max_iterations = 40,
                                    .largest_gap = HUGE_VAL,
                                    .condensed = true};

Matrix EvenlySpacedRows(const Matrix& X, Index most) {
  if (X.rows() <= most) return X;
  Matrix rows(most, X.cols());
  for (Index k = 0; k < most; ++k) rows.row(k) = X.row(k * X.rows() / most);
  return rows;
}

// Returns what the squares of the outputs of each site, less the middle of the
// bounds, are expected to add up to before anything is known of them.
Vector SquaresBeforehand(const Setting& setting, const OptimalModel& model) {
  const double half = setting.bounds().width() / 2;
  const SiteInputs& sites = model.sites();
  if (setting.HasLabels()) return half * half * sites.sizes();
  const Hyperparameters theta = model.prior().Nodes().front().value;
  const double shift = setting.PriorMean() - setting.bounds().middle();
  const Vector squares = (theta.kernel.Variances(sites.points()).array() +
                          theta.noise_variance + shift * shift)
                             .min(half * half);
  return sites.Sum(squares);
}

}  // namespace

NoiseDesign DesignBeforehand(const OptimalModel& model, double s,
                             DesignPrecision precision,
                             const Progress& progress, double& left) {
  std::vector<DesignPrior> priors;
  double residual = 0;
  std::vector<WeightedHyperparameters> nodes = model.prior().Nodes();
  if (precision == DesignPrecision::kRough) {
    nodes.erase(nodes.begin() + 1, nodes.end());
    nodes.front().weight = 1;
  }
  for (const WeightedHyperparameters& node : nodes) {
    const Basis basis = model.BasisOf(node.value);
    OutputModel outputs = model.Outputs(basis, node.value);
    const Matrix phi = basis.Features(model.Places());
    residual +=
        node.weight *
        basis.ResidualVariances(model.Places(), phi).dot(model.PlaceWeights());
    priors.push_back({node.weight, std::move(outputs.Phi), std::move(outputs.D),
                      model.MeanOverPlaces(phi)});
  }
  // Several stand for all that could be learned: what is best for them need
  // not be found as exactly as what is best for the one that is given.
  const BayesOptions options =
      precision == DesignPrecision::kRough
          ? kFewSteps
          : BayesOptions{.tolerance = priors.size() > 1 ? 0.02 : 0.01};
  NoiseDesign design = model.Design(priors, s, progress, options);
  left = design.objective + residual;
  return design;
}

std::optional<double> CostOfSites(const OptimalModel& model, const Matrix& R,
                                  double s) {
  const SiteInputs& sites = model.sites();
  if (sites.PointsAreSites() || model.HasLabels()) return {};
  const Hyperparameters theta = model.prior().Nodes().front().value;
  const Basis basis = model.BasisOf(theta);
  OutputModel outputs = model.PointOutputs(basis, theta);
  const Matrix phi = basis.Features(model.Places());
  Matrix Q = model.MeanOverPlaces(phi);
  const double beforehand =
      Q.trace() +
      basis.ResidualVariances(model.Places(), phi).dot(model.PlaceWeights());
  // Without what would get no share of any statistic.
  const std::vector<DesignPrior> priors = {
      Condensed({1, std::move(outputs.Phi), std::move(outputs.D), std::move(Q)},
                s, model.threads())};
  const Matrix of_points = R(Eigen::all, sites.site_of_point());
  const double left =
      beforehand - ExplainedVariance(priors, s, of_points, model.threads());
  const double gap =
      BoundExplainedVariance(priors, PrivacyUnits::EachRow(of_points.cols()),
                             {}, s, of_points, model.threads())
          .gap;
  return 1 - std::sqrt(std::max(0.0, 1 - gap / left));
}

OptimalPlan::OptimalPlan(const SharedSetting& setting,
                         const OptimalOptions& options,
                         DesignPrecision precision)
    : GaussianPlan(setting, options.budget), model_(setting, options) {
  setting->progress("choosing basis points", 0);
  if (options.design == OptimalOptions::kBayes) {
    ChooseStatistic(GrowBasis(UnitNoise(), precision),
                    model_.sites().of_rows());
  } else {
    model_.UseBasis(model_.BasisPoints(setting->X(), kFirstBasisSize));
    ChooseStatistic(DesignForPredictions());
  }
  const Hyperparameters theta = model_.prior().Nodes().front().value;
  summary_.method = "optimal";
  summary_.design = NameOf(options.design);
  // Of persons a better statistic may need less noise, which it does not know.
  if (!setting->open().units) {
    summary_.cost_of_sites =
        CostOfSites(model_, mechanism()->R(), mechanism()->noise().sd());
  }
  summary_.expected_sd = ExpectedSd(
      model_, theta, {mechanism()->R(), mechanism()->noise().sd(), {}});
  summary_.expected_sd_without_privacy =
      ExpectedSdWithoutPrivacy(model_, theta);
  CheckReleasable(Content(), model_.BasisOf(theta));
}

// Doubles the basis until that takes less than kWorthwhile off the variance
// that the release leaves. What cannot be told through the noise needs no
// basis. Learned hyperparameters stay with the first: the file has a posterior
// for each that is averaged over.
NoiseDesign OptimalPlan::GrowBasis(double s, DesignPrecision precision) {
  const Progress& progress = setting().progress;
  const bool given = model_.prior().Nodes().size() == 1;
  if (given) precision = DesignPrecision::kCertified;
  const Matrix points = model_.BasisPoints(
      setting().X(), given ? kLargestBasisSize : kFirstBasisSize);
  Index size = std::min(kFirstBasisSize, points.rows());
  model_.UseBasis(points.topRows(size));
  double left = 0;
  NoiseDesign design = DesignBeforehand(model_, s, precision, progress, left);
  while (size < points.rows()) {
    const Matrix smaller = model_.basis_points();
    size = std::min(2 * size, points.rows());
    model_.UseBasis(points.topRows(size));
    double now = 0;
    NoiseDesign larger = DesignBeforehand(model_, s, precision, progress, now);
    if (now > (1 - kWorthwhile) * left) {
      model_.UseBasis(smaller);
      return design;
    }
    design = std::move(larger);
    left = now;
  }
  return design;
}

NoiseDesign OptimalPlan::DesignForPredictions() const {
  setting().progress("factoring the covariance", 0);
  const Threads& threads = setting().threads;
  const OptimalOptions& options = model_.options();
  const Hyperparameters theta = model_.prior().Nodes().front().value;
  const Vector noise = setting().open().noise_variances.value_or(
      Vector::Constant(setting().rows(), theta.noise_variance));
  const ExactGp gp(theta.kernel, noise, setting().X(), threads);
  const Matrix C = gp.CloakingMatrix(
      options.query_points
          ? model_.Places()
          : EvenlySpacedRows(setting().X(), kMostDefaultQueries));
  setting().progress("designing the noise", 0);
  return options.design == OptimalOptions::kVolume
             ? VolumeDesign(C, privacy_units(), threads)
             : TraceDesign(C, privacy_units(), Vector::Ones(C.rows()), threads);
}

std::optional<LinearDecoder> OptimalPlan::decoder() const {
  const HyperPrior& prior = model_.prior();
  if (prior.size() > 0 || model_.HasLabels()) {
    return {};
  }
  const Hyperparameters theta = prior.At(Vector());
  Basis basis = model_.BasisOf(theta);
  const StatisticMoments moments = ModelStatistic(
      model_.Outputs(basis, theta), mechanism()->R(), setting().threads);
  return LinearDecoder{
      std::move(basis),
      WeightsFromStatistic(moments.H, moments.V0, mechanism()->noise().sd())};
}

void OptimalPlan::Infer(const NoisyStatistic& noisy, double share,
                        ReleaseContent& content) const {
  OutputStatistic statistic{mechanism()->R(), noisy.noise_sd, noisy.value};
  AddMissingOutputs(share, SquaresBeforehand(setting(), model_), statistic,
                    setting().threads);
  content.basis_points = model_.basis_points();
  for (const WeightedHyperparameters& theta :
       model_.Learn(model_.prior(), statistic, setting().progress)) {
    content.posteriors.push_back(model_.Conditioned(theta, statistic));
  }
}

}  // namespace cloak
