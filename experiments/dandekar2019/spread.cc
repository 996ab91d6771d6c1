// Histograms and densities of one input.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <vector>

#include "cloak/linalg/cholesky.h"
#include "cloak/models/make_plan.h"
#include "cloak/models/rows/histogram.h"
#include "experiments/dandekar2019/census.h"
#include "experiments/dandekar2019/scenario.h"
#include "experiments/dandekar2019/sections.h"

namespace cloak {
namespace {

// Where rows come from, and the places at which functions of them are known.
struct Population {
  std::string name;
  double lower = 0;
  double upper = 1;
  Index bins = 20;       // of the histogram
  double bandwidth = 1;  // of the kernel density
  // `count` rows.
  std::function<Vector(Index count, Dice& dice)> draw;
  // The true density, where it is known.
  std::function<double(double)> truth = {};
};

// Wide enough that a kernel density has nothing outside.
constexpr double kYoungest = 5;
constexpr double kOldest = 105;

Population Ages(const std::string& adult) {
  const Vector ages = ReadAges(adult);
  const auto draw = [ages](Index count, Dice& dice) -> Vector {
    std::vector<Index> order = dice.Shuffled(ages.size());
    order.resize(static_cast<size_t>(count));
    return ages(order);
  };
  return {"ages", kYoungest, kOldest, 25, 3, draw};
}

// Mean 2 and variance 1.3, as in the paper.
Population Normals() {
  const auto draw = [](Index count, Dice& dice) -> Vector {
    return 2 + std::sqrt(1.3) * StandardNormals(count, dice).array();
  };
  const auto truth = [](double x) {
    return std::exp(-(x - 2) * (x - 2) / 2.6) /
           std::sqrt(2.6 * std::numbers::pi);
  };
  return {"normals", -3, 7, 20, 0.3, draw, truth};
}

// Functions are known at the middles of so many intervals.
class Places {
 public:
  Places(const Population& population, Index count)
      : lower_(population.lower),
        upper_(population.upper),
        width_((population.upper - population.lower) /
               static_cast<double>(count)),
        count_(count) {}

  Index count() const { return count_; }
  double width() const { return width_; }
  Vector Middles() const {
    return Vector::LinSpaced(count_, lower_ + width_ / 2, upper_ - width_ / 2);
  }
  std::vector<Index> Of(const Vector& rows) const {
    std::vector<Index> places;
    for (const double x : rows) {
      places.push_back(std::clamp(static_cast<Index>((x - lower_) / width_),
                                  Index{0}, count_ - 1));
    }
    return places;
  }
  // The fraction of rows at each place.
  Vector Fractions(const Vector& rows) const {
    Vector fractions = Vector::Zero(count_);
    for (const Index place : Of(rows)) fractions(place) += 1;
    return fractions / static_cast<double>(rows.size());
  }

 private:
  double lower_;
  double upper_;
  double width_;
  Index count_;
};

// KL(target ‖ answers) and the RMSE. For the divergence both are taken for
// distributions over the queries, and what is below a ten thousandth of the
// largest target, or negative, for that.
Vector ScoreAnswers(const Vector& target, const Vector& answers) {
  const double floor = 1e-4 * target.maxCoeff();
  const Vector p = target.cwiseMax(floor) / target.cwiseMax(floor).sum();
  const Vector q = answers.cwiseMax(floor) / answers.cwiseMax(floor).sum();
  const double divergence = (p.array() * (p.array() / q.array()).log()).sum();
  return Eigen::Vector2d(divergence,
                         (answers - target).norm() /
                             std::sqrt(static_cast<double>(target.size())));
}

// A model of figures 1 to 4 and 6.
class Spread {
 public:
  Spread(Population population, Index places)
      : population_(std::move(population)), places_(population_, places) {}
  virtual ~Spread() = default;

  void Run(const std::vector<Scenario>& scenarios, const DrawOptions& options,
           const ScoreTable& table) const {
    for (const Scenario& scenario : scenarios) RunOne(scenario, options, table);
  }

