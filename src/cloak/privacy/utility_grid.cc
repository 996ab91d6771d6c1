#include "cloak/privacy/utility_grid.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr int kSensitivityBits = 20;

}  // namespace

UtilityGrid::UtilityGrid(double sensitivity) {
  RequireInput(sensitivity >= 1e-290 && sensitivity <= 1e290,
               "the sensitivity of utilities must be positive, from "
               "1e-290 to 1e290, but is ",
               sensitivity);
  int binary_exponent = 0;
  std::frexp(sensitivity, &binary_exponent);
  exponent_ = binary_exponent - kSensitivityBits;
  sensitivity_steps_ =
      static_cast<uint64_t>(std::ceil(std::ldexp(sensitivity, -exponent_)));
}

int64_t UtilityGrid::RoundDown(double utility) const {
  const double units = std::floor(std::ldexp(utility, -exponent_));
  if (std::isnan(units)) return -kLimit;
  constexpr auto kLargest = static_cast<double>(kLimit);
  return static_cast<int64_t>(std::clamp(units, -kLargest, kLargest));
}

double UtilityGrid::step() const { return std::ldexp(1.0, exponent_); }

}  // namespace cloak
