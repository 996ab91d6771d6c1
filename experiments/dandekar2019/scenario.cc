#include "experiments/dandekar2019/scenario.h"

#include <cmath>

#include "cloak/privacy/analytic_gaussian.h"

namespace cloak {

std::vector<Scenario> CensusScenarios(Index rows) {
  std::vector<Scenario> scenarios;
  for (const Index queries : {10, 50, 100, 500, 1000}) {
    scenarios.push_back({.figure = 1, .rows = rows, .queries = queries});
  }
  for (const double epsilon : {0.1, 0.2, 0.4, 0.7, 1.0}) {
    scenarios.push_back({.figure = 2, .epsilon = epsilon, .rows = rows});
  }
  for (const double delta : {1e-5, 1e-4, 1e-3, 1e-2}) {
    scenarios.push_back({.figure = 3, .delta = delta, .rows = rows});
  }
  for (const Index part : {10, 3, 1}) {
    for (const double epsilon : {0.1, 0.2, 0.4, 0.7, 1.0}) {
      scenarios.push_back({.figure = 4,
                           .epsilon = epsilon,
                           .delta = 1e-4,
                           .rows = rows / part});
    }
  }
  return scenarios;
}

std::vector<Scenario> BenchmarkScenarios(Index rows) {
  std::vector<Scenario> scenarios;
  for (const double epsilon : {0.1, 0.2, 0.4, 0.7, 1.0}) {
    scenarios.push_back(
        {.figure = 6, .epsilon = epsilon, .delta = 1e-4, .rows = rows});
  }
  return scenarios;
}

Vector StandardNormals(Index count, Dice& dice) {
  return Vector::NullaryExpr(count, [&] { return dice.Normal(); });
}

Vector PerturbByGaussian(const Vector& answers, double sensitivity,
                         const Scenario& scenario, Dice& dice) {
  const auto count = static_cast<double>(answers.size());
  const double sigma = PublishedGaussianSigma(
      Budget(scenario.epsilon / count, scenario.delta / count));
  return answers + sensitivity * sigma * StandardNormals(answers.size(), dice);
}

Vector PerturbByLaplace(const Vector& answers, double sensitivity,
                        const Scenario& scenario, Dice& dice) {
  const double scale =
      sensitivity * static_cast<double>(answers.size()) / scenario.epsilon;
  return answers.unaryExpr([&](double answer) {
    const double side = dice.Uniform() < 0.5 ? -1 : 1;
    return answer - side * scale * std::log1p(-dice.Uniform());
  });
}

Vector PerturbFunction(const Vector& values, double sensitivity,
                       const Vector& path, const Scenario& scenario) {
  return values +
         sensitivity * PublishedGaussianSigma(scenario.TotalBudget()) * path;
}

}  // namespace cloak
