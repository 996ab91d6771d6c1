#ifndef CLOAK_MODELS_PROJECTED_PLAN_H_
#define CLOAK_MODELS_PROJECTED_PLAN_H_

#include <functional>
#include <memory>

#include "cloak/models/plan.h"

namespace cloak {

// The leading principal components of public inputs, each input divided by its
// rounded range first, so that what it is measured in does not matter: where
// there are very many inputs (pixels), few directions have most of what differs
// between rows, and distances along the rest say little. `count` is the most
// there can be; those along which nothing differs are left out. Both the centre
// and the directions stand in the release. Throws InvalidInput when there are
// fewer than kLeastGroup rows (microaggregate.h), which they would tell of.
InputProjection PrincipalComponents(const Matrix& X, Index count);

// A plan made by `plan` for the projected inputs, whose release takes the
// inputs as they were.
class ProjectedPlan : public Plan {
 public:
  ProjectedPlan(
      const PlanSetting& setting, const InputProjection& projection,
      const std::function<std::unique_ptr<Plan>(const PlanSetting&)>& plan);

  const PlanSummary& summary() const override { return plan_->summary(); }
  PrivacyEvent event() const override { return plan_->event(); }
  const PrivacyUnits& units() const override { return plan_->units(); }
  const GaussianMechanism* mechanism() const override {
    return plan_->mechanism();
  }
  Release Execute(const PrivateRows& rows,
                  Randomness& randomness) const override;
  Release ExecuteObserved(const PrivateRows& rows, Randomness& randomness,
                          const ReleaseObserver& observer) const override;

 private:
  std::vector<InputColumn> inputs_;
  InputProjection projection_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace cloak

#endif  // CLOAK_MODELS_PROJECTED_PLAN_H_
