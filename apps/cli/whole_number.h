#ifndef CLOAK_APPS_CLI_WHOLE_NUMBER_H_
#define CLOAK_APPS_CLI_WHOLE_NUMBER_H_

#include <cmath>
#include <string>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// The value of `option`; throws InvalidInput unless it is a whole number from
// lowest to highest.
inline Index WholeNumber(const std::string& text, const std::string& option,
                         Index lowest, Index highest) {
  const double number = ParseNumber(text, option);
  RequireInput(number >= static_cast<double>(lowest) &&
                   number <= static_cast<double>(highest) &&
                   number == std::floor(number),
               option, " must be a whole number from ", lowest, " to ", highest,
               ", but is ", text);
  return static_cast<Index>(number);
}

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_WHOLE_NUMBER_H_
