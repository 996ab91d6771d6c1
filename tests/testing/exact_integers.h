#ifndef CLOAK_TESTS_TESTING_EXACT_INTEGERS_H_
#define CLOAK_TESTS_TESTING_EXACT_INTEGERS_H_

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "cloak/privacy/integer128.h"

namespace cloak {

// Integers of 128 bits as integers of any size, so that a test need not fear
// the overflow that it looks for.
boost::multiprecision::cpp_int Exact(Int128 value);
boost::multiprecision::cpp_int Exact(Uint128 value);

// Returns |a − b|². Where a and b were released with the same seed their noise
// is the same, and cancels.
boost::multiprecision::cpp_int SquaredDistance(const std::vector<Int128>& a,
                                               const std::vector<Int128>& b);

}  // namespace cloak

#endif  // CLOAK_TESTS_TESTING_EXACT_INTEGERS_H_
