#include "experiments/honkela2021/rows_methods.h"

#include <memory>

#include "cloak/models/make_plan.h"
#include "cloak/models/rows/variational.h"

namespace cloak {
namespace {

PlanFactory OptimalWith(const std::optional<Kernel>& kernel,
                        const std::optional<double>& noise_variance) {
  return [=](const SharedSetting& setting, const Budget& budget) {
    return MakePlan(setting, Regression{.budget = budget,
                                        .kernel = kernel,
                                        .noise_variance = noise_variance});
  };
}

}  // namespace

RowsMethod Variational(const KnownModel& model) {
  VariationalOptions options;
  options.kernel = model.kernel;
  options.noise_variance = model.noise_variance;
  options.inducing_points = model.inducing;
  options.ratio = model.ratio;
  options.sensitivity = MomentBound::kPublished;
  return {"variational",
          [options](const SharedSetting& setting, const Budget& budget) {
            return std::make_unique<VariationalPlan>(setting, budget, options);
          }};
}

RowsMethod Selected(const std::vector<KnownModel>& candidates,
                    SelectionAccounting accounting) {
  std::vector<PlanFactory> plans;
  plans.reserve(candidates.size());
  for (const KnownModel& model : candidates) {
    plans.push_back(Variational(model).plan);
  }
  return {
      accounting == SelectionAccounting::kPublished ? "selected, published"
                                                    : "selected, Renyi",
      [plans, accounting](const SharedSetting& setting, const Budget& budget) {
        SelectedPlanOptions options;
        options.accounting = accounting;
        return std::make_unique<SelectedPlan>(setting, budget, plans, options);
      }};
}

RowsMethod OptimalGiven(const KnownModel& model) {
  return {"optimal, kernel given",
          OptimalWith(model.kernel, model.noise_variance)};
}

RowsMethod OptimalLearned() {
  return {"optimal, all learned", OptimalWith({}, {})};
}

}  // namespace cloak
