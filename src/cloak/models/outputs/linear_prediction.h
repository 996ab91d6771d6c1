#ifndef CLOAK_MODELS_OUTPUTS_LINEAR_PREDICTION_H_
#define CLOAK_MODELS_OUTPUTS_LINEAR_PREDICTION_H_

#include <vector>

#include "cloak/base/progress.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/setting.h"
#include "cloak/models/task.h"
#include "cloak/privacy/budget.h"
#include "cloak/selection/cross_validation.h"

namespace cloak {

// Methods whose predictions are linear in the outputs, with Gaussian noise, if
// nothing is to be learned.
std::vector<Regression::Method> LinearMethods();

// Returns what a release by this task, made of the rest of a fold, would
// predict for the rows held out: a linear function of the outputs, and the
// privacy noise in it. Methods that need query points, or are given some, have
// those that are held out.
//
// Throws InvalidInput if predictions are not linear, because something is to be
// learned from the release, or if the noise is not Gaussian.
LinearPrediction PredictFold(const Setting& setting, const Regression& task,
                             const Fold& fold);

// Returns the residuals of all folds.
Residuals CrossValidate(const Setting& setting, const Regression& task,
                        const std::vector<Fold>& folds,
                        const Progress& progress = NoProgress);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_LINEAR_PREDICTION_H_
