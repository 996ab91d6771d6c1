#include "cloak/models/make_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/outputs/adaptive_optimal.h"
#include "cloak/models/outputs/binning.h"
#include "cloak/models/outputs/cloaked_outputs.h"
#include "cloak/models/outputs/laplace.h"
#include "cloak/models/outputs/optimal.h"
#include "cloak/models/outputs/principal_components.h"
#include "cloak/models/rows/density.h"
#include "cloak/models/rows/functional_density.h"
#include "cloak/models/rows/histogram.h"
#include "cloak/models/rows/rows_optimal.h"
#include "cloak/models/rows/svm.h"
#include "cloak/models/rows/variational.h"
#include "cloak/privacy/cell_mechanism.h"
#include "cloak/selection/hyper_prior.h"

namespace cloak {
namespace {

// Very many inputs are replaced by at most so many principal components.
constexpr Index kMostComponents = 15;

std::optional<std::vector<Index>> CellsIn(const Setting& setting,
                                          const std::optional<PerInput>& bins) {
  if (!bins) return {};
  const size_t inputs = setting.input_names.size();
  RequireInput(bins->shared() || bins->values().size() == inputs,
               "there must be one number of cells for all inputs or one for "
               "each of the ",
               inputs, ", but there are ", bins->values().size());
  std::vector<Index> cells;
  for (size_t j = 0; j < inputs; ++j) {
    const double count = (*bins)[static_cast<Index>(j)];
    RequireInput(count >= 1 && count <= CellMechanism::kMostCells &&
                     count == std::floor(count),
                 "an input must be cut in 1 to ", CellMechanism::kMostCells,
                 " cells, a whole number, but not in ", count);
    cells.push_back(static_cast<Index>(count));
  }
  return cells;
}

// Plans by `plan` for the sorted rows of the setting.
template <typename PublicTask, typename F>
std::unique_ptr<Plan> PlanSorted(const SharedSetting& setting, PublicTask task,
                                 const F& plan) {
  SortedSetting sorted = SortRows(*setting);
  if (task.query_points) task.query_points = SortedPoints(*task.query_points);
  std::unique_ptr<Plan> made =
      plan(std::make_shared<const Setting>(std::move(sorted.setting)), task);
  made->TakeRowsOf(std::move(sorted.order));
  return made;
}

std::unique_ptr<Plan> PlanNumbers(const SharedSetting& setting,
                                  const Regression& task) {
  if (IsBinned(task.method)) {
    return std::make_unique<BinningPlan>(setting, task);
  }
  if (task.method != Regression::kOptimal) return PlanCloaked(setting, task);
  OptimalOptions optimal{.budget = std::get<Budget>(task.budget)};
  optimal.design = task.design.value_or(PlanDesign::kBayes);
  optimal.kernel = task.kernel;
  optimal.noise_variance = setting->open().noise_variances
                               ? NoiseOfAnObservation(*setting, task)
                               : task.noise_variance;
  optimal.query_points = task.query_points;
  optimal.keep_sites = !task.compact;
  if (task.one_round) return std::make_unique<OptimalPlan>(setting, optimal);
  return PlanBestOptimal(setting, optimal);
}

std::unique_ptr<Plan> PlanLabels(const SharedSetting& setting,
                                 const Classification& task) {
  if (task.method != Classification::kOptimal) {
    if (task.newton_steps == 1) return PlanNewtonStep(setting, task);
    return std::make_unique<TwoNewtonSteps>(setting, task);
  }
  OptimalOptions optimal{.budget = task.budget};
  optimal.design = task.design.value_or(PlanDesign::kBayes);
  optimal.kernel = task.kernel;
  optimal.query_points = task.query_points;
  if (task.kernel || setting->X().cols() <= HyperPrior::kMostLengthscales) {
    return std::make_unique<OptimalPlan>(setting, optimal);
  }
  // A kernel that is given is of the inputs as they are.
  const InputProjection components =
      PrincipalComponents(setting->X(), kMostComponents);
  if (task.query_points) {
    optimal.query_points = components.Apply(*task.query_points);
  }
  return std::make_unique<OptimalPlan>(Projected(*setting, components),
                                       optimal);
}

VariationalOptions VariationalOf(const Setting& setting,
                                 const Regression& task) {
  VariationalOptions options;
  options.kernel = *task.kernel;
  options.noise_variance = *task.noise_variance;
  if (task.inducing) {
    options.grid = *task.inducing;
  } else {
    // There are as many in each input as there may be and are of use.
    constexpr Index kEnough = 9;
    const double most =
        std::pow(static_cast<double>(VariationalPlan::kMostPoints),
                 1 / static_cast<double>(setting.input_names.size()));
    options.grid = {std::min(kEnough, static_cast<Index>(most + 1e-9))};
  }
  return options;
}

// Plans each task. A task that is added must be added here.
class Planner {
 public:
  explicit Planner(const SharedSetting& setting) : setting_(setting) {}

