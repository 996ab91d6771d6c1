#ifndef CLOAK_BENCHMARKS_AWAY_STEP_H_
#define CLOAK_BENCHMARKS_AWAY_STEP_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// A plain textbook method for the smallest ellipsoid around ±v_i, the columns
// of V, to compare with: Frank-Wolfe with away steps and rank-one updates
// (Wolfe and Atwood; Todd and Yildirim 2007), stopped at max ω/r − 1 ≤ gap.
struct AwayStepResult {
  double gap = 0;
  int iterations = 0;
};

AwayStepResult AwayStepEllipsoid(const Matrix& V, double gap,
                                 double most_seconds);

}  // namespace cloak

#endif  // CLOAK_BENCHMARKS_AWAY_STEP_H_
