#ifndef CLOAK_TESTS_TESTING_ANY_NUMBER_H_
#define CLOAK_TESTS_TESTING_ANY_NUMBER_H_

// Numbers that rapidcheck draws, from the whole range in its first cases too,
// which it would keep small.
#include <rapidcheck.h>

#include <cmath>

namespace cloak {

inline double Uniform(double low, double high) {
  const int part =
      *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 1000001));
  return low + (high - low) * 1e-6 * static_cast<double>(part);
}

inline double LogUniform(double low, double high) {
  return std::exp(Uniform(std::log(low), std::log(high)));
}

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_ANY_NUMBER_H_
