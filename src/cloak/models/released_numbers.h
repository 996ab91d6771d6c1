#ifndef CLOAK_MODELS_RELEASED_NUMBERS_H_
#define CLOAK_MODELS_RELEASED_NUMBERS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cloak/models/observed_release.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/gaussian_mechanism.h"
#include "cloak/privacy/integer128.h"
#include "cloak/release/release.h"

namespace cloak {

// The numbers that mechanisms publish as they stand in a release, with what
// they are of and what they cost.

std::vector<std::string> DecimalTexts(const std::vector<Int128>& numbers);

// Returns numbers that were published with this noise.
ReleasedStatistic PublishedBy(const ExactGaussian& noise,
                              const std::vector<Int128>& numbers,
                              const std::string& of);

// Numbers that were published as one vector with those of `last`, with noise of
// the same size in integers: what it costs is the same, in another unit.
ReleasedStatistic PublishedWith(const ReleasedStatistic& last,
                                const std::vector<Int128>& numbers, double unit,
                                const std::string& of);

// A number that a GaussianMechanism publishes beside its sums, as a part of one
// vector with one sensitivity, and what an integer in it is worth.
struct ExtraNumber {
  std::string_view of;
  Int128 integer = 0;
  double step = 0;
};
std::vector<ExtraNumber> ExtraNumbers(const GaussianMechanism& mechanism,
                                      const NoisyStatistic& noisy);
// All that it publishes: the sums, then the extra numbers.
std::vector<Int128> AllNumbers(const GaussianMechanism& mechanism,
                               const NoisyStatistic& noisy);

// A release of outputs by it, for observers. `publish` makes it of outputs as
// they are in the table.
ObservedRelease ObservedBy(
    const GaussianMechanism& mechanism, const std::string& name, Vector centre,
    Vector half_width,
    const std::function<NoisyStatistic(const Secret<Vector>&, Randomness&)>&
        publish);

// Makes what was published now the last statistic of the release, whose noise
// the privacy statement gives; what was there before becomes an earlier one.
// `prefix`: "round 2 of 5: ", or nothing.
void AddStatistics(const GaussianMechanism& mechanism,
                   const NoisyStatistic& noisy, const std::string& prefix,
                   ReleaseContent& content);

}  // namespace cloak

#endif  // CLOAK_MODELS_RELEASED_NUMBERS_H_
