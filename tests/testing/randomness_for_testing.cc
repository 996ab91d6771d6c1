#include "tests/testing/randomness_for_testing.h"

#include <cstddef>
#include <cstring>

namespace cloak {
namespace {

int Fail(void*, size_t) { return -1; }
int SucceedWithNothing(void*, size_t) { return 0; }

}  // namespace

Randomness RandomnessForTesting::Seeded(uint64_t seed) {
  Randomness::Key key{};
  std::memcpy(key.data(), &seed, sizeof(seed));
  return Randomness(key);
}

Randomness RandomnessForTesting::WithFailingEntropy() {
  return Randomness(&Fail);
}

Randomness RandomnessForTesting::WithEmptyEntropy() {
  return Randomness(&SucceedWithNothing);
}

}  // namespace cloak
