#ifndef CLOAK_RELEASE_RELEASE_JSON_H_
#define CLOAK_RELEASE_RELEASE_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cloak/release/release.h"

namespace cloak {

// Returns all of a release but its matrices, which are in the file, for
// programs.
nlohmann::ordered_json ReleaseJson(const Release& release);

// Return parts of it, as they stand in a release file too
// (docs/file-format.md): the privacy statement, the inputs, and the axes of a
// histogram.
nlohmann::ordered_json PrivacyJson(const PrivacyStatement& privacy);
nlohmann::ordered_json InputsJson(const ReleaseContent& content);
nlohmann::ordered_json AxesJson(const Histogram& histogram);

// Returns null when nothing was certified.
nlohmann::ordered_json GapJson(double certified_gap);

// Returns indented text with a newline at the end; bytes that are not UTF-8 are
// replaced.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace cloak

#endif  // CLOAK_RELEASE_RELEASE_JSON_H_
