#ifndef CLOAK_MODELS_OUTPUTS_OPTIMAL_MODEL_H_
#define CLOAK_MODELS_OUTPUTS_OPTIMAL_MODEL_H_

#include <memory>
#include <optional>
#include <vector>

#include "cloak/design/bayes.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/gp/logistic_posterior.h"
#include "cloak/gp/site_inputs.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/models/plan.h"
#include "cloak/models/task.h"
#include "cloak/privacy/unit_columns.h"
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
  // How public inputs are gathered, where each output is protected by itself.
  SiteOptions sites = {};
  // Whether others may infer anew from the file, which then has the sites, if
  // that costs little.
  bool keep_sites = true;
  // In how many cells each private input is cut; by their number when absent.
  std::optional<std::vector<Index>> cells = {};
};

// All that was published as one linear statistic of the outputs, which is as
// much as inference needs to know of it:
//   w = R y + s z,  z ~ N(0, I),
// y the sums over each site of outputs less the prior mean.
struct OutputStatistic {
  Matrix R;  // r x S
  double s = 0;
  Vector w;
};

// Outputs that are missing add nothing to a statistic. If a share π of them is
// there, at random, what was published is
//   Σ_i R_i m_i (y_i − c_i) + noise,  m_i = 1 with probability π, else 0,
// which is π R (y − c) + Σ_i R_i (m_i − π) (y_i − c_i) + noise, R_i the column
// of the site of output i. This takes `statistic` with R already multiplied by
// π, or w and s divided by it, and adds the second term to its noise: that has
// the covariance
//   (1 − π)/π Σ_s R_s R_sᵀ Σ_(i in s) (y_i − c_i)²
// in terms of the R given, where `squares` are what is expected of the last
// factor, for each site. As noise of a statistic is independent and of one
// size, the statistic is turned into one for which it is.
void AddMissingOutputs(double share, const Vector& squares,
                       OutputStatistic& statistic, const Threads& threads);

// Inference from a linear statistic of outputs at public inputs,
// hyperparameters included.
class OptimalModel {
 public:
  OptimalModel(const SharedSetting& setting, const OptimalOptions& options);
  // For inference alone, from what a release says of its inputs.
  OptimalModel(SiteInputs sites, std::optional<Vector> noise_of_sums,
               HyperPrior prior, Matrix basis_points, const Threads& threads);

  // Of a model for a plan.
  const OptimalOptions& options() const { return options_.value(); }
  const HyperPrior& prior() const { return prior_; }
  // The inputs, gathered into sites: all outputs of a site count alike.
  const SiteInputs& sites() const { return sites_; }
  // Returns the noise variances of the outputs of each site, summed, where rows
  // differ in them.
  const std::optional<Vector>& noise_of_sums() const { return noise_of_sums_; }
  // Whether an output says of f which of two classes it is, the second with
  // probability 1/(1 + e⁻ᶠ), and not f itself with noise.
  bool HasLabels() const { return has_labels_; }
  const Threads& threads() const { return threads_; }
  // The places that matter, and how much each does; all together 1.
  const Matrix& Places() const {
    return HasQueryPoints() ? *options_->query_points : sites_.points();
  }
  // Whether they are other than the inputs.
  bool HasQueryPoints() const { return options_ && options_->query_points; }
  const Vector& PlaceWeights() const { return place_weights_; }
  // Returns the mean over the places of φφᵀ, for columns φ.
  Matrix MeanOverPlaces(const Matrix& of_places) const;

  // Whether a file may have the sites: no point of them is anybody's, and they
  // are wanted.
  bool SitesArePublishable() const;

  // Points that span f at the inputs X well enough, at most so many, none of
  // them a row (basis_candidates.h).
  Matrix BasisPoints(const Matrix& X, Index most) const;
  // To be called before anything below.
  void UseBasis(Matrix points) { Z_ = std::move(points); }
  const Matrix& basis_points() const { return Z_; }
  Basis BasisOf(const Hyperparameters& theta) const {
    return Basis(theta.kernel, Z_, threads());
  }

  // Returns a statistic with a column for each site, for noise of s if the
  // outputs of one unit move it by at most 1.
  NoiseDesign Design(const std::vector<DesignPrior>& priors, double s,
                     const Progress& progress,
                     const BayesOptions& options) const;

  // Returns the sums of outputs over sites.
  OutputModel Outputs(const Basis& basis, const Hyperparameters& theta) const;
  // Returns the sums of outputs over points, which a statistic that knew no
  // sites could tell apart.
  OutputModel PointOutputs(const Basis& basis,
                           const Hyperparameters& theta) const;
  LinearPosterior Infer(const Basis& basis, const Hyperparameters& theta,
                        const OutputStatistic& statistic) const;
  // `prior`: that of this model, or one in which more is given.
  HyperparameterMode MostProbable(const HyperPrior& prior,
                                  const OutputStatistic& statistic,
                                  const std::optional<Vector>& near) const;
  std::vector<WeightedHyperparameters> Learn(
      const HyperPrior& prior, const OutputStatistic& statistic,
      const Progress& progress = NoProgress) const;
  Posterior Conditioned(const WeightedHyperparameters& theta,
                        const OutputStatistic& statistic) const;

 private:
  // Returns the mean of the labels of each site.
  LabelModel Labels(const Basis& basis) const;
  // `statistic` must outlive it.
  std::unique_ptr<ReleaseLikelihood> LikelihoodOf(
      const OutputStatistic& statistic) const;

  Threads threads_;
  bool has_labels_ = false;
  std::optional<OptimalOptions> options_;
  HyperPrior prior_;
  SiteInputs sites_;
  std::optional<Vector> noise_of_sums_;
  // Whose sums a design protects together: those of the outputs of a unit,
  // where each row is a site, and each site by itself otherwise.
  PrivacyUnits design_units_;
  // Absent where the design knows all units.
  std::optional<UnitColumns> kinds_of_units_;
  Vector place_weights_;
  Matrix Z_;
};

// Returns the root mean square over the places that matter of the standard
// deviation of f that is left, given hyperparameters: by a statistic, and by
// all outputs without noise.
double ExpectedSd(const OptimalModel& model, const Hyperparameters& theta,
                  const OutputStatistic& statistic);
// The same at places of which each counts for its weight.
double ExpectedSd(const OptimalModel& model, const Hyperparameters& theta,
                  const OutputStatistic& statistic, const Matrix& places,
                  const Vector& weights);
double ExpectedSdWithoutPrivacy(const OptimalModel& model,
                                const Hyperparameters& theta);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_OPTIMAL_MODEL_H_
