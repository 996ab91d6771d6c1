#ifndef CLOAK_EXPERIMENTS_PROMISES_PROMISE_SCORES_H_
#define CLOAK_EXPERIMENTS_PROMISES_PROMISE_SCORES_H_

#include "cloak/privacy/budget.h"
#include "cloak/privacy/randomness.h"
#include "experiments/promises/problems.h"

namespace cloak {

// What a release promises: to the output of a row, or to all of the row.
enum class PromiseMade { kOutputs, kRows };

// Releases rows to learn from, with nothing given but ranges from public
// knowledge, and returns its measures (judgement.h) on rows that are held out.
Vector ScorePromise(const Problem& problem, PromiseMade promise,
                    const Budget& budget, const RowHalves& rows,
                    Randomness& randomness);

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_PROMISES_PROMISE_SCORES_H_
