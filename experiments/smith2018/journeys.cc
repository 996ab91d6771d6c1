#include "experiments/smith2018/journeys.h"

#include <numeric>
#include <random>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/csv.h"

namespace cloak {
namespace {

constexpr size_t kTrain = 4900;
constexpr size_t kTest = 100;

Journeys Rows(const Journeys& all, const std::vector<Index>& rows) {
  return {all.stations(rows, Eigen::all), all.durations(rows)};
}

}  // namespace

const std::vector<std::string>& StationColumns() {
  static const std::vector<std::string> names = {"start_lat", "start_lon",
                                                 "end_lat", "end_lon"};
  return names;
}

Journeys ReadJourneys(const std::filesystem::path& path) {
  std::vector<std::string> columns = StationColumns();
  columns.emplace_back("tripduration");
  const Table table = ReadCsv(path, {.numeric = columns});
  return {
      table.Numeric(StationColumns()),
      table.Numeric({"tripduration"}).cwiseMax(0).cwiseMin(kLongestJourney)};
}

JourneyFold SampleFold(const Journeys& all, Index number) {
  std::vector<Index> order(static_cast<size_t>(all.durations.size()));
  RequireInput(order.size() >= kTrain + kTest, "a fold needs ", kTrain + kTest,
               " journeys, but there are ", order.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 generator(2018 + static_cast<uint64_t>(number));
  for (size_t i = 0; i < kTrain + kTest; ++i) {
    std::swap(order[i], order[i + generator() % (order.size() - i)]);
  }
  const auto first = order.begin();
  return {Rows(all, {first, first + kTrain}),
          Rows(all, {first + kTrain, first + kTrain + kTest})};
}

}  // namespace cloak
