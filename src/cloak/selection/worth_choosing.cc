#include "cloak/selection/worth_choosing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cloak {

std::vector<size_t> WorthChoosing(
    const std::vector<CandidateFigures>& candidates, double width) {
  const double most_noise = width / std::sqrt(12.0);
  double least = std::numeric_limits<double>::infinity();
  for (const CandidateFigures& candidate : candidates) {
    if (candidate.noise_sd > most_noise) continue;
    least = std::min(least, candidate.sensitivity);
  }
  std::vector<size_t> worth;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].noise_sd <= most_noise &&
        candidates[i].sensitivity <= kMostSensitivity * least) {
      worth.push_back(i);
    }
  }
  return worth;
}

}  // namespace cloak
