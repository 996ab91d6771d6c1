#ifndef CLOAK_EXPERIMENTS_SMITH2018_JOURNEYS_H_
#define CLOAK_EXPERIMENTS_SMITH2018_JOURNEYS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// Journeys of a bicycle hire scheme. In this experiment the durations are not
// secret: they are what predictions are scored against.
struct Journeys {
  Matrix stations;   // one row for each journey: kStationColumns
  Vector durations;  // seconds, clipped to [0, kLongestJourney]
};

inline constexpr double kLongestJourney = 2000;

// Where a journey began and ended, in degrees.
const std::vector<std::string>& StationColumns();

Journeys ReadJourneys(const std::filesystem::path& path);

// One fold of the paper's Monte Carlo cross-validation: 4900 journeys to learn
// from and 100 others to predict, drawn from all. The same number gives the
// same journeys everywhere.
struct JourneyFold {
  Journeys train;
  Journeys test;
};

JourneyFold SampleFold(const Journeys& all, Index number);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_SMITH2018_JOURNEYS_H_
