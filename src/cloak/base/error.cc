#include "cloak/base/error.h"

namespace cloak {

void RequireInput(bool condition, const std::string& message) {
  if (!condition) throw InvalidInput(message);
}

void RequirePrivacy(bool condition, const std::string& message) {
  if (!condition) throw PrivacyFailure(message);
}

}  // namespace cloak
