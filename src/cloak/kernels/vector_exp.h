#ifndef CLOAK_KERNELS_VECTOR_EXP_H_
#define CLOAK_KERNELS_VECTOR_EXP_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// Exponentials, and the logarithms and sines that kernels need beside them, of
// many numbers at a time: glibc's libmvec on x86, where it is several times
// faster than one call of std::exp after another.
//
// Relative error below 1e-14. The result for a number does not depend on where
// it stands in the array, so equal arguments give equal bits.

// values[i] = exp(values[i]) for numbers in [−∞, 709]. Below −707, where the
// result nears the end of the normal numbers, it is 0.
void ExpInPlace(double* values, Index n);

// values[i] = factor · exp(rate · values[i]).
void ScaledExpInPlace(double* values, Index n, double rate, double factor);

// values[i] = log(1 + values[i]) for numbers in [0, 1e300].
void Log1pInPlace(double* values, Index n);

// values[i] = sin(π values[i]) for numbers in [−1, 1], with an absolute error
// below 1e-15 instead (near ±1 the sine is a difference).
void SinPiInPlace(double* values, Index n);

}  // namespace cloak

#endif  // CLOAK_KERNELS_VECTOR_EXP_H_
