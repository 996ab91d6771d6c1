#ifndef CLOAK_RELEASE_VALIDATE_H_
#define CLOAK_RELEASE_VALIDATE_H_

#include "cloak/release/release.h"

namespace cloak {

// Throws InvalidInput that names the field unless all sizes fit together, all
// numbers are finite and in range, and the whole is small enough to predict
// from in reasonable time.
void ValidateContent(const ReleaseContent& content);

// The parts of it that are about a histogram, and about a density.
void ValidateHistogram(const ReleaseContent& content);
void ValidateLink(const ReleaseContent& content);

}  // namespace cloak

#endif  // CLOAK_RELEASE_VALIDATE_H_
