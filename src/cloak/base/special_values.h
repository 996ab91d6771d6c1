#ifndef CLOAK_BASE_SPECIAL_VALUES_H_
#define CLOAK_BASE_SPECIAL_VALUES_H_

#include <limits>

namespace cloak {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace cloak

#endif  // CLOAK_BASE_SPECIAL_VALUES_H_
