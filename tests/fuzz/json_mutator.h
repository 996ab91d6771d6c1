#ifndef CLOAK_TESTS_FUZZ_JSON_MUTATOR_H_
#define CLOAK_TESTS_FUZZ_JSON_MUTATOR_H_

#include <cstdint>
#include <string>

namespace cloak {

// `text` with one value of its JSON changed: a number to one that is likely to
// be wrong, an item or a member dropped, doubled or moved, a value replaced by
// another from elsewhere in the text. Nothing when it is not JSON. Changing
// bytes, as libFuzzer does, seldom leaves a long text well-formed.
std::string MutatedJson(const std::string& text, uint64_t seed);

}  // namespace cloak

#endif  // CLOAK_TESTS_FUZZ_JSON_MUTATOR_H_
