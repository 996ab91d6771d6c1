#include "cloak/models/outputs/kept_rounds.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/microaggregate.h"

namespace cloak {
namespace {

PublishedNumber PublishedIn(const ReleasedStatistic& statistic) {
  return {ParseNumber(statistic.integers.front(), "a released number") *
              statistic.step,
          statistic.cost->noise_scale};
}

}  // namespace

SiteStatistics KeepRounds(const OptimalModel& model,
                          const std::vector<PublishedRound>& rounds) {
  const SiteInputs& sites = model.sites();
  RequirePrivacy(sites.weights().minCoeff() >= kLeastGroup,
                 "a site of fewer than ", kLeastGroup,
                 " rows cannot stand in a file");
  const Hyperparameters medians =
      model.prior().At(Vector::Zero(model.prior().size()));
  SiteStatistics kept;
  kept.points = sites.points();
  kept.rows = sites.weights();
  kept.deviations = sites.deviations();
  kept.site_of_point = sites.site_of_point();
  if (model.noise_of_sums()) kept.noise_variances = *model.noise_of_sums();
  kept.kernel = medians.kernel;
  kept.noise_variance = medians.noise_variance;
  kept.kernel_is_learned = model.prior().KernelIsFree();
  kept.noise_is_learned = model.prior().NoiseIsFree();
  for (const PublishedRound& round : rounds) {
    kept.rounds.push_back({round.R, round.centre, round.half_width});
  }
  return kept;
}

std::vector<PublishedRound> KeptRounds(const ReleaseContent& content) {
  const std::vector<RoundStatistics> statistics = StatisticsOfRounds(content);
  std::vector<PublishedRound> rounds;
  for (size_t j = 0; j < statistics.size(); ++j) {
    const SiteRound& of = content.sites->rounds[j];
    const ReleasedStatistic& sums = *statistics[j].sums;
    PublishedRound round{of.R,
                         of.centre,
                         of.half_width,
                         Vector(of.R.rows()),
                         sums.cost->noise_scale,
                         PublishedIn(*statistics[j].present)};
    for (Index k = 0; k < round.value.size(); ++k) {
      round.value(k) = ParseNumber(sums.integers[static_cast<size_t>(k)],
                                   "a released number") *
                       sums.step;
    }
    if (statistics[j].squares != nullptr) {
      round.squares = PublishedIn(*statistics[j].squares);
    }
    rounds.push_back(std::move(round));
  }
  return rounds;
}

}  // namespace cloak
