#ifndef CLOAK_SELECTION_FROM_RELEASE_H_
#define CLOAK_SELECTION_FROM_RELEASE_H_

#include <functional>
#include <optional>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/gp/statistic_likelihood.h"
#include "cloak/linalg/matrix.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {

// log p(what was released | hyperparameters).
class ReleaseLikelihood {
 public:
  virtual ~ReleaseLikelihood() = default;

  virtual double Value(const Hyperparameters& theta) const = 0;

  // The value, and its gradient; nothing where there is none at hand, and
  // differences of values are taken.
  virtual std::optional<double> ValueWithGradient(
      const Hyperparameters&, HyperparameterGradient&) const {
    return {};
  }

  // Called with the best found so far, near which the rest of the search will
  // be: for likelihoods that are best computed around some point.
  virtual void Recentre(const Hyperparameters&) {}
};

// Any function.
class DifferencedLikelihood final : public ReleaseLikelihood {
 public:
  using Function = std::function<double(const Hyperparameters&)>;
  explicit DifferencedLikelihood(Function function);

  double Value(const Hyperparameters& theta) const override;

 private:
  Function function_;
};

// The likelihood of a linear statistic with Gaussian noise
// (gp/statistic_likelihood.h).
class LinearStatisticLikelihood final : public ReleaseLikelihood {
 public:
  explicit LinearStatisticLikelihood(StatisticLikelihood likelihood);

  double Value(const Hyperparameters& theta) const override;
  std::optional<double> ValueWithGradient(
      const Hyperparameters& theta,
      HyperparameterGradient& gradient) const override;
  void Recentre(const Hyperparameters& theta) override;

 private:
  StatisticLikelihood likelihood_;
};

// The mode of likelihood times prior in the standard coordinates z.
struct HyperparameterMode {
  Vector z;
  Hyperparameters value;
};

// Returns hyperparameters learned from what was released anyway, so at no cost
// of privacy. Where one must stand for all, it is the mode. `near`: where it
// was before a little more was known; the search begins there, and is short.
HyperparameterMode MostProbable(const HyperPrior& prior,
                                ReleaseLikelihood& likelihood,
                                const std::optional<Vector>& near = {});

// Returns hyperparameters to average predictions over: around the mode, the
// points of a third-degree cubature rule of the Laplace approximation, mode ±
// √k Σ^½ e_j, each weighted by how far the true posterior is from the
// approximation there. Averaging predictions over them puts the uncertainty
// about hyperparameters into the error bars. (What is known well is not among
// the k, nor what prior.averaged() leaves out: the mode alone stands for it.)
//
// None of them is a good guess by itself: the less is known, the farther they
// are from the mode, and the largest weight is that of the point which the
// approximation misses most. Nothing free, or all known: the mode, with
// weight 1.
std::vector<WeightedHyperparameters> LearnFromRelease(
    const HyperPrior& prior, ReleaseLikelihood& likelihood,
    const Progress& progress = NoProgress);

}  // namespace cloak

#endif  // CLOAK_SELECTION_FROM_RELEASE_H_
