#ifndef CLOAK_MODELS_OPTIMAL_H_
#define CLOAK_MODELS_OPTIMAL_H_

#include <memory>
#include <optional>

#include "cloak/gp/linear_posterior.h"
#include "cloak/gp/statistic_moments.h"
#include "cloak/models/gaussian_plan.h"
#include "cloak/selection/from_release.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {

struct OptimalOptions {
  using Design = PlanDesign;
  using enum PlanDesign;
  // What an output says of f: itself and noise, or, if it is a label, which of
  // two classes, the second with probability 1/(1 + e⁻ᶠ).
  enum Link { kIdentity, kLogistic };
  Design design = kBayes;
  Link link = kIdentity;
  // Learned from the release when absent.
  std::optional<Kernel> kernel = {};
  // Of outputs that are not labels, like the next.
  std::optional<double> noise_variance = {};
  // Of each row, in place of noise_variance, which is then that of a new
  // observation.
  std::optional<Vector> row_noise_variances = {};
  // The places that matter; the inputs when absent.
  std::optional<Matrix> query_points = {};
};

// Releases the statistic that leaves the least posterior variance, and infers
// from it, hyperparameters included.
class OptimalPlan : public GaussianPlan {
 public:
  OptimalPlan(const PlanSetting& setting, const OptimalOptions& options);

 protected:
  void Infer(const NoisyStatistic& noisy,
             ReleaseContent& content) const override;

 private:
  Matrix BasisPoints(Index most) const;
  NoiseDesign GrowBasis(double s);
  NoiseDesign DesignForPosterior(double s, double& left) const;
  NoiseDesign DesignForPredictions() const;
  void ExpectError();
  OutputModel Outputs(const Basis& basis, const Hyperparameters& theta) const;
  // `noisy` must outlive it.
  std::unique_ptr<ReleaseLikelihood> LikelihoodOf(
      const NoisyStatistic& noisy) const;
  LinearPosterior PosteriorOf(const Basis& basis, const Hyperparameters& theta,
                              const NoisyStatistic& noisy) const;
  Posterior Conditioned(const WeightedHyperparameters& theta,
                        const NoisyStatistic& noisy) const;
  const Matrix& Queries() const {
    return options_.query_points ? *options_.query_points : setting().X;
  }

  OptimalOptions options_;
  HyperPrior prior_;
  Matrix Z_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_OPTIMAL_H_
