#ifndef CLOAK_APPS_CLI_REQUIRED_H_
#define CLOAK_APPS_CLI_REQUIRED_H_

#include <optional>
#include <string>

#include "cloak/base/error.h"

namespace cloak {

// The value of an option that cannot be left out; throws InvalidInput with
// `message` when it is.
inline const std::string& Required(const std::optional<std::string>& value,
                                   const std::string& message) {
  RequireInput(value.has_value() && !value->empty(), message);
  return *value;
}

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_REQUIRED_H_
