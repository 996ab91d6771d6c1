#ifndef CLOAK_PRIVACY_UTILITY_GRID_H_
#define CLOAK_PRIVACY_UTILITY_GRID_H_

#include <cstdint>

namespace cloak {

// Rounds utilities down to integers in steps of g, a power of two with
// sensitivity/g from 2^19 to 2^20.
//
// Sensitivity. Dividing a double by a power of two is exact, floor is exact,
// and floor(a) - floor(b) <= ceil(a - b) for a >= b. So utilities that differ
// by at most `sensitivity` differ by at most ceil(sensitivity/g) =
// sensitivity_steps() steps. (Only what is nearer to zero than the smallest
// double becomes zero, from either side, and with it floor(0) = 0: but no
// double lies between -sensitivity and that much less, so that the difference
// from a utility below is at most the same.) (Rounding to the nearest, halves
// away from zero, would not do: -0.5 and 0.5 become -1 and 1.) Clamping to
// ±kLimit steps brings them no farther apart.
class UtilityGrid {
 public:
  // The sum of two fits an integer of 64 bits.
  static constexpr int64_t kLimit = int64_t{1} << 61;

  // Throws InvalidInput unless 1e-290 <= sensitivity <= 1e290.
  explicit UtilityGrid(double sensitivity);

  // Any double will do; what is not a number has the least utility.
  int64_t RoundDown(double utility) const;

  // At most 2^20, and at most 2^-19 of it above the sensitivity.
  uint64_t sensitivity_steps() const { return sensitivity_steps_; }
  // g.
  double step() const;

 private:
  int exponent_ = 0;
  uint64_t sensitivity_steps_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_UTILITY_GRID_H_
