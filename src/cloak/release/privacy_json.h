#ifndef CLOAK_RELEASE_PRIVACY_JSON_H_
#define CLOAK_RELEASE_PRIVACY_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "cloak/release/release.h"

namespace cloak {

// The privacy statement as it stands in a release file (docs/file-format.md),
// and wherever else it is given as JSON.
nlohmann::ordered_json PrivacyJson(const PrivacyStatement& privacy);

}  // namespace cloak

#endif  // CLOAK_RELEASE_PRIVACY_JSON_H_
