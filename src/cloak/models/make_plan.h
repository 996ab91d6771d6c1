#ifndef CLOAK_MODELS_MAKE_PLAN_H_
#define CLOAK_MODELS_MAKE_PLAN_H_

#include <memory>

#include "cloak/models/plan.h"
#include "cloak/models/row_order.h"
#include "cloak/models/setting.h"
#include "cloak/models/task.h"

namespace cloak {

// Decides the release of a table by a task:
//
//   const auto plan = MakePlan(setting, task);
//   const Release release = plan->Execute(rows, randomness);
//
// With public inputs, what is public of the plan depends on the multiset of the
// rows' public columns, not on their order (row_order.h).
//
// Throws InvalidInput when the task does not fit the setting or its options do
// not fit each other.
std::unique_ptr<Plan> MakePlan(const SharedSetting& setting, const Task& task);
std::unique_ptr<Plan> MakePlan(Setting setting, const Task& task);

// A setting with public inputs whose rows are in an order that depends on
// nothing but their public columns (row_order.h), and that order.
struct SortedSetting {
  Setting setting;
  RowOrder order;
};
SortedSetting SortRows(const Setting& setting);

}  // namespace cloak

#endif  // CLOAK_MODELS_MAKE_PLAN_H_
