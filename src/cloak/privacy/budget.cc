#include "cloak/privacy/budget.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

PureBudget::PureBudget(double epsilon) : epsilon_(epsilon) {
  RequireInput(std::isfinite(epsilon) && epsilon > 0,
               "epsilon must be finite and positive, but is ", epsilon);
  RequireInput(epsilon <= Budget::kMaxEpsilon, "epsilon must be at most ",
               Budget::kMaxEpsilon,
               ", beyond which nothing is protected, but is ", epsilon);
}

Budget::Budget(double epsilon, double delta)
    : epsilon_(PureBudget(epsilon).epsilon()), delta_(delta) {
  RequireInput(delta > 0 && delta < 1,
               "delta must be between 0 and 1 (exclusive), but is ", delta);
}

OutputBounds::OutputBounds(double lower, double upper)
    : lower_(lower), upper_(upper) {
  RequireInput(std::isfinite(lower), "the lower bound must be finite, but is ",
               lower);
  RequireInput(std::isfinite(upper), "the upper bound must be finite, but is ",
               upper);
  RequireInput(lower < upper && width() > 0,
               "the lower bound must be below the upper bound, but they ",
               "are ", lower, " and ", upper);
  RequireInput(std::isfinite(width()),
               "the bounds must be less than 1.8e308 apart, but are ", lower,
               " and ", upper);
}

}  // namespace cloak
