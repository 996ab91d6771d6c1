#ifndef CLOAK_MODELS_RELEASE_PARTS_H_
#define CLOAK_MODELS_RELEASE_PARTS_H_

#include <vector>

#include "cloak/gp/basis.h"
#include "cloak/gp/linear_posterior.h"
#include "cloak/models/setting.h"
#include "cloak/release/release.h"

namespace cloak {

// Throws InvalidInput for what a release could not say whatever is released, so
// that it is refused before anything is spent: ranges, bounds and kernels
// beyond what answers can be computed for, names that are not text. Plans call
// it when they are made. `content` is what is known beforehand, which is all
// but the statistic.
void CheckReleasable(ReleaseContent content);
// Does the same for a release that is a posterior over the weights of `basis`,
// with one that explains everything in place of what will be inferred: no
// number of that is larger.
void CheckReleasable(ReleaseContent content, const Basis& basis);

// Returns what was inferred of the weights of `basis` as it stands in a
// release, in as few directions and digits as error bars need
// (posterior_directions.h).
Posterior AsPosterior(const Basis& basis, double noise_variance,
                      LinearPosterior inferred, double weight = 1);

// Returns the name, range and middle of each input. For public inputs these are
// the range and the median of the rows, both rounded (rounded_range.h); for
// private ones, what is known of them publicly.
std::vector<InputColumn> DescribeInputs(const Setting& setting);

}  // namespace cloak

#endif  // CLOAK_MODELS_RELEASE_PARTS_H_