  std::unique_ptr<Plan> operator()(const Regression& task) const {
    RequireOutput<NumberOutput>("regression is of an output that is a number");
    const bool rows = setting_->ProtectsRows();
    CheckTask(task, rows,
              {.row_noise = !rows && setting_->open().noise_variances});
    RequireModel(*setting_, task.kernel, task.noise_variance);
    if (!rows) {
      RequireQueries(*setting_, task.query_points);
      return PlanSorted(setting_, task, PlanNumbers);
    }
    const Budget& budget = std::get<Budget>(task.budget);
    if (task.method == Regression::kVariational) {
      return std::make_unique<VariationalPlan>(setting_, budget,
                                               VariationalOf(*setting_, task));
    }
    return std::make_unique<RowsOptimalPlan>(
        setting_, OptimalOptions{.budget = budget,
                                 .kernel = task.kernel,
                                 .noise_variance = task.noise_variance,
                                 .cells = CellsIn(*setting_, task.bins)});
  }

  std::unique_ptr<Plan> operator()(const Classification& task) const {
    RequireOutput<LabelOutput>("classification is of an output with classes");
    CheckTask(task, setting_->ProtectsRows());
    RequireModel(*setting_, task.kernel, {});
    if (!setting_->ProtectsRows()) {
      RequireQueries(*setting_, task.query_points);
      return PlanSorted(setting_, task, PlanLabels);
    }
    return std::make_unique<RowsOptimalPlan>(
        setting_, OptimalOptions{.budget = task.budget,
                                 .kernel = task.kernel,
                                 .cells = CellsIn(*setting_, task.bins)});
  }

  std::unique_ptr<Plan> operator()(const Svm& task) const {
    RequireOutput<LabelOutput>(
        "a support vector machine is of an output with classes");
    RequirePrivateInputs("a support vector machine");
    return std::make_unique<SvmPlan>(setting_, task);
  }

  std::unique_ptr<Plan> operator()(const HistogramTask& task) const {
    RequirePrivateInputs("a histogram");
    RequireOutput<std::monostate>("a histogram is of rows, without an output");
    return std::make_unique<HistogramPlan>(setting_, task);
  }

  std::unique_ptr<Plan> operator()(const Density& task) const {
    RequirePrivateInputs("a density");
    RequireOutput<std::monostate>("a density is of rows, without an output");
    if (task.method == Density::kFunctional) {
      return std::make_unique<FunctionalDensityPlan>(setting_, task);
    }
    return std::make_unique<DensityPlan>(setting_, task);
  }

 private:
  template <typename Output>
  void RequireOutput(const char* what) const {
    RequireInput(std::holds_alternative<Output>(setting_->output), what);
  }
  void RequirePrivateInputs(const char* what) const {
    RequireInput(setting_->ProtectsRows(), what,
                 " protects whole rows: the inputs must be private");
  }

  const SharedSetting& setting_;
};

}  // namespace

SortedSetting SortRows(const Setting& setting) {
  const PublicInputs& open = setting.open();
  RowOrder order(open.X, open.noise_variances.value_or(Vector()),
                 setting.UnitsOrRows());
  PublicInputs inputs = open;
  inputs.X = order.Sorted(open.X);
  if (open.units) inputs.units = order.Sorted(*open.units);
  if (open.noise_variances) {
    inputs.noise_variances = order.Sorted(*open.noise_variances);
  }
  Setting sorted = setting;
  sorted.inputs = std::move(inputs);
  return {std::move(sorted), std::move(order)};
}

std::unique_ptr<Plan> MakePlan(const SharedSetting& setting, const Task& task) {
  if (!std::holds_alternative<HistogramTask>(task)) setting->Validate();
  std::unique_ptr<Plan> plan = std::visit(Planner(setting), task);
  const TaskKind kind =
      std::visit([](const auto& options) { return options.kKind; }, task);
  // A plan that serves several tasks might take one for another.
  if (plan->summary().task != kind) {
    throw Error(Text("the plan of the task '", NameOf(kind),
                     "' says that it is '", NameOf(plan->summary().task), "'"));
  }
  return plan;
}

std::unique_ptr<Plan> MakePlan(Setting setting, const Task& task) {
  return MakePlan(std::make_shared<const Setting>(std::move(setting)), task);
}

}  // namespace cloak
