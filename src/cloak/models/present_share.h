#ifndef CLOAK_MODELS_PRESENT_SHARE_H_
#define CLOAK_MODELS_PRESENT_SHARE_H_

#include <vector>

namespace cloak {

// What a mechanism published of the share of rows in which no private cell is
// missing: that share plus noise.
struct NoisyShare {
  double value = 0;
  double noise_sd = 0;
};

// The share of rows in which nothing is missing, as far as it can be told from
// what was published, each with noise of its own. It is exactly 1 unless it is
// more probable that some are missing, and positive. Beforehand nothing is
// missing with probability kComplete, and otherwise any share is as probable as
// any other. Noise is taken for Gaussian.
double PresentShare(const std::vector<NoisyShare>& published);

inline constexpr double kComplete = 0.95;

}  // namespace cloak

#endif  // CLOAK_MODELS_PRESENT_SHARE_H_
