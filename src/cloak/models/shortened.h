#ifndef CLOAK_MODELS_SHORTENED_H_
#define CLOAK_MODELS_SHORTENED_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// Factors of a covariance, with as many digits as a small file has room for
// and error bars have use for, less the rows that are too short to matter.
Matrix Shortened(const Matrix& factor);

}  // namespace cloak

#endif  // CLOAK_MODELS_SHORTENED_H_
