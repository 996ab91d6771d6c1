#ifndef CLOAK_EXPERIMENTS_DICE_H_
#define CLOAK_EXPERIMENTS_DICE_H_

#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// Repeatable random numbers for data that are simulated or divided, the same
// everywhere: the distributions of the standard library differ between
// implementations. Never for noise.
class Dice {
 public:
  explicit Dice(uint64_t seed) : generator_(seed) {}

  // On [0, 1).
  double Uniform() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }

  // Standard, by Box and Muller.
  double Normal() {
    const double radius = std::sqrt(-2 * std::log(1 - Uniform()));
    return radius * std::cos(2 * std::numbers::pi * Uniform());
  }

  // 0, …, count − 1 in random order.
  std::vector<Index> Shuffled(Index count) {
    std::vector<Index> order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), Index{0});
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[generator_() % i]);
    }
    return order;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_DICE_H_
