#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/validate.h"

namespace cloak {
namespace {

// Five rounds of three statistics each are what Cloak writes at most.
constexpr size_t kMostEarlierStatistics = 20;
constexpr size_t kLongestDescription = 200;

void RequirePositiveCost(double value, const std::string& what,
                         const StatisticCost& cost) {
  RequireInput(std::isfinite(value) && value > 0, "the ", what,
               " of the statistic '", cost.of,
               "' must be finite and positive, but is ", value);
}

void ValidateCost(const StatisticCost& cost) {
  RequireText(cost.of, "a statistic");
  RequireInput(!cost.of.empty() && cost.of.size() <= kLongestDescription,
               "what a statistic is of must be said in 1 to ",
               kLongestDescription, " bytes, but has ", cost.of.size());
  RequirePositiveCost(cost.sensitivity, "sensitivity", cost);
  RequirePositiveCost(cost.noise_scale, "noise", cost);
  RequirePositiveCost(cost.price, "price", cost);
}

}  // namespace

void ValidateStatistics(const ReleaseContent& content) {
  RequireInput(content.earlier_statistics.size() <= kMostEarlierStatistics,
               "a release has at most ", kMostEarlierStatistics,
               " earlier statistics, but this one has ",
               content.earlier_statistics.size());
  std::vector<const ReleasedStatistic*> all;
  for (const ReleasedStatistic& earlier : content.earlier_statistics) {
    all.push_back(&earlier);
  }
  all.push_back(&content.statistic);
  for (const ReleasedStatistic* statistic : all) {
    RequireInput(std::isfinite(statistic->step) && statistic->step > 0,
                 "the unit of a statistic must be finite and positive, but is ",
                 statistic->step);
    RequireInput(
        statistic->cost.has_value() == content.statistic.cost.has_value(),
        "some statistics say what they cost, and others do not: what they cost "
        "together cannot be known");
    if (statistic->cost) ValidateCost(*statistic->cost);
  }
  RequireInput(!content.statistic.cost || !content.statistic.cost->with_next,
               "the last statistic cannot be released with the next one");
}

}  // namespace cloak
