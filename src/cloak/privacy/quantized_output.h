#ifndef CLOAK_PRIVACY_QUANTIZED_OUTPUT_H_
#define CLOAK_PRIVACY_QUANTIZED_OUTPUT_H_

#include <cstdint>

#include "cloak/privacy/budget.h"

namespace cloak {

// Outputs become integers of this many bits before anything is added up.
inline constexpr int kOutputBits = 20;
inline constexpr int32_t kHalfOutput = int32_t{1} << (kOutputBits - 1);

// q for one output: -kHalfOutput at the lower bound and kHalfOutput at the
// upper, without rounding; one is worth d/2^kOutputBits, and 0 is the middle.
// Whatever the output is, the result is within ±kHalfOutput: that is what the
// sensitivity rests on, and it is enforced on integers. What is not a number is
// 0, exactly.
int32_t QuantizeOutput(double output, const OutputBounds& bounds);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_QUANTIZED_OUTPUT_H_
