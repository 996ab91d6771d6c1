#ifndef CLOAK_MODELS_MAGNITUDES_H_
#define CLOAK_MODELS_MAGNITUDES_H_

#include <string>
#include <vector>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/budget.h"

namespace cloak {

// How large and how small the numbers of a plan may be. Nothing is measured in
// larger or smaller ones, and within these limits squares and products of a few
// are doubles: what a plan costs is not lost to an overflow after it was paid.
// All throw InvalidInput that says what is out of range.

// Requires that both ends of a range are within ±1e50, and at least 1e-50
// apart.
void RequireRange(const std::string& what, double lower, double upper);

// The same of each column, all of whose numbers may be equal.
void RequireInputs(const std::vector<std::string>& names, const Matrix& X);

// Each parameter from 1e-100 to 1e100 in absolute value, or 0.
void RequireParameters(const Kernel& kernel);

// And no function of the kernel, whose variance is nowhere above
// `largest_variance`, more than a million times as far from the prior mean as
// the bounds are wide.
void RequireKernel(const Kernel& kernel, double largest_variance,
                   const OutputBounds& bounds);

// From 1e-30 to 1e30 of the square of the bounds' width.
void RequireNoiseVariance(double variance, const OutputBounds& bounds);

}  // namespace cloak

#endif  // CLOAK_MODELS_MAGNITUDES_H_
