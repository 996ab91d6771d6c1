#ifndef CLOAK_MODELS_OUTPUTS_CLOAKED_OUTPUTS_H_
#define CLOAK_MODELS_OUTPUTS_CLOAKED_OUTPUTS_H_

#include <memory>

#include "cloak/models/plan.h"
#include "cloak/models/task.h"

namespace cloak {

// Returns the noise variance of a new observation: that of the task, or the
// mean of those of the rows.
double NoiseOfAnObservation(const Setting& setting, const Regression& task);

// Plans one of the methods of Smith et al. 2018 and 2021 that release a linear
// smoother of the outputs: cloaking, sparse, nonstationary, functional and
// polynomial. The task has been checked.
std::unique_ptr<Plan> PlanCloaked(const SharedSetting& setting,
                                  const Regression& task);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_CLOAKED_OUTPUTS_H_
