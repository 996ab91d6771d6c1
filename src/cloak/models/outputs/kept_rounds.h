#ifndef CLOAK_MODELS_OUTPUTS_KEPT_ROUNDS_H_
#define CLOAK_MODELS_OUTPUTS_KEPT_ROUNDS_H_

#include <vector>

#include "cloak/models/outputs/conclusion.h"
#include "cloak/release/release.h"

namespace cloak {

// Returns what a file keeps of rounds, so that others can infer anew. Throws
// PrivacyFailure where a point of the model's sites stands for fewer rows than
// kLeastGroup: it would be somebody's.
SiteStatistics KeepRounds(const OptimalModel& model,
                          const std::vector<PublishedRound>& rounds);

// Returns the rounds of a release that has sites, number for number what those
// were that it was concluded from.
std::vector<PublishedRound> KeptRounds(const ReleaseContent& content);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_KEPT_ROUNDS_H_
