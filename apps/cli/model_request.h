#ifndef CLOAK_APPS_CLI_MODEL_REQUEST_H_
#define CLOAK_APPS_CLI_MODEL_REQUEST_H_

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/budget.h"

namespace cloak {

// Arguments that more than one kind of release has, read and checked. All throw
// InvalidInput that says what is wrong.

// LO:HI, of the option that messages name.
OutputBounds RangeOf(const std::string& text, const std::string& option);

struct InputRanges {
  Vector lower;
  Vector upper;
};

// a=0:20,b=10:90, each of the inputs once.
InputRanges InputRangesOf(const std::string& text,
                          const std::vector<std::string>& names);

// One whole number for all inputs, or one for each.
std::vector<Index> CountsOf(const std::string& text, const std::string& option,
                            size_t inputs);

// What may be spent. Throws InvalidInput that says what is missing.
double CheckEpsilon(const ReleaseArguments& arguments);
Budget CheckBudget(const ReleaseArguments& arguments);

std::optional<Kernel> KernelOf(const ReleaseArguments& arguments,
                               size_t inputs);
std::optional<double> NoiseVarianceOf(const ReleaseArguments& arguments);
std::optional<double> PriorMeanOf(const ReleaseArguments& arguments);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_MODEL_REQUEST_H_