 protected:
  struct Method {
    std::string name;
    // The function at all places.
    std::function<Vector(const Vector& rows, Dice&, Randomness&)> release;
  };

  // The function without privacy, and the sensitivity of one value of it.
  virtual Vector Function(const Vector& rows) const = 0;
  virtual double OneAnswer(const Scenario& scenario) const = 0;
  // The true one, where that is known.
  virtual Vector Truth() const = 0;
  virtual std::vector<Method> Methods(const Scenario& scenario) const = 0;

  const Population& population() const { return population_; }
  const Places& places() const { return places_; }

 private:
  void RunOne(const Scenario& scenario, const DrawOptions& options,
              const ScoreTable& table) const {
    const std::vector<std::string> measures = {"KL", "RMSE"};
    const auto score = [&](const Method& method) {
      if (!options.Wants(method.name)) return;
      const Matrix scores = ScoreDraws(
          options, [&](uint64_t seed, Randomness& randomness) -> Vector {
            Dice dice(seed);
            const Vector rows = population_.draw(scenario.rows, dice);
            const std::vector<Index> queries =
                places_.Of(population_.draw(scenario.queries, dice));
            const Vector answers =
                method.release(rows, dice, randomness)(queries);
            const Vector target = population_.truth ? Truth() : Function(rows);
            return ScoreAnswers(target(queries), answers);
          });
      table.Print(method.name, Text(population_.name, " ", scenario.Name()),
                  scenario.epsilon, measures, scores);
    };
    for (const Method& method : Methods(scenario)) score(method);
    if (population_.truth) {
      score({"no privacy", [&](const Vector& rows, Dice&, Randomness&) {
               return Function(rows);
             }});
    }
    RunOutputs(scenario, options, table);
  }

  // Each answer perturbed by itself.
  void RunOutputs(const Scenario& scenario, const DrawOptions& options,
                  const ScoreTable& table) const {
    for (const bool laplace : {false, true}) {
      const std::string name =
          laplace ? "each answer, Laplace" : "each answer, Gaussian";
      if (!options.Wants(name)) continue;
      const Matrix scores =
          ScoreDraws(options, [&](uint64_t seed, Randomness&) -> Vector {
            Dice dice(seed);
            const Vector rows = population_.draw(scenario.rows, dice);
            const std::vector<Index> queries =
                places_.Of(population_.draw(scenario.queries, dice));
            const Vector without = Function(rows)(queries);
            const Vector answers =
                (laplace ? PerturbByLaplace : PerturbByGaussian)(
                    without, OneAnswer(scenario), scenario, dice);
            return ScoreAnswers(
                population_.truth ? Vector(Truth()(queries)) : without,
                answers);
          });
      table.Print(name, Text(population_.name, " ", scenario.Name()),
                  scenario.epsilon, {"KL", "RMSE"}, scores);
    }
  }

  Population population_;
  Places places_;
};

PrivateRows Keep(const Vector& rows) {
  return PrivateRows(std::vector<Secret<Vector>>{Secret<Vector>(rows)});
}

// The fraction of rows in each bin.
class HistogramSpread : public Spread {
 public:
  explicit HistogramSpread(const Population& population)
      : Spread(population, population.bins) {}

