#include "cloak/models/regression.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/design/bayes.h"
#include "cloak/design/trace.h"
#include "cloak/design/volume.h"
#include "cloak/gp/basis.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/linalg/products.h"
#include "cloak/linalg/symmetric_eigen.h"
#include "cloak/models/cloaking.h"
#include "cloak/models/input_columns.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "cloak/privacy/integer128.h"
#include "cloak/selection/from_release.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {
namespace {

using Method = RegressionOptions::Method;
using Design = RegressionOptions::Design;

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

std::string NameOf(Design design) {
  switch (design) {
    case RegressionOptions::kBayes:
      return "bayes";
    case RegressionOptions::kVolume:
      return "volume";
    case RegressionOptions::kTrace:
      return "trace";
  }
  throw Error("an unknown design");
}

void CheckOptions(const Matrix& X, const RegressionOptions& options) {
  RequireInput(X.rows() > 0 && X.cols() > 0 && X.allFinite(),
               Text("the inputs must be a finite table with at least one row "
                    "and one column, but are ",
                    X.rows(), " x ", X.cols()));
  RequireInput(static_cast<Index>(options.input_names.size()) == X.cols(),
               Text("there must be a name for each of the ", X.cols(),
                    " inputs, but "
                    "there are ",
                    options.input_names.size()));
  if (options.units) {
    RequireInput(options.units->rows() == X.rows(),
                 Text("there must be a unit for each of the ", X.rows(),
                      " rows, but there are ", options.units->rows()));
    RequireInput(
        !options.unit_name.empty() && options.unit_name != options.output_name,
        "the units must have the name of a public column, to say what "
        "is protected");
  }
  if (options.query_points) {
    const Matrix& Xs = *options.query_points;
    RequireInput(
        Xs.rows() > 0 && Xs.cols() == X.cols() && Xs.allFinite(),
        Text("the query points must be finite, at least one, with ", X.cols(),
             " inputs, but are ", Xs.rows(), " x ", Xs.cols()));
  }
  if (options.method == RegressionOptions::kCloaking) {
    RequireInput(options.query_points.has_value(),
                 "the method 'cloaking' releases predictions at a list of "
                 "query points: give them (--at QUERIES.csv), or use the "
                 "method 'optimal', which needs none");
    RequireInput(options.kernel && options.noise_variance,
                 "the method 'cloaking' shapes its noise for one kernel: give "
                 "the kernel and the noise variance (--kernel, "
                 "--noise-variance), or use the method 'optimal', which "
                 "learns them from the release");
    RequireInput(options.design != RegressionOptions::kBayes,
                 "the design 'bayes' belongs to the method 'optimal'; "
                 "'cloaking' has the designs 'volume' and 'trace'");
  }
}

Design DesignOf(const RegressionOptions& options) {
  return options.design.value_or(options.method == RegressionOptions::kOptimal
                                     ? RegressionOptions::kBayes
                                     : RegressionOptions::kVolume);
}

// Factors of a covariance, with as many digits as a small file has room for
// and error bars have use for, less the rows that are too short to matter.
Matrix Shortened(const Matrix& factor) {
  constexpr int kDigits = 9;
  constexpr double kShort = 1e-4;  // a hundred-millionth of the variance
  std::vector<Index> kept;
  for (Index k = 0; k < factor.rows(); ++k) {
    if (factor.row(k).norm() > kShort) kept.push_back(k);
  }
  return factor(kept, Eigen::all).unaryExpr([](double value) {
    return ParseNumber(RoundedText(value, kDigits), "a rounded number");
  });
}

Matrix EvenlySpacedRows(const Matrix& X, Index most) {
  if (X.rows() <= most) return X;
  Matrix rows(most, X.cols());
  for (Index k = 0; k < most; ++k) rows.row(k) = X.row(k * X.rows() / most);
  return rows;
}

}  // namespace

// Public things only.
struct RegressionPlan::State {
  State(const Matrix& inputs, const OutputBounds& output_bounds,
        const Budget& release_budget, const RegressionOptions& plan_options,
        const Threads& plan_threads, const Progress& plan_progress)
      : X(inputs),
        bounds(output_bounds),
        budget(release_budget),
        options(plan_options),
        threads(plan_threads),
        progress(plan_progress),
        units(plan_options.units.value_or(Units::EachRow(inputs.rows()))),
        design_kind(DesignOf(plan_options)),
        prior(inputs, output_bounds.width(), plan_options.kernel,
              plan_options.noise_variance) {}

  void ChooseStatistic();
  Matrix BasisPoints(Index most) const;
  void GrowBasis(double s);
  // Returns the mean variance of f that is left at the places that matter.
  double DesignForPosterior(double s);
  void DesignForPredictions();
  void Price();

  Posterior Infer(const WeightedHyperparameters& theta, const Vector& w) const;

  const Matrix& Queries() const {
    return options.query_points ? *options.query_points : X;
  }

