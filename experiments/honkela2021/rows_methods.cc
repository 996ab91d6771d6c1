#include "experiments/honkela2021/rows_methods.h"

#include <memory>

#include "cloak/models/rows_optimal.h"
#include "cloak/models/variational.h"

namespace cloak {
namespace {

PlanFactory OptimalFactory(const RowsOptions& options) {
  return [options](const RowsSetting& setting) {
    return std::make_unique<RowsOptimalPlan>(setting, options);
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
  return {"variational", [options](const RowsSetting& setting) {
            return std::make_unique<VariationalPlan>(setting, options);
          }};
}

RowsMethod Selected(const std::vector<KnownModel>& candidates,
                    SelectionAccounting accounting) {
  std::vector<PlanFactory> plans;
  plans.reserve(candidates.size());
  for (const KnownModel& model : candidates) {
    plans.push_back(Variational(model).plan);
  }
  return {accounting == SelectionAccounting::kPublished ? "selected, published"
                                                        : "selected, Renyi",
          [plans, accounting](const RowsSetting& setting) {
            SelectedPlanOptions options;
            options.accounting = accounting;
            return std::make_unique<SelectedPlan>(setting, plans, options);
          }};
}

RowsMethod OptimalGiven(const KnownModel& model) {
  RowsOptions options;
  options.kernel = model.kernel;
  options.noise_variance = model.noise_variance;
  return {"optimal, kernel given", OptimalFactory(options)};
}

RowsMethod OptimalLearned() {
  return {"optimal, all learned", OptimalFactory({})};
}

}  // namespace cloak
