#ifndef CLOAK_MODELS_LINEAR_PREDICTION_H_
#define CLOAK_MODELS_LINEAR_PREDICTION_H_

#include <vector>

#include "cloak/base/progress.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/regression.h"
#include "cloak/privacy/budget.h"
#include "cloak/selection/cross_validation.h"

namespace cloak {

// A release to choose the hyperparameters of, but for them. None of its parts
// can be left out.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
struct RegressionSetting {
  Matrix X;
  OutputBounds bounds;
  Budget budget;
  Threads threads = {};
};

// Methods whose predictions are linear in the outputs, with Gaussian noise, if
// nothing is to be learned.
std::vector<RegressionOptions::Method> LinearMethods();

// What a release with these options, made of the rest of a fold, would predict
// for the rows held out: a linear function of the outputs, and the privacy
// noise in it. Methods that need query points, or are given some, have those
// that are held out.
//
// Throws InvalidInput if predictions are not linear, because something is to be
// learned from the release, or if the noise is not Gaussian.
LinearPrediction PredictFold(const RegressionSetting& setting,
                             const RegressionOptions& options,
                             const Fold& fold);

// That of all folds.
Residuals CrossValidate(const RegressionSetting& setting,
                        const RegressionOptions& options,
                        const std::vector<Fold>& folds,
                        const Progress& progress = NoProgress);

}  // namespace cloak

#endif  // CLOAK_MODELS_LINEAR_PREDICTION_H_
