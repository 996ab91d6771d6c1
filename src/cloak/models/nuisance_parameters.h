#ifndef CLOAK_MODELS_NUISANCE_PARAMETERS_H_
#define CLOAK_MODELS_NUISANCE_PARAMETERS_H_

#include <vector>

#include "cloak/selection/hyper_prior.h"

namespace cloak {

// The share of rows in which no private cell is missing, with the noise that a
// mechanism added to it.
struct NoisyShare {
  double value = 0;
  double noise_sd = 0;
};

// Returns the share of rows in which nothing is missing, as far as it can be
// told from what was published, each with noise of its own. It is exactly 1
// unless it is more probable that some are missing, and positive. Beforehand
// nothing is missing with probability kComplete, and otherwise any share is as
// probable as any other. Noise is taken for Gaussian.
double PresentShare(const std::vector<NoisyShare>& published);

inline constexpr double kComplete = 0.95;

// A sum of squares that a round published: of outputs less the middle of their
// bounds, over half the width of these. It is expected to be
//   per_variance · (the noise variance of an observation) + of_f.
struct NoisySquares {
  double value = 0;
  double noise_sd = 0;
  double per_variance = 0;
  double of_f = 0;
};

// Returns the mean of the noise variance of an observation, given the squares
// of all rounds, if the prior has it free (the last of what is free): with it,
// the variance of a new observation is that of everything that is believed.
double EstimateNoise(const HyperPrior& prior,
                     const std::vector<NoisySquares>& rounds);

}  // namespace cloak

#endif  // CLOAK_MODELS_NUISANCE_PARAMETERS_H_