  Matrix X;
  OutputBounds bounds;
  Budget budget;
  RegressionOptions options;
  Threads threads;
  Progress progress;
  Units units;
  Design design_kind;
  HyperPrior prior;
  Matrix Z;
  NoiseDesign design;
  std::unique_ptr<CloakedPredictions> cloaked;
  std::unique_ptr<GaussianMechanism> mechanism;
  PrivacyStatement privacy;
  double expected_sd = 0;
  double expected_sd_without_privacy = 0;
};

Matrix RegressionPlan::State::BasisPoints(Index most) const {
  progress("choosing basis points", 0);
  // The roughest of the nodes needs the most.
  Matrix best;
  for (const WeightedHyperparameters& node : prior.Nodes()) {
    Matrix points = SelectBasisPoints(
        node.value.kernel, X, threads,
        {.max_size = most, .tolerance = kResidual * node.value.noise_variance});
    if (points.rows() > best.rows()) best = std::move(points);
  }
  return best;
}

// Doubles the basis until that takes less than kWorthwhile off the variance
// that the release leaves. What cannot be told through the noise needs no
// basis. Learned hyperparameters stay with the first: the file has a posterior
// for each that is averaged over.
void RegressionPlan::State::GrowBasis(double s) {
  const bool given = prior.Nodes().size() == 1;
  const Matrix points =
      BasisPoints(given ? kLargestBasisSize : kFirstBasisSize);
  Index size = std::min(kFirstBasisSize, points.rows());
  Z = points.topRows(size);
  double left = DesignForPosterior(s);
  while (size < points.rows()) {
    const Matrix smaller = std::move(Z);
    NoiseDesign before = std::move(design);
    size = std::min(2 * size, points.rows());
    Z = points.topRows(size);
    const double now = DesignForPosterior(s);
    if (now > (1 - kWorthwhile) * left) {
      Z = smaller;
      design = std::move(before);
      return;
    }
    left = now;
  }
}

void RegressionPlan::State::ChooseStatistic() {
  // s: the noise on a statistic that one unit moves by at most d.
  const double s = GaussianSigma(budget) * bounds.width();
  if (design_kind == RegressionOptions::kBayes) {
    GrowBasis(s);
  } else {
    if (options.method == RegressionOptions::kOptimal) {
      Z = BasisPoints(kFirstBasisSize);
    }
    DesignForPredictions();
  }
  mechanism =
      std::make_unique<GaussianMechanism>(design.R, units, bounds, budget);
  Price();
}

double RegressionPlan::State::DesignForPosterior(double s) {
  std::vector<DesignPrior> priors;
  double residual = 0;
  for (const WeightedHyperparameters& node : prior.Nodes()) {
    const Basis basis(node.value.kernel, Z, threads);
    OutputModel outputs = ModelOutputs(basis, node.value.noise_variance, X);
    const Matrix phi =
        options.query_points ? basis.Features(Queries()) : outputs.Phi;
    residual += node.weight * basis.ResidualVariances(Queries(), phi).mean();
    Matrix Q =
        ProductTransposed(phi, phi, threads) / static_cast<double>(phi.cols());
    priors.push_back({node.weight, std::move(outputs.Phi), std::move(outputs.D),
                      std::move(Q)});
  }
  design = BayesDesign(priors, units, s, threads, progress);
  return design.objective + residual;
}

void RegressionPlan::State::DesignForPredictions() {
  progress("factoring the covariance", 0);
  const Hyperparameters theta = prior.Nodes().front().value;
  const ExactGp gp(theta.kernel, theta.noise_variance, X, threads);
  const Matrix queries = options.query_points
                             ? Queries()
                             : EvenlySpacedRows(X, kMostDefaultQueries);
  const Matrix C = gp.CloakingMatrix(queries);
  progress("designing the noise", 0);
  design = design_kind == RegressionOptions::kVolume
               ? VolumeDesign(C, units, threads)
               : TraceDesign(C, units, Vector::Ones(C.rows()), threads);
  if (options.method == RegressionOptions::kCloaking) {
    cloaked = std::make_unique<CloakedPredictions>(gp, theta, queries, design,
                                                   threads);
    Z = cloaked->basis_points();
  }
}

