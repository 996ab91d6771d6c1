#ifndef CLOAK_PRIVACY_MOMENT_SCALES_H_
#define CLOAK_PRIVACY_MOMENT_SCALES_H_

#include "cloak/privacy/integer128.h"

namespace cloak {

// The bound that the noise of a MomentMechanism is calibrated by.
enum class MomentBound {
  kExact,      // the largest change there is
  kPublished,  // Honkela and Melkas 2021, equation (6), never less
};

// The noise of a MomentMechanism: integers, for the entries of A, for those on
// the diagonal of B, and for those off it.
struct MomentScales {
  Uint128 first = 0;
  Uint128 diagonal = 0;
  Uint128 off_diagonal = 0;
};

// Substituting a row (p, q) by (p', q'), |p|, |p'| <= K and |q|, |q'| <= Q,
// moves A = sum q p and B = sum p pᵀ. With t = <p, p'>,
//   |q p - q' p'|^2 = q^2 |p|^2 + q'^2 |p'|^2 - 2 q q' t <= 2 Q^2 (K^2 + |t|),
//   |p pᵀ - p' p'ᵀ|_F^2 = |p|^4 + |p'|^4 - 2 t^2       <= 2 (K^4 - t^2),
// and |t| <= K^2 (Cauchy and Schwarz). Noise of deviation a on A, b on the
// diagonal of B and o on one triangle off it gives Gaussian-DP of
//   mu^2 = max |dA|^2/a^2 + sum_j dB_jj^2/b^2 + sum_(j>k) dB_jk^2/o^2,
// and with 2 o^2 >= b^2 the last two are at most |dB|_F^2/b^2: the entries off
// the diagonal, times √2, have noise √2 o >= b, which is the mechanism of the
// paper's equation (5). So
//   mu^2 <= max over t in [0, K^2] of 2 Q^2 (K^2 + t)/a^2 + 2 (K^4 - t^2)/b^2,
// a parabola whose top is at t = Q^2 b^2/(2 a^2). Up to K^2 the top is
//   (2 Q^2 K^2 + 2 c K^4 + Q^4/(2 c))/a^2,  c = a^2/b^2,               (6)
// the square of the paper's equation (6); beyond, where c < Q^2/(2 K^2), the
// largest value is at t = K^2, 4 Q^2 K^2/a^2, and (6), which takes the maximum
// over all t, is more than can happen.
//
// In two and more dimensions both are attained, up to rounding to integers, by
// |p| = |p'| = K at that angle and q = Q, q' = -Q.

// The mu above, exactly but for its root, which is rounded up. K, Q and the
// scales are positive. Throws PrivacyFailure unless 2 o^2 >= b^2.
double MomentMu(Uint128 K, Uint128 Q, const MomentScales& scales);

// The sensitivity in multiples of a, that is mu a, for a given ratio a/b of the
// scales: approximately, in floating point.
double MomentSensitivity(double K, double Q, double ratio, MomentBound bound);

// The smallest scales of about this ratio a/b for which mu <= 1/sigma is
// certified. Throws PrivacyFailure when there are none up to 2^100.
MomentScales CalibrateMoments(Uint128 K, Uint128 Q, double ratio, double sigma,
                              MomentBound bound);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_MOMENT_SCALES_H_
