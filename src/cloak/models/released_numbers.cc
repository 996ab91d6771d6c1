#include "cloak/models/released_numbers.h"

#include <utility>

#include "cloak/base/text.h"

namespace cloak {

std::vector<std::string> DecimalTexts(const std::vector<Int128>& numbers) {
  std::vector<std::string> texts;
  texts.reserve(numbers.size());
  for (const Int128 number : numbers) texts.push_back(DecimalText(number));
  return texts;
}

ReleasedStatistic PublishedBy(const ExactGaussian& noise,
                              const std::vector<Int128>& numbers,
                              const std::string& of) {
  return {DecimalTexts(numbers), noise.step(),
          StatisticCost{of, NoiseKind::kGaussian, noise.sensitivity(),
                        noise.sd(), noise.mu()}};
}

ReleasedStatistic PublishedWith(const ReleasedStatistic& last,
                                const std::vector<Int128>& numbers, double unit,
                                const std::string& of) {
  const double ratio = unit / last.step;
  StatisticCost cost = *last.cost;
  cost.of = of;
  cost.sensitivity *= ratio * (1 + 0x1p-50);
  cost.noise_scale *= ratio;
  cost.with_next = true;
  return {DecimalTexts(numbers), unit, std::move(cost)};
}

std::vector<ExtraNumber> ExtraNumbers(const GaussianMechanism& mechanism,
                                      const NoisyStatistic& noisy) {
  std::vector<ExtraNumber> extras;
  if (mechanism.with_squares()) {
    extras.push_back({"sum of squared outputs", noisy.squares_integer,
                      mechanism.squares_step()});
  }
  extras.push_back({"share of outputs that are not missing",
                    noisy.present_integer, mechanism.present_step()});
  return extras;
}

std::vector<Int128> AllNumbers(const GaussianMechanism& mechanism,
                               const NoisyStatistic& noisy) {
  std::vector<Int128> numbers = noisy.integers;
  for (const ExtraNumber& extra : ExtraNumbers(mechanism, noisy)) {
    numbers.push_back(extra.integer);
  }
  return numbers;
}

ObservedRelease ObservedBy(
    const GaussianMechanism& mechanism, const std::string& name, Vector centre,
    Vector half_width,
    const std::function<NoisyStatistic(const Secret<Vector>&, Randomness&)>&
        publish) {
  ObservedOutputs outputs;
  outputs.mechanism = &mechanism;
  outputs.centre = std::move(centre);
  outputs.half_width = std::move(half_width);
  ObservedRelease release;
  release.name = name;
  release.publish = [&mechanism, publish](const PrivateRows& rows,
                                          Randomness& random) {
    return AllNumbers(mechanism, publish(rows.outputs(), random));
  };
  release.mechanism = std::move(outputs);
  return release;
}

void AddStatistics(const GaussianMechanism& mechanism,
                   const NoisyStatistic& noisy, const std::string& prefix,
                   ReleaseContent& content) {
  std::vector<ReleasedStatistic>& earlier = content.earlier_statistics;
  if (!content.statistic.integers.empty()) {
    earlier.push_back(std::move(content.statistic));
  }
  content.statistic = PublishedBy(
      mechanism.noise(), noisy.integers,
      Text(prefix, content.classes.empty() ? "weighted sums of outputs"
                                           : "weighted sums of labels"));
  for (const ExtraNumber& extra : ExtraNumbers(mechanism, noisy)) {
    earlier.push_back(PublishedWith(content.statistic, {extra.integer},
                                    extra.step, Text(prefix, extra.of)));
  }
  content.privacy.sensitivity = mechanism.noise().sensitivity();
  content.privacy.noise_sd = mechanism.noise().sd();
}

}  // namespace cloak
