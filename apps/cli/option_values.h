#ifndef CLOAK_APPS_CLI_OPTION_VALUES_H_
#define CLOAK_APPS_CLI_OPTION_VALUES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/custodian/request.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/privacy/budget.h"

namespace cloak {

// What was written on the command line, as numbers, ranges and names. Each
// throws InvalidInput that names the option and what it must be.

// Returns the value of an option that cannot be left out, or throws
// InvalidInput with `message`.
inline const std::string& Required(const std::optional<std::string>& value,
                                   const std::string& message) {
  RequireInput(value.has_value() && !value->empty(), message);
  return *value;
}

// Each returns nothing where nothing was given.
std::optional<double> NumberOf(const std::optional<std::string>& text,
                               const std::string& option);
// Returns a number that is finite and positive.
std::optional<double> PositiveOf(const std::optional<std::string>& text,
                                 const std::string& option);
// Returns a covariance function of so many inputs.
std::optional<Kernel> KernelOf(const std::optional<std::string>& text,
                               size_t inputs);

// Returns all cores where nothing was given.
Threads ThreadsOf(const std::optional<std::string>& text);

// Returns a whole number from lowest to highest.
Index WholeNumber(const std::string& text, const std::string& option,
                  Index lowest, Index highest);

// Returns one whole number, or one for each of the inputs.
std::vector<Index> CountsOf(const std::string& text, const std::string& option,
                            size_t inputs);
// Returns one for each of the inputs, also where one stands for all.
std::vector<Index> CountsOfEach(const std::string& text,
                                const std::string& option, size_t inputs);

// Returns LO:HI, finite, LO below HI.
OutputBounds RangeOf(const std::string& text, const std::string& option);

// Returns NAME=TEXT,… for some of the names, each at most once.
std::map<std::string, std::string> ByName(
    const std::string& text, const std::string& option,
    const std::vector<std::string>& names);

// Returns NAME=LO:HI,… for all of the inputs.
InputRanges InputRangesOf(const std::string& text,
                          const std::vector<std::string>& inputs);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_OPTION_VALUES_H_
