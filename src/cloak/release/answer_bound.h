#ifndef CLOAK_RELEASE_ANSWER_BOUND_H_
#define CLOAK_RELEASE_ANSWER_BOUND_H_

#include "cloak/release/release.h"

namespace cloak {

// Throws InvalidInput unless every answer of the posterior inside the ranges
// of the inputs is far from the largest double: a mean is below 1e150 and a
// variance below 1e300, whoever wrote the file. `folded` are the rows that
// Release multiplies with k_Z(x).
void RequireFiniteAnswers(const ReleaseContent& content,
                          const Posterior& posterior, const Matrix& folded);

}  // namespace cloak

#endif  // CLOAK_RELEASE_ANSWER_BOUND_H_
