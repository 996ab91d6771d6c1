// Kernel support vector machines, with whole rows private.

#include <algorithm>
#include <optional>
#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/models/rows/svm.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "experiments/dandekar2019/census.h"
#include "experiments/dandekar2019/scenario.h"
#include "experiments/dandekar2019/sections.h"

namespace cloak {
namespace {

struct MachineProblem {
  std::string name;
  Vector lower;
  Vector upper;
  OpenRows all;
  // Where held-out rows come from; the rest of `all` when there are none.
  std::optional<OpenRows> others = {};
};

constexpr Index kTestRows = 2000;
// So large an ε that the noise is nothing.
constexpr double kNoPrivacy = 1e6;

SvmPlan PlanOf(const MachineProblem& problem, const Scenario& scenario,
               double epsilon, std::optional<double> cost) {
  Setting setting{
      .inputs = PrivateInputs{scenario.rows, problem.lower, problem.upper},
      .output = LabelOutput{"class", {"no", "yes"}},
      .threads = Threads(1)};
  for (Index j = 0; j < problem.lower.size(); ++j) {
    setting.input_names.push_back(Text("x", j));
  }
  return {std::make_shared<const Setting>(setting),
          {.budget = Budget(epsilon, scenario.delta), .cost = cost}};
}

double ErrorRate(const Vector& margins, const Vector& labels) {
  return (margins.array() * labels.array() <= 0).cast<double>().mean();
}

// At points with features Phi. (Predict would work out their noise too.)
Vector Margins(const Release& release, const Matrix& Phi) {
  return Phi.transpose() * release.content().posteriors[0].mean;
}

RowHalves Rows(const MachineProblem& problem, const Scenario& scenario,
               uint64_t seed) {
  RowHalves rows = Sample(problem.all, scenario.rows, kTestRows, seed);
  if (problem.others) {
    rows.test = Sample(*problem.others, kTestRows, 0, seed).train;
  }
  return rows;
}

// The same machine, with the noise of the paper's formula, 2C/n times its
// constant, and with ours.
void RunMachine(const MachineProblem& problem, const Scenario& scenario,
                const DrawOptions& options, const ScoreTable& table) {
  const SvmPlan plan = PlanOf(problem, scenario, scenario.epsilon, {});
  const double cost = plan.svm().setting().cost;
  const SvmPlan open = PlanOf(problem, scenario, kNoPrivacy, cost);
  const double published_sd = 2 * cost / static_cast<double>(scenario.rows) *
                              PublishedGaussianSigma(scenario.TotalBudget());
  const Matrix scores =
      ScoreDraws(options, [&](uint64_t seed, Randomness& randomness) -> Vector {
        const RowHalves rows = Rows(problem, scenario, seed);
        const PrivateRows kept = rows.train.Keep();
        const Matrix Phi = plan.basis().Features(rows.test.X);
        const Vector without = Margins(open.Execute(kept, randomness), Phi);
        const Vector ours = Margins(plan.Execute(kept, randomness), Phi);
        Dice dice(seed);
        const Vector noise =
            Phi.transpose() * StandardNormals(Phi.rows(), dice);
        return Eigen::Vector3d(
            ErrorRate(without + published_sd * noise, rows.test.y),
            ErrorRate(ours, rows.test.y), ErrorRate(without, rows.test.y));
      });
  const std::vector<std::string> methods = {"as published", "cloak",
                                            "no privacy, same cost"};
  for (Index k = 0; k < 3; ++k) {
    table.Print(methods[static_cast<size_t>(k)],
                Text(problem.name, " ", scenario.Name()), scenario.epsilon,
                {"error"}, scores.col(k));
  }
}

// The least error of costs from 1 to 1000, without privacy.
void RunOpen(const MachineProblem& problem, const Scenario& scenario,
             const DrawOptions& options, const ScoreTable& table) {
  for (const double cost : {1.0, 10.0, 100.0, 1000.0}) {
    const SvmPlan plan = PlanOf(problem, scenario, kNoPrivacy, cost);
    table.Print(
        Text("no privacy, cost ", cost),
        Text(problem.name, " ", scenario.Name()), kNoPrivacy, {"error"},
        ScoreDraws(options,
                   [&](uint64_t seed, Randomness& randomness) -> Vector {
                     const RowHalves rows = Rows(problem, scenario, seed);
                     const Matrix Phi = plan.basis().Features(rows.test.X);
                     const Release release =
                         plan.Execute(rows.train.Keep(), randomness);
                     return Vector::Constant(
                         1, ErrorRate(Margins(release, Phi), rows.test.y));
                   }));
  }
}

void Run(const MachineProblem& problem, int figure,
         const std::vector<Index>& rows, const std::vector<double>& epsilons,
         const DrawOptions& options, const ScoreTable& table) {
  if (!options.Wants(problem.name)) return;
  for (const Index count : rows) {
    DrawOptions fewer = options;
    if (count > 1000) fewer.draws = std::min(options.draws, 10);
    Scenario scenario{
        .figure = figure, .delta = 1e-4, .rows = count, .queries = 0};
    for (const double epsilon : epsilons) {
      scenario.epsilon = epsilon;
      RunMachine(problem, scenario, fewer, table);
    }
    RunOpen(problem, scenario, fewer, table);
  }
}

}  // namespace

void ReleaseMachines(const std::string& adult, const std::string& adult_test,
                     const std::string& iris, const DrawOptions& options) {
  const ScoreTable table("svm", options.csv);
  const Vector shortest{{4, 2, 1, 0}};
  const Vector longest{{8, 4.5, 7, 2.5}};
  const std::vector<double> epsilons = {0.1, 0.2, 0.4, 0.7, 1, 3, 10};
  Run({"setosa", shortest, longest, ReadIris(iris, "setosa", "")}, 6, {120},
      epsilons, options, table);
  Run({"virginica", shortest, longest, ReadIris(iris, "virginica", "setosa")},
      6, {80}, epsilons, options, table);
  Run({"income", Vector{{17, 1, 0, 0, 0}}, Vector{{90, 16, 1, 1, 1}},
       ReadIncomes(adult), ReadIncomes(adult_test)},
      4, {500, 5000}, {0.1, 0.2, 0.4, 0.7, 1}, options, table);
}

}  // namespace cloak
