#ifndef CLOAK_SELECTION_FROM_RELEASE_H_
#define CLOAK_SELECTION_FROM_RELEASE_H_

#include <functional>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/linalg/matrix.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {

// log p(released statistic | hyperparameters).
using StatisticLikelihood = std::function<double(const Hyperparameters&)>;

// Hyperparameters learned from what was released anyway, so at no cost of
// privacy: the mode of likelihood times prior in the standard coordinates z,
// and around it the points of a third-degree cubature rule of the Laplace
// approximation, mode ± √k Σ^½ e_j, each weighted by how far the true
// posterior is from the approximation there. Averaging predictions over them
// puts the uncertainty about hyperparameters into the error bars. (For those
// that prior.averaged() leaves out: the mode alone.)
//
// Nothing free: the given hyperparameters, with weight 1.
std::vector<WeightedHyperparameters> LearnFromRelease(
    const HyperPrior& prior, const StatisticLikelihood& likelihood,
    const Progress& progress = NoProgress);

}  // namespace cloak

#endif  // CLOAK_SELECTION_FROM_RELEASE_H_
