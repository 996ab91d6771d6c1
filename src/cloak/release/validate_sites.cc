#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/microaggregate.h"
#include "cloak/release/validate.h"

namespace cloak {
namespace {

// Far above what Cloak writes: how many points there are, and numbers in the
// sums of all rounds.
constexpr Index kMostPoints = 20000;
constexpr Index kMostSums = 4000;

void RequireSize(bool fits, const char* what) {
  RequireInput(fits, "the sites of a release need ", what);
}

void ValidatePoints(const SiteStatistics& sites, Index dimension, Index rows) {
  const Index points = sites.points.rows();
  RequireSize(points > 0 && points <= kMostPoints &&
                  sites.points.cols() == dimension && sites.points.allFinite(),
              "1 to 20000 finite points with one number for each input");
  RequireSize(
      sites.rows.size() == points &&
          (sites.rows.array() >= static_cast<double>(kLeastGroup)).all() &&
          (sites.rows.array().floor() == sites.rows.array()).all() &&
          sites.rows.sum() == static_cast<double>(rows),
      "a number of rows for each point, at least 10, together as many "
      "as the release has");
  RequireSize(
      sites.deviations.size() == 0 || (sites.deviations.rows() == points &&
                                       sites.deviations.cols() == dimension &&
                                       sites.deviations.allFinite() &&
                                       (sites.deviations.array() >= 0).all()),
      "deviations that are finite and not negative, one for each input "
      "of each point");
}

void ValidateSiteOfPoint(const SiteStatistics& sites) {
  const Index points = sites.points.rows();
  const Index count = sites.count();
  const auto places = static_cast<Index>(sites.site_of_point.size());
  if (places == 0) {
    RequireSize(count == points, "a site for each point");
    return;
  }
  RequireSize(places == points && count <= points, "a site for each point");
  std::vector<bool> has_point(static_cast<size_t>(count), false);
  for (const Index site : sites.site_of_point) {
    RequireSize(site >= 0 && site < count,
                "the place of a site for each point");
    has_point[static_cast<size_t>(site)] = true;
  }
  for (const bool has : has_point) RequireSize(has, "a point in each site");
}

void ValidateRound(const SiteRound& round, Index count,
                   const ReleasedStatistic& statistic) {
  RequireSize(
      round.R.rows() == static_cast<Index>(statistic.integers.size()) &&
          round.R.cols() == count && round.R.allFinite(),
      "finite weights of each site for each number of a round's statistic");
  RequireSize(round.centre.size() == count && round.centre.allFinite() &&
                  round.half_width.size() == count &&
                  round.half_width.allFinite() &&
                  (round.half_width.array() > 0).all(),
              "finite windows with positive widths");
}

}  // namespace

std::vector<RoundStatistics> StatisticsOfRounds(const ReleaseContent& content) {
  std::vector<const ReleasedStatistic*> all;
  for (const ReleasedStatistic& earlier : content.earlier_statistics) {
    all.push_back(&earlier);
  }
  all.push_back(&content.statistic);
  const size_t count = content.sites->rounds.size();
  RequireInput(count > 0 && all.size() % count == 0 &&
                   (all.size() / count == 2 || all.size() / count == 3),
               "a release with sites has two or three statistics for each of "
               "its rounds");
  const size_t each = all.size() / count;
  std::vector<RoundStatistics> rounds;
  for (size_t j = 0; j < count; ++j) {
    const auto* const first = all.data() + j * each;
    rounds.push_back(
        {each == 3 ? first[0] : nullptr, first[each - 2], first[each - 1]});
    for (size_t k = 0; k < each; ++k) {
      RequireInput(first[k]->cost.has_value() &&
                       first[k]->cost->noise == NoiseKind::kGaussian &&
                       first[k]->cost->with_next == (k + 1 < each) &&
                       (k + 1 == each || first[k]->integers.size() == 1),
                   "the statistics of a release with sites must be those of "
                   "its rounds, with Gaussian noise");
    }
  }
  return rounds;
}

void ValidateSites(const ReleaseContent& content, Index dimension) {
  if (!content.sites) return;
  const SiteStatistics& sites = *content.sites;
  RequireInput(content.task == TaskKind::kRegression &&
                   content.privacy.protect == Protection::kOutputs,
               "only a regression whose outputs are protected has sites");
  ValidatePoints(sites, dimension, content.privacy.rows);
  ValidateSiteOfPoint(sites);
  const Vector& noise = sites.noise_variances;
  RequireSize(
      noise.size() == 0 || (noise.size() == sites.count() &&
                            noise.allFinite() && (noise.array() >= 0).all()),
      "a noise variance for each site, finite and not negative");
  RequireSize(std::isfinite(sites.noise_variance) && sites.noise_variance > 0,
              "a noise variance that is finite and positive");
  sites.kernel.CheckInputs(dimension);
  const std::vector<RoundStatistics> statistics = StatisticsOfRounds(content);
  Index sums = 0;
  for (const SiteRound& round : sites.rounds) sums += round.R.rows();
  RequireSize(sums <= kMostSums, "at most 4000 numbers in all rounds");
  for (size_t j = 0; j < statistics.size(); ++j) {
    ValidateRound(sites.rounds[j], sites.count(), *statistics[j].sums);
  }
}

}  // namespace cloak
