#ifndef CLOAK_MODELS_CHECK_RELEASABLE_H_
#define CLOAK_MODELS_CHECK_RELEASABLE_H_

#include "cloak/gp/basis.h"
#include "cloak/release/release.h"

namespace cloak {

// Throw InvalidInput for what a release could not say whatever is released, so
// that it is refused before anything is spent: ranges, bounds and kernels
// beyond what answers can be computed for, names that are not text. Plans call
// them when they are made.

// `content`: what is known beforehand, which is all of it but the statistic.
void CheckReleasable(ReleaseContent content);
// Of a release that is a posterior over the weights of `basis`: with one that
// explains everything in place of what will be inferred, so that its numbers
// are as large as theirs can be.
void CheckReleasable(ReleaseContent content, const Basis& basis);

}  // namespace cloak

#endif  // CLOAK_MODELS_CHECK_RELEASABLE_H_
