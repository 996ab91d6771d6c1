// Regression with the outputs private: the posterior mean as a function.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "cloak/gp/exact_gp.h"
#include "cloak/linalg/cholesky.h"
#include "cloak/models/make_plan.h"
#include "experiments/dandekar2019/census.h"
#include "experiments/dandekar2019/scenario.h"
#include "experiments/dandekar2019/sections.h"

namespace cloak {
namespace {

struct RegressionProblem {
  std::string name;
  OpenRows all;
  OutputBounds bounds;
  Kernel kernel;
  double noise_variance = 1;
};

// What is public once the inputs are drawn: the same for all draws of a
// scenario, so that the exact process is solved once.
class Published {
 public:
  Published(const RegressionProblem& problem, const Matrix& X,
            const Matrix& queries)
      : problem_(problem) {
    Matrix Ky = problem.kernel.Covariance(X, Threads());
    Ky.diagonal().array() += problem.noise_variance;
    const Cholesky factor = FactorExactly(Ky, Threads(), "the covariance");
    const Matrix inverse = factor.Solve(Matrix::Identity(X.rows(), X.rows()));
    // d‖K_y⁻¹‖_∞ (their equation for the process; it bounds another norm than
    // the one that the noise is of).
    sensitivity_ =
        problem.bounds.width() * inverse.cwiseAbs().rowwise().sum().maxCoeff();
    C_ = problem.kernel.CrossCovariance(queries, X, Threads()) * inverse;
    one_answer_ = problem.bounds.width() * C_.cwiseAbs().maxCoeff();
    Matrix K = problem.kernel.Covariance(queries, Threads());
    K.diagonal().array() += 1e-6 * K.diagonal().mean();
    path_ = FactorExactly(K, Threads(), "the covariance of queries").L();
  }

  Vector Mean(const Vector& y) const {
    const Vector clipped =
        y.cwiseMax(problem_.bounds.lower()).cwiseMin(problem_.bounds.upper());
    const double middle = problem_.bounds.middle();
    return (C_ * (clipped.array() - middle).matrix()).array() + middle;
  }
  Vector Path(Dice& dice) const {
    return path_ * StandardNormals(path_.rows(), dice);
  }
  double sensitivity() const { return sensitivity_; }
  double one_answer() const { return one_answer_; }

 private:
  const RegressionProblem& problem_;
  Matrix C_;
  Matrix path_;
  double sensitivity_ = 0;
  double one_answer_ = 0;
};

Vector RootMeanSquare(const Vector& errors) {
  return Vector::Constant(
      1, errors.norm() / std::sqrt(static_cast<double>(errors.size())));
}

std::unique_ptr<Plan> PlanBy(Regression::Method method,
                             const RegressionProblem& problem, const Matrix& X,
                             const Scenario& scenario) {
  Setting setting{.inputs = PublicInputs{X},
                  .output = NumberOutput{"y", problem.bounds}};
  for (Index j = 0; j < X.cols(); ++j) {
    setting.input_names.push_back(Text("x", j));
  }
  return MakePlan(setting,
                  Regression{.budget = scenario.TotalBudget(),
                             .method = method,
                             .kernel = problem.kernel,
                             .noise_variance = problem.noise_variance});
}

// Rows are divided once; draws are of the noise.
void RunRegression(const RegressionProblem& problem, const Scenario& scenario,
                   const DrawOptions& options, const ScoreTable& table) {
  const RowHalves rows =
      Sample(problem.all, scenario.rows, scenario.queries, 1);
  const Published published(problem, rows.train.X, rows.test.X);
  const Vector mean = published.Mean(rows.train.y);
  const auto print = [&](const std::string& name, const auto& answer) {
    if (!options.Wants(name)) return;
    table.Print(name, Text(problem.name, " ", scenario.Name()),
                scenario.epsilon, {"RMSE"},
                ScoreDraws(options, [&](uint64_t seed, Randomness& random) {
                  Dice dice(seed);
                  return RootMeanSquare(answer(dice, random) - rows.test.y);
                }));
  };
  print("as published", [&](Dice& dice, Randomness&) -> Vector {
    return PerturbFunction(mean, published.sensitivity(), published.Path(dice),
                           scenario);
  });
  print("each answer, Gaussian", [&](Dice& dice, Randomness&) -> Vector {
    return PerturbByGaussian(mean, published.one_answer(), scenario, dice);
  });
  print("each answer, Laplace", [&](Dice& dice, Randomness&) -> Vector {
    return PerturbByLaplace(mean, published.one_answer(), scenario, dice);
  });
  print("no privacy", [&](Dice&, Randomness&) { return Vector(mean); });
  const auto by = [&](const std::string& name, Regression::Method method) {
    if (!options.Wants(name)) return;
    const std::unique_ptr<Plan> plan =
        PlanBy(method, problem, rows.train.X, scenario);
    print(name, [&](Dice&, Randomness& random) -> Vector {
      return plan->Execute(Secret<Vector>(rows.train.y), random)
          .Predict(rows.test.X, {}, Threads(1))
          .mean;
    });
  };
  by("cloak, functional", Regression::kFunctional);
  by("cloak", Regression::kOptimal);
}

}  // namespace

void ReleaseRegressions(const std::string& adult, const std::string& howell,
                        const DrawOptions& options) {
  const ScoreTable table("regression", options.csv);
  const RegressionProblem hours{"hours", ReadHours(adult), OutputBounds(0, 80),
                                Kernel::Bias(100) + Kernel::Eq(100, {15, 5}),
                                140};
  for (const Scenario& scenario : CensusScenarios(2000)) {
    RunRegression(hours, scenario, options, table);
  }
  const RegressionProblem heights{"heights", ReadHeights(howell),
                                  OutputBounds(60, 180),
                                  Kernel::Bias(1000) + Kernel::Eq(600, 15), 60};
  for (Scenario scenario : BenchmarkScenarios(200)) {
    scenario.queries = 87;
    RunRegression(heights, scenario, options, table);
  }
}

}  // namespace cloak
