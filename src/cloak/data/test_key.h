#ifndef CLOAK_DATA_TEST_KEY_H_
#define CLOAK_DATA_TEST_KEY_H_

#include "cloak/data/secret.h"

namespace cloak {

// The data layer cannot see the privacy layer's key, so its tests, which are a
// program of their own, define one. Never include this anywhere else.
class MechanismKey {};

template <typename T>
const T& OpenInTest(const Secret<T>& secret) {
  return secret.Open(MechanismKey());
}

}  // namespace cloak

#endif  // CLOAK_DATA_TEST_KEY_H_
