#ifndef CLOAK_TESTS_FUZZ_CHECK_H_
#define CLOAK_TESTS_FUZZ_CHECK_H_

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "cloak/base/error.h"

namespace cloak {

// Ends the process, saying what does not hold, so that libFuzzer keeps the
// input.
inline void Check(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what.c_str());
  std::abort();
}

// What `make` returns; nothing when it refuses its input. Any other exception
// than InvalidInput is a fault, and ends the process.
template <typename Make>
auto UnlessRefused(const Make& make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const InvalidInput& error) {
    Check(error.what()[0] != '\0', "a refusal says why");
    return std::nullopt;
  }
}

}  // namespace cloak

#endif  // CLOAK_TESTS_FUZZ_CHECK_H_