void RegressionPlan::State::Price() {
  privacy.epsilon = budget.epsilon();
  privacy.delta = budget.delta();
  privacy.rows = X.rows();
  if (options.units) {
    privacy.unit = options.unit_name;
    privacy.units = units.count();
  }
  privacy.lower = bounds.lower();
  privacy.upper = bounds.upper();
  privacy.mechanism = "exact Gaussian release, analytic calibration";
  privacy.sensitivity = mechanism->sensitivity();
  privacy.noise_sd = mechanism->noise_sd();

  if (cloaked) {
    expected_sd = cloaked->ExpectedSd(mechanism->noise_sd());
    expected_sd_without_privacy = cloaked->ExpectedSd(0);
    return;
  }
  const Hyperparameters theta = prior.Nodes().front().value;
  const Basis basis(theta.kernel, Z, threads);
  const OutputModel outputs = ModelOutputs(basis, theta.noise_variance, X);
  const Matrix phi = basis.Features(Queries());
  const double residual = basis.ResidualVariances(Queries(), phi).mean();
  const StatisticMoments moments =
      ModelStatistic(outputs, mechanism->R(), threads);
  const LinearPosterior posterior =
      InferWeights(moments.H, moments.V0, mechanism->noise_sd(),
                   Vector::Zero(moments.H.rows()));
  const auto mean_square = [&](const Matrix& A) {
    return (A * phi).squaredNorm() / static_cast<double>(phi.cols());
  };
  const double prior_variance =
      phi.squaredNorm() / static_cast<double>(phi.cols()) + residual;
  expected_sd = std::sqrt(std::max(0.0, prior_variance -
                                            mean_square(posterior.explained) +
                                            mean_square(posterior.noise)));
  // All outputs without noise: S = (I + Φ D⁻¹ Φᵀ)⁻¹.
  const Matrix scaled =
      outputs.Phi * outputs.D.cwiseInverse().cwiseSqrt().asDiagonal();
  const SymmetricEigen precision =
      EigenDecomposition(Matrix(scaled * scaled.transpose()));
  const Vector sd = (1 + precision.values.cwiseMax(0).array()).sqrt().inverse();
  expected_sd_without_privacy = std::sqrt(
      mean_square(sd.asDiagonal() * precision.vectors.transpose()) + residual);
}

Posterior RegressionPlan::State::Infer(const WeightedHyperparameters& theta,
                                       const Vector& w) const {
  const Basis basis(theta.value.kernel, Z, threads);
  const OutputModel outputs =
      ModelOutputs(basis, theta.value.noise_variance, X);
  const StatisticMoments moments =
      ModelStatistic(outputs, mechanism->R(), threads);
  LinearPosterior inferred =
      InferWeights(moments.H, moments.V0, mechanism->noise_sd(), w);
  return {theta.weight,
          theta.value.kernel,
          theta.value.noise_variance,
          basis.jitter(),
          std::move(inferred.mean),
          Shortened(inferred.explained),
          Shortened(inferred.noise)};
}

RegressionPlan::RegressionPlan(const Matrix& X, const OutputBounds& bounds,
                               const Budget& budget,
                               const RegressionOptions& options,
                               const Threads& threads,
                               const Progress& progress) {
  CheckOptions(X, options);
  state_ =
      std::make_unique<State>(X, bounds, budget, options, threads, progress);
  state_->ChooseStatistic();
}

RegressionPlan::~RegressionPlan() = default;
RegressionPlan::RegressionPlan(RegressionPlan&&) noexcept = default;

const PrivacyStatement& RegressionPlan::privacy() const {
  return state_->privacy;
}

PrivacyEvent RegressionPlan::event() const {
  return GaussianEvent(state_->mechanism->mu());
}

Neighbours RegressionPlan::neighbours() const {
  return state_->options.units ? Neighbours::kUnit : Neighbours::kOutput;
}

std::string RegressionPlan::method() const {
  return state_->options.method == RegressionOptions::kOptimal ? "optimal"
                                                               : "cloaking";
}

std::string RegressionPlan::design() const {
  return NameOf(state_->design_kind);
}

Index RegressionPlan::rank() const { return state_->design.R.rows(); }

double RegressionPlan::certified_gap() const { return state_->design.gap; }

const GaussianMechanism& RegressionPlan::mechanism() const {
  return *state_->mechanism;
}

const Units& RegressionPlan::units() const { return state_->units; }

double RegressionPlan::expected_sd() const { return state_->expected_sd; }

double RegressionPlan::expected_sd_without_privacy() const {
  return state_->expected_sd_without_privacy;
}

Release RegressionPlan::Execute(const Secret<Vector>& outputs,
                                Randomness& randomness) const {
  const State& state = *state_;
  const NoisyStatistic noisy = state.mechanism->Release(outputs, randomness);

  // From here on everything is post-processing of what was released.
  ReleaseContent content;
  content.method = method();
  content.design = design();
  content.certified_gap = certified_gap();
  content.inputs = DescribeInputs(state.options.input_names, state.X);
  content.output = state.options.output_name;
  content.offset = state.bounds.middle();
  content.privacy = state.privacy;
  content.statistic.unit = state.mechanism->unit();
  for (const Int128 units : noisy.units) {
    content.statistic.units.push_back(DecimalText(units));
  }
  content.basis_points = state.Z;
  if (state.cloaked) {
    content.posteriors.push_back(
        state.cloaked->Decode(noisy.value, noisy.noise_sd));
    return Release(std::move(content));
  }
  LinearStatisticLikelihood likelihood(
      StatisticLikelihood(state.X, state.Z, state.mechanism->R(),
                          noisy.noise_sd, noisy.value, state.threads));
  for (const WeightedHyperparameters& theta :
       LearnFromRelease(state.prior, likelihood, state.progress)) {
    content.posteriors.push_back(state.Infer(theta, noisy.value));
  }
  return Release(std::move(content));
}

}  // namespace cloak
