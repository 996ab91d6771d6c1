#ifndef CLOAK_EXPERIMENTS_DANDEKAR2019_SCENARIO_H_
#define CLOAK_EXPERIMENTS_DANDEKAR2019_SCENARIO_H_

#include <string>
#include <vector>

#include "cloak/base/text.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/budget.h"
#include "experiments/dice.h"

namespace cloak {

// One place on a horizontal axis of the paper's figures.
struct Scenario {
  int figure = 1;
  double epsilon = 0.4;
  double delta = 0.001;
  Index rows = 5000;
  Index queries = 100;

  Budget TotalBudget() const { return {epsilon, delta}; }
  std::string Name() const {
    return Text("figure=", figure, " rows=", rows, " delta=", delta,
                " queries=", queries);
  }
};

// Figures 1 to 4: against the number of queries, ε, δ, and ε for several
// numbers of rows; `rows` is the largest of these.
std::vector<Scenario> CensusScenarios(Index rows);
// Figure 6: against ε.
std::vector<Scenario> BenchmarkScenarios(Index rows);

// The paper's baselines: each answer has noise of its own, and the budget is
// divided by the number of answers. `sensitivity` is that of one of them. The
// noise is for comparison only, and neither exact nor safe.
Vector PerturbByGaussian(const Vector& answers, double sensitivity,
                         const Scenario& scenario, Dice& dice);
Vector PerturbByLaplace(const Vector& answers, double sensitivity,
                        const Scenario& scenario, Dice& dice);
// The paper's functional perturbation (its equation 1): Δ √(2 ln(2/δ))/ε times
// `path`, which was drawn from a Gaussian process.
Vector PerturbFunction(const Vector& values, double sensitivity,
                       const Vector& path, const Scenario& scenario);

Vector StandardNormals(Index count, Dice& dice);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_DANDEKAR2019_SCENARIO_H_
