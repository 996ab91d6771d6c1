#ifndef CLOAK_BASE_NEAREST_NAME_H_
#define CLOAK_BASE_NEAREST_NAME_H_

#include <string>
#include <string_view>
#include <vector>

namespace cloak {

// The name that somebody who typed `wanted` most likely meant: the one at the
// smallest edit distance, capitals aside, or nothing when that takes more
// than a third of its letters (and more than one).
std::string NearestName(std::string_view wanted,
                        const std::vector<std::string>& names);

}  // namespace cloak

#endif  // CLOAK_BASE_NEAREST_NAME_H_
