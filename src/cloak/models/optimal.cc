#include "cloak/models/optimal.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/design/bayes.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/gp/basis.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/gp/logistic_posterior.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"
#include "cloak/models/shortened.h"
#include "cloak/selection/from_release.h"

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

// What the basis may leave of f at a row, as a fraction of the noise variance.
constexpr double kResidual = 1e-4;

HyperPrior PriorFor(const PlanSetting& setting, const OptimalOptions& options) {
  return options.link == OptimalOptions::kLogistic
             ? HyperPrior::ForLabels(setting.X, options.kernel)
             : HyperPrior(setting.X, setting.bounds.width(), options.kernel,
                          options.noise_variance);
}

Matrix EvenlySpacedRows(const Matrix& X, Index most) {
  if (X.rows() <= most) return X;
  Matrix rows(most, X.cols());
  for (Index k = 0; k < most; ++k) rows.row(k) = X.row(k * X.rows() / most);
  return rows;
}

}  // namespace

OptimalPlan::OptimalPlan(const PlanSetting& setting,
                         const OptimalOptions& options)
    : GaussianPlan(setting),
      options_(options),
      prior_(PriorFor(setting, options)) {
  NoiseDesign design;
  if (options.design == OptimalOptions::kBayes) {
    design = GrowBasis(UnitNoise());
  } else {
    Z_ = BasisPoints(kFirstBasisSize);
    design = DesignForPredictions();
  }
  ChooseStatistic(design);
  PlanSummary& summary = MutableSummary();
  summary.method = "optimal";
  summary.design = NameOf(options.design);
  ExpectError();
}

OutputModel OptimalPlan::Outputs(const Basis& basis,
                                 const Hyperparameters& theta) const {
  if (options_.link == OptimalOptions::kLogistic) {
    return LabelsBeforehand(ModelLabels(basis, setting().X));
  }
  OutputModel outputs = ModelOutputs(basis, theta.noise_variance, setting().X);
  if (options_.row_noise_variances) {
    outputs.D += *options_.row_noise_variances;
    outputs.D.array() -= theta.noise_variance;
  }
  return outputs;
}

Matrix OptimalPlan::BasisPoints(Index most) const {
  setting().progress("choosing basis points", 0);
  // The roughest of the nodes needs the most.
  Matrix best;
  for (const WeightedHyperparameters& node : prior_.Nodes()) {
    Matrix points = SelectBasisPoints(
        node.value.kernel, setting().X, setting().threads,
        {.max_size = most, .tolerance = kResidual * node.value.noise_variance});
    if (points.rows() > best.rows()) best = std::move(points);
  }
  return best;
}

// Doubles the basis until that takes less than kWorthwhile off the variance
// that the release leaves. What cannot be told through the noise needs no
// basis. Learned hyperparameters stay with the first: the file has a posterior
// for each that is averaged over.
NoiseDesign OptimalPlan::GrowBasis(double s) {
  const bool given = prior_.Nodes().size() == 1;
  const Matrix points =
      BasisPoints(given ? kLargestBasisSize : kFirstBasisSize);
  Index size = std::min(kFirstBasisSize, points.rows());
  Z_ = points.topRows(size);
  double left = 0;
  NoiseDesign design = DesignForPosterior(s, left);
  while (size < points.rows()) {
    const Matrix smaller = std::move(Z_);
    size = std::min(2 * size, points.rows());
    Z_ = points.topRows(size);
    double now = 0;
    NoiseDesign larger = DesignForPosterior(s, now);
    if (now > (1 - kWorthwhile) * left) {
      Z_ = smaller;
      return design;
    }
    design = std::move(larger);
    left = now;
  }
  return design;
}

// `left`: the mean variance of f that is left at the places that matter.
NoiseDesign OptimalPlan::DesignForPosterior(double s, double& left) const {
  const Threads& threads = setting().threads;
  std::vector<DesignPrior> priors;
  double residual = 0;
  for (const WeightedHyperparameters& node : prior_.Nodes()) {
    const Basis basis(node.value.kernel, Z_, threads);
    OutputModel outputs = Outputs(basis, node.value);
    const bool at_hand =
        !options_.query_points && options_.link == OptimalOptions::kIdentity;
    const Matrix phi = at_hand ? outputs.Phi : basis.Features(Queries());
    residual += node.weight * basis.ResidualVariances(Queries(), phi).mean();
    Matrix Q =
        ProductTransposed(phi, phi, threads) / static_cast<double>(phi.cols());
    priors.push_back({node.weight, std::move(outputs.Phi), std::move(outputs.D),
                      std::move(Q)});
  }
  // Several stand for all that could be learned: what is best for them need
  // not be found as exactly as what is best for the one that is given.
  const double tolerance = priors.size() > 1 ? 0.02 : 0.01;
  NoiseDesign design =
      BayesDesign(priors, units(), s, threads, setting().progress,
                  {.tolerance = tolerance});
  left = design.objective + residual;
  return design;
}

