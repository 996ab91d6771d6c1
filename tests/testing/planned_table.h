#ifndef CLOAK_TESTS_TESTING_PLANNED_TABLE_H_
#define CLOAK_TESTS_TESTING_PLANNED_TABLE_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cloak/models/make_plan.h"

namespace cloak {

// What most unit tests of models say of a table whose inputs are public, in one
// place with the task: columns have names of their own unless a test gives
// them.
template <typename TaskType>
struct OpenTable : TaskType {
  OpenTable() : TaskType{.budget = Budget(1, 1e-5)} {}

  std::vector<std::string> input_names = {};
  std::string output_name = {};
  std::vector<std::string> classes = {};
  std::optional<double> prior_mean = {};
  std::optional<PrivacyUnits> units = {};
  std::string unit_name = {};
  std::optional<Vector> row_noise_variances = {};
};
using RegressionOptions = OpenTable<Regression>;
using ClassificationOptions = OpenTable<Classification>;

// Returns the setting that says so; `output` has no name yet.
template <typename TaskType, typename Output>
SharedSetting OpenSetting(const Matrix& X, Output output,
                          const OpenTable<TaskType>& options,
                          const Threads& threads,
                          const Progress& progress = NoProgress) {
  output.name = options.output_name.empty() ? "y" : options.output_name;
  return std::make_shared<const Setting>(Setting{
      .input_names = options.input_names,
      .inputs = PublicInputs{.X = X,
                             .units = options.units,
                             .unit_name = options.unit_name,
                             .noise_variances = options.row_noise_variances},
      .output = std::move(output),
      .threads = threads,
      .progress = progress});
}

// A plan that MakePlan made, used as if it were no pointer.
class MadePlan {
 public:
  explicit MadePlan(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}

  // NOLINTNEXTLINE(google-explicit-constructor): it is one
  operator const Plan&() const { return *plan_; }
  const PlanSummary& summary() const { return plan_->summary(); }
  const PrivacyStatement& privacy() const { return plan_->privacy(); }
  PrivacyEvent event() const { return plan_->event(); }
  Neighbours neighbours() const { return plan_->neighbours(); }
  const PrivacyUnits& privacy_units() const { return plan_->privacy_units(); }
  const GaussianMechanism* mechanism() const { return plan_->mechanism(); }
  std::optional<LinearDecoder> decoder() const { return plan_->decoder(); }
  const RowOrder& order() const { return *plan_->order(); }
  Release Execute(const PrivateRows& rows, Randomness& randomness,
                  const ReleaseObserver& observer = NoObserver) const {
    return plan_->Execute(rows, randomness, observer);
  }

 private:
  std::unique_ptr<Plan> plan_;
};

class RegressionPlan : public MadePlan {
 public:
  RegressionPlan(const Matrix& X, const OutputBounds& bounds,
                 const Budget& budget, const RegressionOptions& options,
                 const Threads& threads, const Progress& progress = NoProgress)
      : MadePlan(MakePlan(
            OpenSetting(X, NumberOutput{{}, bounds, options.prior_mean},
                        options, threads, progress),
            WithBudget(options, budget))) {}

 private:
  static Regression WithBudget(Regression task, const Budget& budget) {
    if (IsBinned(task.method)) {
      task.budget = PureBudget(budget.epsilon());
    } else {
      task.budget = budget;
    }
    return task;
  }
};

class ClassificationPlan : public MadePlan {
 public:
  ClassificationPlan(const Matrix& X, const Budget& budget,
                     const ClassificationOptions& options,
                     const Threads& threads,
                     const Progress& progress = NoProgress)
      : MadePlan(MakePlan(OpenSetting(X, LabelOutput{{}, options.classes},
                                      options, threads, progress),
                          WithBudget(options, budget))) {}

 private:
  static Classification WithBudget(Classification task, const Budget& budget) {
    task.budget = budget;
    return task;
  }
};

// Returns the setting of a table whose rows are private.
template <typename Output>
SharedSetting HiddenSetting(Index rows, Vector lower, Vector upper,
                            std::vector<std::string> names, Output output,
                            const Threads& threads = {}) {
  return std::make_shared<const Setting>(
      Setting{.input_names = std::move(names),
              .inputs = PrivateInputs{rows, std::move(lower), std::move(upper)},
              .output = std::move(output),
              .threads = threads});
}

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_PLANNED_TABLE_H_
