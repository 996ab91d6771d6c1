#ifndef CLOAK_PRIVACY_INTEGER_GAUSSIAN_H_
#define CLOAK_PRIVACY_INTEGER_GAUSSIAN_H_

#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// The exact Gaussian release of integers t: t_k + round(s N_k), with N_k exact
// standard normals. With sensitivity_squared at least |t - t'|^2 for all
// neighbours, it is (Delta/s)-Gaussian-DP (Dong, Roth and Su 2022): rounding
// is post-processing (exact_normal.h).

// s, the smallest integer >= sigma sqrt(sensitivity_squared). Throws
// PrivacyFailure when either is not positive or s is above 2^100.
Uint128 GaussianScale(double sigma, Uint128 sensitivity_squared);

// sqrt(sensitivity_squared)/scale, rounded up.
double GaussianMu(Uint128 sensitivity_squared, Uint128 scale);

// sqrt(sensitivity_squared) times what one is worth, rounded up.
double SensitivityUp(Uint128 sensitivity_squared, double unit);

// `count` independent round(scale N). Draw them before anything private is
// read: when it fails, nothing has been.
std::vector<Int128> GaussianNoise(Uint128 scale, Index count,
                                  Randomness& random);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_INTEGER_GAUSSIAN_H_
