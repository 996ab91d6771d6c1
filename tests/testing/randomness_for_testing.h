#ifndef CLOAK_TESTS_TESTING_RANDOMNESS_FOR_TESTING_H_
#define CLOAK_TESTS_TESTING_RANDOMNESS_FOR_TESTING_H_

#include <cstdint>

#include "cloak/privacy/randomness.h"

namespace cloak {

// Generators that no release may use. They are in a library of their own
// (cloak_testing), which only tests link.
class RandomnessForTesting {
 public:
  // The same seed gives the same stream.
  static Randomness Seeded(uint64_t seed);

  // What Randomness::FromSystem does when the system's entropy fails, or
  // reports success without giving any.
  static Randomness WithFailingEntropy();
  static Randomness WithEmptyEntropy();
};

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_RANDOMNESS_FOR_TESTING_H_
