#ifndef CLOAK_MODELS_NOISE_ESTIMATE_H_
#define CLOAK_MODELS_NOISE_ESTIMATE_H_

#include <vector>

#include "cloak/selection/hyper_prior.h"

namespace cloak {

// A sum of squares that a round published: of outputs less the middle of their
// bounds, over half the width of these. It is expected to be
//   per_variance · (the noise variance of an observation) + of_f.
struct NoisySquares {
  double value = 0;
  double noise_sd = 0;
  double per_variance = 0;
  double of_f = 0;
};

// The mean of the noise variance of an observation, given the squares of all
// rounds, if the prior has it free (the last of what is free): with it, the
// variance of a new observation is that of everything that is believed.
double EstimateNoise(const HyperPrior& prior,
                     const std::vector<NoisySquares>& rounds);

}  // namespace cloak

#endif  // CLOAK_MODELS_NOISE_ESTIMATE_H_
