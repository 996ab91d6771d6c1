#ifndef CLOAK_MODELS_OUTPUTS_INDUCING_POINTS_H_
#define CLOAK_MODELS_OUTPUTS_INDUCING_POINTS_H_

#include "cloak/linalg/matrix.h"
#include "cloak/models/setting.h"

namespace cloak {

// Where so many inducing points are placed: the centres of the public inputs by
// k-means, or, where a cluster has so few rows that its centre would tell of
// them, the nearest place that does not (basis_candidates.h). Throws
// InvalidInput when there are fewer different rows than that.
Matrix InducingPoints(const Setting& setting, Index count);

}  // namespace cloak

#endif  // CLOAK_MODELS_OUTPUTS_INDUCING_POINTS_H_
