#include "cloak/selection/pattern_search.h"

#include <cmath>

#include "cloak/base/error.h"

namespace cloak {
namespace {

// Less is not worth another round.
constexpr double kLeastGain = 0.02;

// Tries one step down and up in each direction; whether one was an advance.
bool Advance(const SearchBox& box, double step,
             const std::function<double(const Vector&)>& cost, Vector& place,
             double& least) {
  bool advanced = false;
  for (Index j = 0; j < place.size(); ++j) {
    for (const double move : {step, -step}) {
      Vector next = place;
      next(j) += move;
      if (next(j) < box.lower(j) || next(j) > box.upper(j)) continue;
      const double there = cost(next);
      if (!(there < least - kLeastGain)) continue;
      place = next;
      least = there;
      advanced = true;
      break;
    }
  }
  return advanced;
}

}  // namespace

Vector PatternSearch(const SearchBox& box,
                     const std::function<double(const Vector&)>& cost) {
  RequireInput(box.lower.size() == box.start.size() &&
                   box.upper.size() == box.start.size() &&
                   (box.lower.array() <= box.start.array()).all() &&
                   (box.start.array() <= box.upper.array()).all(),
               "a search must start within its box");
  Vector place = box.start;
  double least = cost(place);
  for (double step = box.first_step; step >= box.last_step; step /= 2) {
    while (Advance(box, step, cost, place, least)) {
    }
  }
  return place;
}

}  // namespace cloak
