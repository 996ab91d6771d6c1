#ifndef CLOAK_PRIVACY_DRAW_REPEATS_H_
#define CLOAK_PRIVACY_DRAW_REPEATS_H_

#include <cstdint>

#include "cloak/privacy/event.h"
#include "cloak/privacy/randomness.h"

namespace cloak {

// How many candidates are expected, to within rounding.
double MeanRepeats(const Repeats& repeats);

// Throws InvalidInput for repeats that DrawRepeats does not draw: more than
// kMostMeanRepeats are expected, or, of a negative binomial, gamma is below
// kLeastGamma, so that there could be more than 2^24 of them.
void RequireDrawable(const Repeats& repeats);

// A number of candidates to try. It does not depend on any data, and must not
// be told to anybody.
//
// Its distribution is exact but for a probability below kNotDrawn: a uniform
// number of 128 random bits is compared with the distribution function,
// evaluated with MPFR to far more digits. Where it is so near to a step that
// more bits would be needed to decide, or beyond 2^24, it throws
// PrivacyFailure, which depends on no data either. What is then not released
// was released in the theorems about selection: that costs e^epsilon kNotDrawn
// of delta. Throws InvalidInput as RequireDrawable does.
int64_t DrawRepeats(const Repeats& repeats, Randomness& random);

inline constexpr double kNotDrawn = 0x1p-90;
inline constexpr double kMostMeanRepeats = 1e6;
inline constexpr double kLeastGamma = 0x1p-17;

}  // namespace cloak

#endif  // CLOAK_PRIVACY_DRAW_REPEATS_H_
