#ifndef CLOAK_DESIGN_NOISE_DESIGN_H_
#define CLOAK_DESIGN_NOISE_DESIGN_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// The statistic of the outputs to release: R y + s z, z ~ N(0, I), where s is
// the noise for a statistic that moves by at most 1 when one output (or all
// those of one unit) moves by its whole range. A design is optimisation on
// public matrices: it knows neither budgets nor data, and the guarantee does
// not depend on it, because the mechanism computes the sensitivity of whatever
// R it is given.
struct NoiseDesign {
  // r x N. The outputs of one unit, moving by at most 1 each, move R y by at
  // most 1: columns of norm at most 1 when each row is a unit.
  Matrix R;
  // Predictions at the P query points: decoder · (R y) = C y on the range
  // kept. Empty for `bayes`, which decodes by inference.
  Matrix decoder;  // P x r
  // volume: log det of the noise covariance in the range kept, for s = 1.
  // trace:  (weighted) sum over query points of the noise variance, for s = 1.
  // bayes:  sum over the places that matter of the posterior variance.
  double objective = 0;
  // No design has an objective better by more than this: for volume a bound
  // on max cᵀM⁻¹c − 1, for trace and bayes a fraction of the objective.
  double gap = 0;
  int iterations = 0;
};

}  // namespace cloak

#endif  // CLOAK_DESIGN_NOISE_DESIGN_H_
