#ifndef CLOAK_EXPERIMENTS_PROMISES_OPEN_SCORES_H_
#define CLOAK_EXPERIMENTS_PROMISES_OPEN_SCORES_H_

#include "experiments/promises/problems.h"

namespace cloak {

// Returns the measures of ScorePromise for the same model without privacy: the
// exact process given all rows to learn from, with the hyperparameters that are
// most probable after 800 of them. Labels are taken for numbers, and the
// prediction for the difference of the probabilities of the classes.
Vector ScoreOpenly(const Problem& problem, const RowHalves& rows);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_PROMISES_OPEN_SCORES_H_
