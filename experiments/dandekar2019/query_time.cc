// Figure 5: how long one query takes, as published, where every row is asked
// again and a path of a process is drawn, and from a release.

#include <chrono>
#include <functional>

#include "cloak/models/make_plan.h"
#include "experiments/dandekar2019/census.h"
#include "experiments/dandekar2019/scenario.h"
#include "experiments/dandekar2019/sections.h"

namespace cloak {
namespace {

// Microseconds of one call.
double MicrosecondsOf(int repeats, const std::function<double()>& query) {
  using Clock = std::chrono::steady_clock;
  double kept = 0;
  const Clock::time_point start = Clock::now();
  for (int k = 0; k < repeats; ++k) kept += query();
  const std::chrono::duration<double, std::micro> took = Clock::now() - start;
  // What was computed is used, so that it is computed.
  return took.count() / repeats + (kept == -1 ? 1 : 0);
}

}  // namespace

void TimeQueries(const std::string& adult, const DrawOptions& options) {
  const ScoreTable table("time", options.csv);
  const Vector ages = ReadAges(adult);
  const Matrix query = Matrix::Constant(1, 1, 40);
  const Kernel kernel = Kernel::Eq(1, 3);
  Randomness randomness = Randomness::FromSystem();
  for (const Index rows : {500, 1500, 5000, 15000}) {
    const Scenario scenario{.figure = 5, .rows = rows, .queries = 1};
    const Vector some = ages.head(rows);
    const auto plan =
        MakePlan({.input_names = {"age"},
                  .inputs = PrivateInputs{rows, Vector::Constant(1, 15),
                                          Vector::Constant(1, 95)},
                  .threads = Threads(1)},
                 Density{.budget = {scenario.epsilon, scenario.delta},
                         .method = Density::kFunctional,
                         .bandwidth = Vector::Constant(1, 3)});
    const Release release = plan->Execute(
        PrivateRows(std::vector<Secret<Vector>>{Secret<Vector>(some)}),
        randomness);
    Matrix times(options.draws, 2);
    for (Index draw = 0; draw < times.rows(); ++draw) {
      times(draw, 0) = MicrosecondsOf(20, [&] {
        return kernel.CrossCovariance(query, some, Threads(1)).mean();
      });
      times(draw, 1) = MicrosecondsOf(20, [&] {
        return release.PredictDensity(query, 0.95, Threads(1)).density(0);
      });
    }
    table.Print("every row asked", scenario.Name(), scenario.epsilon,
                {"microseconds"}, times.col(0));
    table.Print("cloak", scenario.Name(), scenario.epsilon, {"microseconds"},
                times.col(1));
  }
}

}  // namespace cloak