 protected:
  Vector Function(const Vector& rows) const override {
    return places().Fractions(rows);
  }
  double OneAnswer(const Scenario& scenario) const override {
    return 1 / static_cast<double>(scenario.rows);
  }
  Vector Truth() const override {
    return places().width() * places().Middles().unaryExpr(population().truth);
  }
  std::vector<Method> Methods(const Scenario& scenario) const override {
    const auto n = static_cast<double>(scenario.rows);
    const std::shared_ptr<const Plan> plan = MakePlan(
        {.inputs = PrivateInputs{scenario.rows}, .threads = Threads(1)},
        HistogramTask{
            .budget = {scenario.epsilon, scenario.delta},
            .axes = {EqualBins("x", population().lower, population().upper,
                               population().bins)}});
    return {{"as published",
             [this, scenario, n](const Vector& rows, Dice& dice, Randomness&) {
               const Vector f = Function(rows);
               return PerturbFunction(f, 2 / n, StandardNormals(f.size(), dice),
                                      scenario);
             }},
            {"cloak",
             [plan, n](const Vector& rows, Dice&,
                       Randomness& randomness) -> Vector {
               return plan->Execute(Keep(rows), randomness)
                          .content()
                          .histogram->count /
                      n;
             }}};
  }
};

// A kernel density.
class DensitySpread : public Spread {
 public:
  explicit DensitySpread(const Population& population)
      : Spread(population, 200) {
    Matrix K = RowKernel().Covariance(places().Middles(), Threads(1));
    K.diagonal().array() += 1e-9;
    path_ = Cholesky(K, Threads(1)).L();
  }

 protected:
  Vector Function(const Vector& rows) const override {
    return Peak() * RowKernel()
                        .CrossCovariance(places().Middles(), rows, Threads(1))
                        .rowwise()
                        .mean();
  }
  double OneAnswer(const Scenario& scenario) const override {
    return Peak() / static_cast<double>(scenario.rows);
  }
  Vector Truth() const override {
    return places().Middles().unaryExpr(population().truth);
  }
  std::vector<Method> Methods(const Scenario& scenario) const override {
    const Setting setting{
        .input_names = {"x"},
        .inputs = PrivateInputs{scenario.rows,
                                Vector::Constant(1, population().lower),
                                Vector::Constant(1, population().upper)},
        .threads = Threads(1)};
    const CountBudget budget{scenario.epsilon, scenario.delta};
    const std::shared_ptr<const Plan> functional = MakePlan(
        setting,
        Density{.budget = budget,
                .method = Density::kFunctional,
                .bandwidth = Vector::Constant(1, population().bandwidth)});
    const auto by = [this](const std::shared_ptr<const Plan>& plan) {
      return [this, plan](const Vector& rows, Dice&, Randomness& randomness) {
        return plan->Execute(Keep(rows), randomness)
            .PredictDensity(places().Middles(), 0.95, Threads(1))
            .density;
      };
    };
    // Hall et al. 2013, with the paper's constant.
    const double sensitivity =
        std::numbers::sqrt2 * Peak() / static_cast<double>(scenario.rows);
    std::vector<Method> methods = {
        {"as published",
         [this, scenario, sensitivity](const Vector& rows, Dice& dice,
                                       Randomness&) {
           return PerturbFunction(Function(rows), sensitivity,
                                  path_ * StandardNormals(path_.rows(), dice),
                                  scenario);
         }},
        {"cloak, functional", by(functional)}};
    // It is no kernel density, and is scored where the truth is known.
    if (population().truth) {
      methods.push_back(
          {"cloak", by(MakePlan(setting, Density{.budget = budget}))});
    }
    return methods;
  }

 private:
  // The largest value of the kernel as a density.
  double Peak() const {
    return 1 / (std::sqrt(2 * std::numbers::pi) * population().bandwidth);
  }

  Kernel RowKernel() const { return Kernel::Eq(1, population().bandwidth); }

  Matrix path_;  // of which times normals is a path of the process
};

constexpr Index kRows = 5000;

}  // namespace

void ReleaseHistograms(const std::string& adult, const DrawOptions& options) {
  const ScoreTable table("histogram", options.csv);
  if (!adult.empty()) {
    HistogramSpread(Ages(adult)).Run(CensusScenarios(kRows), options, table);
  }
  HistogramSpread(Normals()).Run(BenchmarkScenarios(kRows), options, table);
}

void ReleaseDensities(const std::string& adult, const DrawOptions& options) {
  const ScoreTable table("density", options.csv);
  if (!adult.empty()) {
    DensitySpread(Ages(adult)).Run(CensusScenarios(kRows), options, table);
  }
  DensitySpread(Normals()).Run(BenchmarkScenarios(kRows), options, table);
}

}  // namespace cloak
