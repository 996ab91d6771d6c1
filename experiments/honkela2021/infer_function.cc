#include <cmath>
#include <utility>

#include "experiments/honkela2021/rows_methods.h"
#include "experiments/honkela2021/sections.h"
#include "experiments/honkela2021/simulated_rows.h"

namespace cloak {
namespace {

constexpr Index kFunctionRows = 1024;
constexpr double kFunctionNoiseSd = 0.1;

double RootMeanSquare(const Vector& errors) {
  return errors.norm() / std::sqrt(static_cast<double>(errors.size()));
}

}  // namespace

void InferFunction(const DrawOptions& options) {
  constexpr double kInner = 3;
  const KnownModel model{Kernel::Eq(1, 1), kFunctionNoiseSd * kFunctionNoiseSd,
                         EvenGrid(kInner, 9)};
  // A hundred places for each unit of x; those after the first hundred are
  // inside.
  const Matrix everywhere = EvenGrid(kFarthest, 801);
  const ScoreTable table("5.1", options.csv);
  for (const double epsilon : {0.3, 1.0, 3.0, 10.0, 30.0}) {
    for (const RowsMethod& method :
         {Variational(model), OptimalGiven(model), OptimalLearned()}) {
      if (!options.Wants(method.name)) continue;
      const auto plan = method.plan(SimulatedSetting(kFunctionRows, 1.2),
                                    Budget(epsilon, kDelta));
      const auto score = [&](uint64_t seed, Randomness& randomness) -> Vector {
        const OpenRows rows =
            DampedSineRows(kFunctionRows, kFunctionNoiseSd, seed);
        const Release release = plan->Execute(rows.Keep(), randomness);
        const Predictions f =
            release.Predict(everywhere, {.latent = true}, Threads(1));
        const Vector truth = everywhere.col(0).unaryExpr(&DampedSine);
        const Vector errors = f.mean - truth;
        const auto held = (truth.array() >= f.lower.array()) &&
                          (truth.array() <= f.upper.array());
        return Eigen::Vector3d(RootMeanSquare(errors),
                               RootMeanSquare(errors.segment(100, 601)),
                               static_cast<double>(held.count()) /
                                   static_cast<double>(held.size()));
      };
      table.Print(method.name, "", epsilon,
                  {"RMSE on [-4, 4]", "RMSE on [-3, 3]", "f in 95 % intervals"},
                  ScoreDraws(options, score));
    }
  }
}

}  // namespace cloak
