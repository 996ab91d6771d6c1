#ifndef CLOAK_RELEASE_RELEASE_JSON_H_
#define CLOAK_RELEASE_RELEASE_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cloak/release/release.h"

namespace cloak {

// What a release says of itself, for programs: everything but its matrices,
// which are in the file.
nlohmann::ordered_json ReleaseJson(const Release& release);

// null when nothing was certified.
nlohmann::ordered_json GapJson(double certified_gap);

// Indented, with a newline at the end; bytes that are not UTF-8 are replaced.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace cloak

#endif  // CLOAK_RELEASE_RELEASE_JSON_H_
