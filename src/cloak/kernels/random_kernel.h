#ifndef CLOAK_KERNELS_RANDOM_KERNEL_H_
#define CLOAK_KERNELS_RANDOM_KERNEL_H_

// Random kernels and inputs for property tests. Call inside rc::check only.

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "cloak/kernels/kernel.h"

namespace cloak {

// A number with all 53 bits at random, between 2^−exponent and 2^exponent.
inline double DrawPositive(int exponent) {
  const auto bits = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 52);
  return std::ldexp(1 + std::ldexp(static_cast<double>(bits), -52),
                    *rc::gen::inRange(-exponent, exponent));
}

inline PerInput DrawPerInput(Index inputs, int exponent) {
  if (*rc::gen::arbitrary<bool>()) return DrawPositive(exponent);
  std::vector<double> values;
  for (Index d = 0; d < inputs; ++d) values.push_back(DrawPositive(exponent));
  return values;
}

inline Kernel DrawGibbs(Index inputs, int exponent) {
  const int small = std::min(exponent, 400);  // so that products are doubles
  GibbsArguments gibbs{.variance = DrawPositive(exponent),
                       .longest = DrawPositive(exponent),
                       .count = DrawPositive(exponent),
                       .bandwidth = DrawPositive(small),
                       .neighbourhood = *rc::gen::inRange(0, 3) * 0.7,
                       .scale = DrawPerInput(inputs, small)};
  const Index centres = *rc::gen::inRange(1, 4);
  for (Index i = 0; i < centres * inputs; ++i) {
    gibbs.centres.push_back(0.3 * *rc::gen::inRange(-7, 8));
  }
  gibbs.weights = DrawPerInput(centres, exponent);
  return Kernel::Gibbs(gibbs);
}

inline Kernel DrawBins(Index inputs, int exponent) {
  std::vector<double> lower;
  std::vector<double> upper;
  std::vector<double> count;
  for (Index d = 0; d < inputs; ++d) {
    lower.push_back(0.3 * *rc::gen::inRange(-7, 8));
    upper.push_back(lower.back() + DrawPositive(3));
    count.push_back(*rc::gen::inRange(1, 6));
  }
  return Kernel::Bins(DrawPositive(exponent), lower, upper, count);
}

inline Kernel DrawLeaf(Index inputs, int exponent) {
  const double variance = DrawPositive(exponent);
  const auto list = [&] { return DrawPerInput(inputs, exponent); };
  switch (*rc::gen::inRange(0, 11)) {
    case 0:
      return Kernel::Eq(variance, list());
    case 1:
      return Kernel::Matern12(variance, list());
    case 2:
      return Kernel::Matern32(variance, list());
    case 3:
      return Kernel::Matern52(variance, list());
    case 4:
      return Kernel::RationalQuadratic(variance, list(),
                                       DrawPositive(exponent));
    case 5: {
      const PerInput lengthscale = list();
      return Kernel::Periodic(variance, lengthscale, list());
    }
    case 6:
      return Kernel::Linear(list());
    case 7:
      return Kernel::Bias(variance);
    case 8:
      return DrawGibbs(inputs, exponent);
    case 9:
      return DrawBins(inputs, exponent);
    default:
      return Kernel::White(variance);
  }
}

// An expression of at most `levels` sums and products inside one another.
inline Kernel DrawKernel(Index inputs, int exponent, int levels = 3) {
  const int choice = levels == 0 ? 0 : *rc::gen::inRange(0, 3);
  if (choice == 0) return DrawLeaf(inputs, exponent);
  const Kernel a = DrawKernel(inputs, exponent, levels - 1);
  const Kernel b = DrawKernel(inputs, exponent, levels - 1);
  return choice == 1 ? a + b : a * b;
}

// Inputs on a grid of quarters, so that some rows coincide.
inline Matrix DrawInputs(Index rows, Index inputs) {
  Matrix X(rows, inputs);
  for (double& x : X.reshaped()) x = 0.25 * *rc::gen::inRange(-8, 9);
  return X;
}

}  // namespace cloak

#endif  // CLOAK_KERNELS_RANDOM_KERNEL_H_
