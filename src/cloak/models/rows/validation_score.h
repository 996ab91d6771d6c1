#ifndef CLOAK_MODELS_ROWS_VALIDATION_SCORE_H_
#define CLOAK_MODELS_ROWS_VALIDATION_SCORE_H_

#include "cloak/models/plan.h"
#include "cloak/models/setting.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/coinpress_mean.h"

namespace cloak {

// What a release is worth on rows that it was not trained on: the mean of their
// log densities under its predictions (Honkela and Melkas 2021, equation 21),
// estimated privately by COINPRESS from the interval
//   centre −½ log 2π − log σ − R_y²/σ²,  radius R_y²/σ²
// (their equations 34 and 35), σ² being the noise variance of the release and
// R_y the farthest that an output can be from its offset. An estimate outside
// the interval counts as minus infinity, that is as worse than all others: the
// paper compares the sum over rows with the bounds of one, a misprint.
//
// The cost is that of `budget`, towards the rows given. `setting` is of those
// rows.
double ValidationScore(const Release& release, const PrivateRows& rows,
                       const Setting& setting, const Budget& budget,
                       const CoinpressOptions& options, Randomness& random);

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_VALIDATION_SCORE_H_
