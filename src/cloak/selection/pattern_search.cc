#include "cloak/selection/pattern_search.h"

#include <cmath>
#include <map>
#include <vector>

#include "cloak/base/error.h"

namespace cloak {
namespace {

// Less is not worth another round.
constexpr double kLeastGain = 0.02;

// In smallest steps from the start.
using Place = std::vector<int>;

// Costs on the grid of smallest steps. Each is computed once, though a search
// that goes back and forth comes to the same places.
class Costs {
 public:
  Costs(const SearchBox& box, double smallest_step,
        const std::function<double(const Vector&)>& cost)
      : box_(box), step_(smallest_step), cost_(cost) {}

  Vector At(const Place& place) const {
    Vector at = box_.start;
    for (Index j = 0; j < at.size(); ++j) {
      at(j) += step_ * place[static_cast<size_t>(j)];
    }
    return at;
  }

  // Infinite outside of the box.
  double operator()(const Place& place) {
    const auto known = known_.find(place);
    if (known != known_.end()) return known->second;
    const Vector at = At(place);
    const bool inside = (at.array() >= box_.lower.array()).all() &&
                        (at.array() <= box_.upper.array()).all();
    return known_[place] = inside ? cost_(at) : HUGE_VAL;
  }

 private:
  const SearchBox& box_;
  double step_;
  const std::function<double(const Vector&)>& cost_;
  std::map<Place, double> known_;
};

// Tries one step down and up in each direction; whether one was an advance.
bool Advance(int step, Costs& costs, Place& place) {
  bool advanced = false;
  double least = costs(place);
  for (int& coordinate : place) {
    const int here = coordinate;
    for (const int move : {step, -step}) {
      coordinate = here + move;
      const double there = costs(place);
      if (there < least - kLeastGain) {
        least = there;
        advanced = true;
        break;
      }
      coordinate = here;
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
  int step = 1;
  double smallest = box.first_step;
  for (; smallest / 2 >= box.last_step; smallest /= 2) step *= 2;
  Costs costs(box, smallest, cost);
  Place place(static_cast<size_t>(box.start.size()), 0);
  for (; step >= 1; step /= 2) {
    while (Advance(step, costs, place)) {
    }
  }
  return costs.At(place);
}

}  // namespace cloak
