#ifndef CLOAK_SELECTION_CROSS_VALIDATION_H_
#define CLOAK_SELECTION_CROSS_VALIDATION_H_

#include <functional>
#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/selection/residual_norm.h"

namespace cloak {

// Rows to predict, and those to predict them from: all the others.
struct Fold {
  std::vector<Index> held_out;
  std::vector<Index> rest;
};

// The rows in `count` folds of as many units each, up to one; each row is held
// out once, together with all those of its unit: somebody who is predicted
// from other rows of their own would be predicted too well. Which fold it is
// depends on nothing but the number of the unit, by a shuffle that is always
// the same. Throws InvalidInput unless 2 ≤ count ≤ number of units.
std::vector<Fold> DealFolds(const PrivacyUnits& units, Index count);

// Predictions that are linear in the outputs: C (y − prior mean) + prior mean,
// plus noise of mean 0.
struct LinearPrediction {
  Matrix C;                  // a row for each that is held out
  double squared_noise = 0;  // expected, the sum over them
};

using LinearPredictor = std::function<LinearPrediction(const Fold& fold)>;

// Returns by how much each row, when it is held out, is predicted too high: row
// i of T has the weights of row i's prediction, and −1 at i itself.
Residuals LeaveFoldsOut(const std::vector<Fold>& folds, Index rows,
                        const LinearPredictor& predict);

}  // namespace cloak

#endif  // CLOAK_SELECTION_CROSS_VALIDATION_H_
