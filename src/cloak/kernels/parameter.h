#ifndef CLOAK_KERNELS_PARAMETER_H_
#define CLOAK_KERNELS_PARAMETER_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cloak/kernels/kernel.h"

namespace cloak {

// Throws InvalidInput unless every number of `values` is finite and positive
// (and not so small that its inverse overflows) and there is at least one.
// `what` names the parameter: "lengthscale of eq".
void CheckPositive(const PerInput& values, std::string_view what);

// Throws InvalidInput when `values` is a list of another length than the
// number of inputs.
void CheckLength(const PerInput& values, Index dimension,
                 std::string_view what);

// "15" or "[15, 3]".
std::string ToString(const PerInput& values);

// Appends "name", or "name[0]", "name[1]", … for a list.
void AppendParameters(const PerInput& values, std::string_view name,
                      std::vector<KernelParameter>* parameters);

// Takes as many numbers from the front of `numbers` as `like` has.
PerInput TakeLike(const PerInput& like, std::span<const double>* numbers);

// 1/v of each number.
std::vector<double> Inverses(const PerInput& values);

}  // namespace cloak

#endif  // CLOAK_KERNELS_PARAMETER_H_
