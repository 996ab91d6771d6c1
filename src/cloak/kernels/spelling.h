#ifndef CLOAK_KERNELS_SPELLING_H_
#define CLOAK_KERNELS_SPELLING_H_

#include <string>
#include <string_view>
#include <vector>

namespace cloak {

// The word of `known` nearest to `word` by single-letter edits, or "" when
// none is near enough to be what was meant. `word` is at most 64 letters long,
// longer ones are near to nothing.
std::string NearestWord(std::string_view word,
                        const std::vector<std::string_view>& known);

}  // namespace cloak

#endif  // CLOAK_KERNELS_SPELLING_H_
