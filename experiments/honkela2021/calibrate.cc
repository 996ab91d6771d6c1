#include <cmath>
#include <vector>

#include "cloak/base/text.h"
#include "experiments/honkela2021/rows_methods.h"
#include "experiments/honkela2021/sections.h"
#include "experiments/honkela2021/simulated_rows.h"

namespace cloak {
namespace {

constexpr Index kCalibrationRows = 1024;
// A draw of the process leaves these bounds at one place in 370.
constexpr double kLargest = 3;
const std::vector<double> kInside = {0.5, 0.8, 0.9, 0.95};

// The fraction of test observations in the interval of each probability.
Vector Held(const Release& release, const OpenRows& test) {
  Vector held(static_cast<Index>(kInside.size()));
  for (Index k = 0; k < held.size(); ++k) {
    const Predictions p = release.Predict(
        test.X, {.interval = kInside[static_cast<size_t>(k)]}, Threads(1));
    const auto inside =
        test.y.array() >= p.lower.array() && test.y.array() <= p.upper.array();
    held(k) = static_cast<double>(inside.count()) /
              static_cast<double>(test.y.size());
  }
  return held;
}

}  // namespace

void Calibrate(const DrawOptions& options) {
  std::vector<std::string> measures;
  measures.reserve(kInside.size());
  for (const double inside : kInside) {
    measures.push_back(Text("in ", 100 * inside, " % intervals"));
  }
  const ScoreTable table("5.2", options.csv);
  for (const double noise_sd : {0.1 / 3, 0.1, 0.3}) {
    const KnownModel model{Kernel::Eq(1, 1), noise_sd * noise_sd,
                           EvenGrid(3.5, 15)};
    for (const double epsilon : {0.3, 1.0, 3.0, 10.0}) {
      for (const RowsMethod& method :
           {Variational(model), OptimalGiven(model), OptimalLearned()}) {
        if (!options.Wants(method.name)) continue;
        const auto plan =
            method.plan(SimulatedSetting(kCalibrationRows / 2, kLargest),
                        Budget(epsilon, kDelta));
        const auto score = [&](uint64_t seed, Randomness& randomness) {
          const RowHalves rows =
              Halve(DrawnFunctionRows(kCalibrationRows, noise_sd, seed), seed);
          return Held(plan->Execute(rows.train.Keep(), randomness), rows.test);
        };
        table.Print(method.name,
                    Text("noise ", std::round(1000 * noise_sd) / 1000), epsilon,
                    measures, ScoreDraws(options, score));
      }
    }
  }
}

}  // namespace cloak
