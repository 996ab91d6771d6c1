#ifndef CLOAK_MODELS_OUTPUTS_OPTIMAL_MODEL_H_
#define CLOAK_MODELS_OUTPUTS_OPTIMAL_MODEL_H_

#include <memory>
#include <optional>
#include <vector>

#include "cloak/gp/linear_posterior.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/models/plan.h"
#include "cloak/models/task.h"
#include "cloak/selection/from_release.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {

// Options of the default methods of regression and classification.
struct OptimalOptions {
  using enum PlanDesign;
  Budget budget;
  PlanDesign design = kBayes;
  // Learned from the release when absent.
  std::optional<Kernel> kernel = {};
  // The variance of a new observation around f; learned when absent.
  std::optional<double> noise_variance = {};
  // The places that matter; the inputs when absent. For public inputs alone.
  std::optional<Matrix> query_points = {};
  // In how many cells each private input is cut; by their number when absent.
  std::optional<std::vector<Index>> cells = {};
};

// All that was published as one linear statistic of the outputs, which is as
// much as inference needs to know of it:
//   w = R (y − prior mean) + s z,  z ~ N(0, I).
struct OutputStatistic {
  Matrix R;  // r x N
  double s = 0;
  Vector w;
};

// Outputs that are missing add nothing to a statistic. If a share π of them is
// there, at random, what was published is
//   Σ_i R_i m_i (y_i − c_i) + noise,  m_i = 1 with probability π, else 0,
// which is π R (y − c) + Σ_i R_i (m_i − π) (y_i − c_i) + noise. This takes
// `statistic` with R already multiplied by π, or w and s divided by it, and
// adds the second term to its noise: that has the covariance
//   (1 − π)/π Σ_i R_i R_iᵀ (y_i − c_i)²
// in terms of the R given, where `squares` are what is expected of the last
// factor. As noise of a statistic is independent and of one size, the statistic
// is turned into one for which it is.
void AddMissingOutputs(double share, const Vector& squares,
                       OutputStatistic& statistic, const Threads& threads);

// Inference from a linear statistic of outputs at public inputs,
// hyperparameters included.
class OptimalModel {
 public:
  OptimalModel(SharedSetting setting, const OptimalOptions& options);

  const OptimalOptions& options() const { return options_; }
  const HyperPrior& prior() const { return prior_; }
  const Matrix& X() const { return setting_->X(); }
  // Returns the noise variance of each row, where rows differ in it.
  const std::optional<Vector>& row_noise_variances() const {
    return setting_->open().noise_variances;
  }
  // Whether an output says of f which of two classes it is, the second with
  // probability 1/(1 + e⁻ᶠ), and not f itself with noise.
  bool HasLabels() const { return setting_->HasLabels(); }
  const Threads& threads() const { return setting_->threads; }
  // The places that matter.
  const Matrix& Queries() const {
    return options_.query_points ? *options_.query_points : X();
  }

  // Points that span f at the inputs well enough, at most so many, none of them
  // a row of the table (basis_candidates.h).
  Matrix BasisPoints(Index most) const;
  // To be called before anything below.
  void UseBasis(Matrix points) { Z_ = std::move(points); }
  const Matrix& basis_points() const { return Z_; }
  Basis BasisOf(const Hyperparameters& theta) const {
    return Basis(theta.kernel, Z_, threads());
  }

  OutputModel Outputs(const Basis& basis, const Hyperparameters& theta) const;
  LinearPosterior Infer(const Basis& basis, const Hyperparameters& theta,
                        const OutputStatistic& statistic) const;
  // `prior`: that of this model, or one in which more is given.
  Hyperparameters MostProbable(const HyperPrior& prior,
                               const OutputStatistic& statistic) const;
  std::vector<WeightedHyperparameters> Learn(
      const HyperPrior& prior, const OutputStatistic& statistic,
      const Progress& progress = NoProgress) const;
  Posterior Conditioned(const WeightedHyperparameters& theta,
                        const OutputStatistic& statistic) const;

 private:
  // `statistic` must outlive it.
  std::unique_ptr<ReleaseLikelihood> LikelihoodOf(
      const OutputStatistic& statistic) const;

  SharedSetting setting_;
  OptimalOptions options_;
  HyperPrior prior_;
  Matrix Z_;
};

// Returns the root mean square over the places that matter of the standard
// deviation of f that is left, given hyperparameters: by a statistic, and by
// all outputs without noise.
double ExpectedSd(const OptimalModel& model, const Hyperparameters& theta,
                  const OutputStatistic& statistic);
double ExpectedSdWithoutPrivacy(const OptimalModel& model,
                                const Hyperparameters& theta);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_OPTIMAL_MODEL_H_
