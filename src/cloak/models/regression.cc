#include "cloak/models/regression.h"

#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/gp/basis_candidates.h"
#include "cloak/gp/exact_gp.h"
#include "cloak/gp/smoother.h"
#include "cloak/kernels/gibbs_from_inputs.h"
#include "cloak/linalg/rounded_range.h"
#include "cloak/models/binning.h"
#include "cloak/models/cloaking.h"
#include "cloak/models/inducing_points.h"
#include "cloak/models/magnitudes.h"
#include "cloak/models/optimal.h"
#include "cloak/models/optimal_rounds.h"

namespace cloak {
namespace {

// What the query points may leave of each other, as a fraction of the noise
// variance, when some of them stand for all in a basis.
constexpr double kQueryResidual = 1e-6;
// The same for the rows, and the most of them, in a functional release.
constexpr double kRowResidual = 1e-4;
constexpr Index kFunctionalBasisSize = 200;

bool IsCloaked(RegressionOptions::Method method) {
  return method == RegressionOptions::kCloaking ||
         method == RegressionOptions::kSparseCloaking ||
         method == RegressionOptions::kNonstationaryCloaking ||
         method == RegressionOptions::kPolynomial;
}

bool IsBinned(RegressionOptions::Method method) {
  return method == RegressionOptions::kBinning ||
         method == RegressionOptions::kIntegralBinning;
}

void CheckQueries(const PlanSetting& setting,
                  const RegressionOptions& options) {
  if (!options.query_points) return;
  const Matrix& Xs = *options.query_points;
  RequireInput(Xs.rows() > 0 && Xs.cols() == setting.X.cols() && Xs.allFinite(),
               "the query points must be finite, at least one, with ",
               setting.X.cols(), " inputs, but are ", Xs.rows(), " x ",
               Xs.cols());
  RequireInputs(setting.input_names, Xs);
}

void CheckRowNoise(const PlanSetting& setting,
                   const RegressionOptions& options) {
  if (!options.row_noise_variances) return;
  const Vector& noise = *options.row_noise_variances;
  RequireInput(noise.size() == setting.X.rows(),
               "there must be a noise variance for each of the ",
               setting.X.rows(), " rows, but there are ", noise.size());
  for (Index i = 0; i < noise.size(); ++i) {
    RequireInput(std::isfinite(noise(i)) && noise(i) > 0,
                 "the noise variance of every row must be finite and "
                 "positive, but that of row ",
                 i + 1, " is ", noise(i));
    RequireNoiseVariance(noise(i), setting.bounds);
  }
}

void CheckOutputModel(const PlanSetting& setting,
                      const RegressionOptions& options) {
  if (options.noise_variance) {
    RequireNoiseVariance(*options.noise_variance, setting.bounds);
  }
  if (!options.kernel) return;
  options.kernel->CheckInputs(setting.X.cols());
  RequireKernel(*options.kernel,
                options.kernel->Variances(setting.X).maxCoeff(),
                setting.bounds);
}

double NoiseOfAnObservation(const RegressionOptions& options) {
  return options.noise_variance ? *options.noise_variance
                                : options.row_noise_variances->mean();
}

Vector RowNoise(const PlanSetting& setting, const RegressionOptions& options) {
  if (options.row_noise_variances) return *options.row_noise_variances;
  return Vector::Constant(setting.X.rows(), *options.noise_variance);
}

std::unique_ptr<Plan> PlanOptimalOutputs(const PlanSetting& setting,
                                         const RegressionOptions& options) {
  OptimalOptions optimal;
  optimal.design = options.design.value_or(RegressionOptions::kBayes);
  optimal.kernel = options.kernel;
  optimal.noise_variance = options.noise_variance;
  optimal.row_noise_variances = options.row_noise_variances;
  if (options.row_noise_variances) {
    optimal.noise_variance = NoiseOfAnObservation(options);
  }
  optimal.query_points = options.query_points;
  if (options.one_round) return std::make_unique<OptimalPlan>(setting, optimal);
  return PlanBestOptimal(setting, optimal);
}

// `points` may stand in the release as they are, or are candidates for that.
template <typename Points>
LinearSmoother ExactAt(const PlanSetting& setting,
                       const RegressionOptions& options, const Kernel& kernel,
                       const Points& points,
                       const BasisSelectionOptions& selection) {
  setting.progress("factoring the covariance", 0);
  const ExactGp gp(kernel, RowNoise(setting, options), setting.X,
                   setting.threads);
  const Basis basis(
      kernel, SelectBasisPoints(kernel, points, setting.threads, selection),
      setting.threads);
  return ExactSmoother(gp, basis);
}

LinearSmoother Fitc(const PlanSetting& setting,
                    const RegressionOptions& options) {
  const Basis basis(*options.kernel, InducingPoints(setting, options.inducing),
                    setting.threads);
  OutputModel outputs = ModelOutputs(basis, 0, setting.X);
  outputs.D += RowNoise(setting, options);
  return InducingSmoother(basis, outputs, setting.threads);
}

// Densities in units of the lengthscales, so that the longest is 1, the eq's
// own.
Kernel Nonstationary(const PlanSetting& setting,
                     const RegressionOptions& options) {
  const Matrix& X = setting.X;
  RequireInput(std::isfinite(options.neighbours) && options.neighbours > 0,
               "the number of neighbours must be finite and positive, "
               "but is ",
               options.neighbours);
  return options.kernel->ReplaceEq(
      [&](double variance, const PerInput& lengthscale) {
        InputDensityOptions density;
        density.scale = lengthscale;
        // Scott's rule, for the mean spread in units of the lengthscale.
        double spread = 0;
        for (Index j = 0; j < X.cols(); ++j) {
          spread += std::pow(SpreadOf(X.col(j)) / lengthscale[j], 2);
        }
        const auto inputs = static_cast<double>(X.cols());
        const double sd = spread > 0 ? std::sqrt(spread / inputs) : 1;
        density.bandwidth =
            sd * std::pow(static_cast<double>(X.rows()), -1 / (inputs + 4));
        return GibbsFromInputs(X, variance, 1, options.neighbours, density);
      });
}

LinearSmoother SmootherForOutputs(const PlanSetting& setting,
                                  const RegressionOptions& options) {
  const double noise = NoiseOfAnObservation(options);
  switch (options.method) {
    case RegressionOptions::kSparseCloaking:
      return Fitc(setting, options);
    case RegressionOptions::kPolynomial:
      return PolynomialSmoother(setting.X, options.degree, noise,
                                setting.threads);
    case RegressionOptions::kFunctional:
      return ExactAt(setting, options, *options.kernel,
                     BasisCandidates(setting.X),
                     {.max_size = kFunctionalBasisSize,
                      .tolerance = kRowResidual * noise});
    case RegressionOptions::kNonstationaryCloaking:
      return ExactAt(setting, options, Nonstationary(setting, options),
                     *options.query_points,
                     {.tolerance = kQueryResidual * noise});
    default:
      return ExactAt(setting, options, *options.kernel, *options.query_points,
                     {.tolerance = kQueryResidual * noise});
  }
}

std::unique_ptr<Plan> PlanCloaked(const PlanSetting& setting,
                                  const RegressionOptions& options) {
  CloakingOptions cloaking;
  cloaking.method = NameOf(options.method);
  if (options.method == RegressionOptions::kFunctional) {
    cloaking.design = CloakingDesign::kIsotropic;
  } else if (options.design == RegressionOptions::kTrace) {
    cloaking.design = CloakingDesign::kTrace;
  }
  cloaking.noise_variance = NoiseOfAnObservation(options);
  cloaking.published_noise = options.published_noise;
  return std::make_unique<CloakingPlan>(
      setting, SmootherForOutputs(setting, options),
      options.query_points ? *options.query_points : setting.X, cloaking);
}

std::unique_ptr<Plan> PlanBinning(const PlanSetting& setting,
                                  const RegressionOptions& options) {
  BinningOptions binning;
  binning.method = options.method == RegressionOptions::kBinning
                       ? BinningOptions::kBinning
                       : BinningOptions::kIntegralBinning;
  binning.bins = options.bins;
  binning.lower = options.lower;
  binning.upper = options.upper;
  binning.kernel = options.kernel;
  binning.noise_variance = options.noise_variance;
  return std::make_unique<BinningPlan>(setting, binning);
}

std::unique_ptr<Plan> MakeOutputPlan(const PlanSetting& setting,
                                     const RegressionOptions& options) {
  if (options.method == RegressionOptions::kOptimal)
    return PlanOptimalOutputs(setting, options);
  if (IsBinned(options.method)) return PlanBinning(setting, options);
  return PlanCloaked(setting, options);
}

}  // namespace

std::string NameOf(RegressionOptions::Method method) {
  switch (method) {
    case RegressionOptions::kOptimal:
      return "optimal";
    case RegressionOptions::kCloaking:
      return "cloaking";
    case RegressionOptions::kSparseCloaking:
      return "sparse-cloaking";
    case RegressionOptions::kNonstationaryCloaking:
      return "nonstationary-cloaking";
    case RegressionOptions::kFunctional:
      return "functional";
    case RegressionOptions::kPolynomial:
      return "polynomial";
    case RegressionOptions::kBinning:
      return "binning";
    case RegressionOptions::kIntegralBinning:
      return "integral-binning";
  }
  throw Error("an unknown method");
}

std::vector<RegressionOptions::Method> RegressionMethods() {
  return {RegressionOptions::kOptimal,
          RegressionOptions::kCloaking,
          RegressionOptions::kSparseCloaking,
          RegressionOptions::kNonstationaryCloaking,
          RegressionOptions::kFunctional,
          RegressionOptions::kPolynomial,
          RegressionOptions::kBinning,
          RegressionOptions::kIntegralBinning};
}

void CheckMethod(const RegressionOptions& options,
                 const AnnouncedOptions& announced) {
  using Method = RegressionOptions::Method;
  const Method method = options.method;
  const std::string name = NameOf(method);
  const bool has_queries = options.query_points || announced.queries;
  const bool has_row_noise = options.row_noise_variances || announced.row_noise;
  RequireInput(!options.published_noise || IsCloaked(method) ||
                   method == RegressionOptions::kFunctional,
               "the papers' noise belongs to their methods, not to '", name,
               "'");
  RequireInput(!has_row_noise || !(IsBinned(method) ||
                                   method == RegressionOptions::kPolynomial),
               "the method '", name,
               "' has one noise variance for all rows; leave out those "
               "of single rows, or use another method");
  if (method == RegressionOptions::kOptimal) return;

  const bool exact = method == RegressionOptions::kCloaking ||
                     method == RegressionOptions::kNonstationaryCloaking;
  RequireInput(!exact || has_queries, "the method '", name,
               "' releases predictions at a list of query points: give "
               "them (--at QUERIES.csv), or use the method 'optimal', "
               "which needs none");
  const bool has_kernel = method != RegressionOptions::kPolynomial &&
                          method != RegressionOptions::kBinning;
  RequireInput(has_kernel || !options.kernel, "the method '", name,
               "' has no kernel: leave the kernel out");
  RequireInput((options.kernel || !has_kernel) &&
                   (options.noise_variance || has_row_noise ||
                    method == RegressionOptions::kBinning),
               "the method '", name, "' learns nothing from the release: give ",
               has_kernel ? "the kernel and the noise variance (--kernel, "
                            "--noise-variance)"
                          : "the noise variance (--noise-variance)",
               ", or use the method 'optimal', which learns them");
  RequireInput(options.design != RegressionOptions::kBayes,
               "the design 'bayes' belongs to the method 'optimal'; cloaked "
               "methods have the designs 'volume' and 'trace', others have one "
               "of their own");
  RequireInput(!options.design || IsCloaked(method), "the method '", name,
               "' has a design of its own; leave the design out");
  RequireInput(!has_queries || !(IsBinned(method) ||
                                 method == RegressionOptions::kFunctional),
               "the method '", name,
               "' is the same wherever queries are: leave the query "
               "points out (--at)");
}

RegressionPlan::RegressionPlan(const Matrix& X, const OutputBounds& bounds,
                               const Budget& budget,
                               const RegressionOptions& options,
                               const Threads& threads,
                               const Progress& progress) {
  PlanSetting setting{X,
                      bounds,
                      budget,
                      options.input_names,
                      options.output_name,
                      options.units,
                      options.unit_name,
                      options.prior_mean,
                      threads,
                      progress};
  setting.Validate();
  CheckQueries(setting, options);
  CheckRowNoise(setting, options);
  CheckMethod(options);
  CheckOutputModel(setting, options);

  order_.emplace(X, options.row_noise_variances.value_or(Vector()),
                 setting.UnitsOrRows());
  RegressionOptions sorted = options;
  setting.X = order_->Sorted(X);
  if (setting.units) setting.units = order_->Sorted(*setting.units);
  if (sorted.row_noise_variances) {
    sorted.row_noise_variances = order_->Sorted(*sorted.row_noise_variances);
  }
  if (sorted.query_points) {
    sorted.query_points = SortedPoints(*sorted.query_points);
  }
  plan_ = MakeOutputPlan(setting, sorted);
}

Release RegressionPlan::Execute(const PrivateRows& rows,
                                Randomness& randomness) const {
  return ExecuteObserved(rows, randomness, NoObserver);
}

Release RegressionPlan::ExecuteObserved(const PrivateRows& rows,
                                        Randomness& randomness,
                                        const ReleaseObserver& observer) const {
  return plan_->ExecuteObserved(order_->Sorted(rows.outputs(), randomness),
                                randomness, observer);
}

}  // namespace cloak
