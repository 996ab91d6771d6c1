#ifndef CLOAK_MODELS_ROWS_DENSITY_INFERENCE_H_
#define CLOAK_MODELS_ROWS_DENSITY_INFERENCE_H_

#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/gp/log_intensity.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/rows/density.h"
#include "cloak/release/release.h"

namespace cloak {

// A regular grid over the box, of as many points as a density of that many
// inputs is spanned by.
Matrix DensityBasis(const Vector& lower, const Vector& upper);

// With the kernel of the logarithm of a density that nothing is known of.
Basis DensityBeforehand(const Setting& setting);

// Infers the logarithm of the density, seen through DensityBasis, from noisy
// counts in cells with these centres (as rows).
std::vector<Posterior> InferDensity(const Setting& setting,
                                    const Matrix& centres,
                                    const NoisyBins& bins);

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_DENSITY_INFERENCE_H_