NoiseDesign OptimalPlan::DesignForPredictions() const {
  setting().progress("factoring the covariance", 0);
  const Threads& threads = setting().threads;
  const Hyperparameters theta = prior_.Nodes().front().value;
  const Vector noise = options_.row_noise_variances.value_or(
      Vector::Constant(setting().X.rows(), theta.noise_variance));
  const ExactGp gp(theta.kernel, noise, setting().X, threads);
  const Matrix C = gp.CloakingMatrix(
      options_.query_points
          ? Queries()
          : EvenlySpacedRows(setting().X, kMostDefaultQueries));
  setting().progress("designing the noise", 0);
  return options_.design == OptimalOptions::kVolume
             ? VolumeDesign(C, units(), threads)
             : TraceDesign(C, units(), Vector::Ones(C.rows()), threads);
}

void OptimalPlan::ExpectError() {
  const Hyperparameters theta = prior_.Nodes().front().value;
  const Basis basis(theta.kernel, Z_, setting().threads);
  const OutputModel outputs = Outputs(basis, theta);
  const Matrix phi = basis.Features(Queries());
  const double residual = basis.ResidualVariances(Queries(), phi).mean();
  const StatisticMoments moments =
      ModelStatistic(outputs, mechanism()->R(), setting().threads);
  const LinearPosterior posterior =
      InferWeights(moments.H, moments.V0, mechanism()->noise_sd(),
                   Vector::Zero(moments.H.rows()));
  const auto mean_square = [&](const Matrix& A) {
    return (A * phi).squaredNorm() / static_cast<double>(phi.cols());
  };
  const double prior_variance =
      phi.squaredNorm() / static_cast<double>(phi.cols()) + residual;
  PlanSummary& summary = MutableSummary();
  summary.expected_sd = std::sqrt(
      std::max(0.0, prior_variance - mean_square(posterior.explained) +
                        mean_square(posterior.noise)));
  // All outputs without noise: S = (I + Φ D⁻¹ Φᵀ)⁻¹.
  const Matrix scaled =
      outputs.Phi * outputs.D.cwiseInverse().cwiseSqrt().asDiagonal();
  const SymmetricEigen precision =
      EigenDecomposition(Matrix(scaled * scaled.transpose()));
  const Vector sd = (1 + precision.values.cwiseMax(0).array()).sqrt().inverse();
  summary.expected_sd_without_privacy = std::sqrt(
      mean_square(sd.asDiagonal() * precision.vectors.transpose()) + residual);
}

Posterior OptimalPlan::Conditioned(const WeightedHyperparameters& theta,
                                   const NoisyStatistic& noisy) const {
  const Basis basis(theta.value.kernel, Z_, setting().threads);
  LinearPosterior inferred = PosteriorOf(basis, theta.value, noisy);
  const bool labels = options_.link == OptimalOptions::kLogistic;
  return {theta.weight,
          theta.value.kernel,
          labels ? 0 : theta.value.noise_variance,
          basis.jitter(),
          std::move(inferred.mean),
          Shortened(inferred.explained),
          Shortened(inferred.noise)};
}

LinearPosterior OptimalPlan::PosteriorOf(const Basis& basis,
                                         const Hyperparameters& theta,
                                         const NoisyStatistic& noisy) const {
  const Threads& threads = setting().threads;
  const Matrix& R = mechanism()->R();
  if (options_.link == OptimalOptions::kLogistic) {
    return InferFromLabels(ModelLabels(basis, setting().X), R, noisy.noise_sd,
                           noisy.value, threads);
  }
  const StatisticMoments moments =
      ModelStatistic(Outputs(basis, theta), R, threads);
  return InferWeights(moments.H, moments.V0, noisy.noise_sd, noisy.value);
}

std::unique_ptr<ReleaseLikelihood> OptimalPlan::LikelihoodOf(
    const NoisyStatistic& noisy) const {
  const Threads& threads = setting().threads;
  if (options_.link == OptimalOptions::kIdentity) {
    return std::make_unique<LinearStatisticLikelihood>(StatisticLikelihood(
        setting().X, Z_, mechanism()->R(), options_.row_noise_variances,
        noisy.noise_sd, noisy.value, threads));
  }
  return std::make_unique<DifferencedLikelihood>(
      [this, &noisy, &threads](const Hyperparameters& theta) {
        const Basis basis(theta.kernel, Z_, threads);
        const StatisticMoments moments =
            ModelStatistic(Outputs(basis, theta), mechanism()->R(), threads);
        return StatisticLogLikelihood(moments.H, moments.V0, noisy.noise_sd,
                                      noisy.value);
      });
}

void OptimalPlan::Infer(const NoisyStatistic& noisy,
                        ReleaseContent& content) const {
  content.basis_points = Z_;
  const std::unique_ptr<ReleaseLikelihood> likelihood = LikelihoodOf(noisy);
  for (const WeightedHyperparameters& theta :
       LearnFromRelease(prior_, *likelihood, setting().progress)) {
    content.posteriors.push_back(Conditioned(theta, noisy));
  }
}

}  // namespace cloak
