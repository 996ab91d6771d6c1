#ifndef CLOAK_GP_STATISTIC_MOMENTS_H_
#define CLOAK_GP_STATISTIC_MOMENTS_H_

#include "cloak/gp/basis.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"

namespace cloak {

// The outputs in a basis: y = Φᵀu + e, e ~ N(0, diag(D)), where D is what the
// basis leaves of f at each row plus the noise of an observation.
struct OutputModel {
  Matrix Phi;  // M x N
  Vector D;    // N
};

OutputModel ModelOutputs(const Basis& basis, double noise_variance,
                         const Matrix& X);

// The same for a linear statistic: R y = H u + e, e ~ N(0, V0), with
// H = RΦᵀ and V0 = R diag(D) Rᵀ.
struct StatisticMoments {
  Matrix H;   // r x M
  Matrix V0;  // r x r
};

StatisticMoments ModelStatistic(const OutputModel& outputs, const Matrix& R,
                                const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_GP_STATISTIC_MOMENTS_H_
