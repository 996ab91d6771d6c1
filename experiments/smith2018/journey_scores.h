#ifndef CLOAK_EXPERIMENTS_SMITH2018_JOURNEY_SCORES_H_
#define CLOAK_EXPERIMENTS_SMITH2018_JOURNEY_SCORES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cloak/privacy/randomness.h"
#include "experiments/smith2018/journeys.h"

namespace cloak {

inline constexpr double kJourneyDelta = 0.01;

// One fold's root mean squared error on the held-out durations.
struct JourneyScore {
  std::string method;
  double epsilon = 0;  // infinite: without privacy
  double rmse = 0;
};

// Cloaking (Smith 2018) at the held-out stations with the paper's kernel
// eq(1581², lengthscale) and noise variance 1605², on durations less their
// mean. Three methods for one factorisation: without privacy; the paper's own,
// its noise of smallest volume calibrated by its constant
// √(2 ln(2/δ))/ε; and the noise of smallest trace, calibrated exactly.
//
// No release is made of it, and none could be: the mean that is subtracted
// costs privacy that the paper does not count. The scores are those of
// published predictions, with noise from a seeded generator, mean over a few
// draws.
std::vector<JourneyScore> ScoreCloaking(const JourneyFold& fold,
                                        double lengthscale,
                                        const std::vector<double>& epsilons,
                                        uint64_t seed);

// A release with nothing given.
struct OptimalScore {
  double rmse = 0;
  double coverage = 0;  // of 95 % intervals
  std::string most_likely_kernel;
  double noise_sd = 0;  // of an observation, under that kernel
};
OptimalScore ScoreOptimal(const JourneyFold& fold, double epsilon,
                          Randomness& randomness);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_SMITH2018_JOURNEY_SCORES_H_
