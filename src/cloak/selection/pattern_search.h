#ifndef CLOAK_SELECTION_PATTERN_SEARCH_H_
#define CLOAK_SELECTION_PATTERN_SEARCH_H_

#include <functional>

#include "cloak/linalg/matrix.h"

namespace cloak {

// Where to look for the least cost: in a box, of logarithms as a rule.
struct SearchBox {
  Vector start;
  Vector lower;
  Vector upper;
  // In each direction, halved until it is below the last.
  double first_step = 1.4;
  double last_step = 0.3;
};

// The place where `cost` is least in steps along each direction. A cost may be
// infinite, but not at the start. For costs of a few parameters that take long
// and have no gradient.
Vector PatternSearch(const SearchBox& box,
                     const std::function<double(const Vector&)>& cost);

}  // namespace cloak

#endif  // CLOAK_SELECTION_PATTERN_SEARCH_H_
