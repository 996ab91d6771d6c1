#ifndef CLOAK_KERNELS_GIBBS_FROM_INPUTS_H_
#define CLOAK_KERNELS_GIBBS_FROM_INPUTS_H_

#include <optional>

#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// How the density of inputs is summarised. Lengths are in units of scale.
struct InputDensityOptions {
  // The standard deviations of the inputs when absent (1 for an input that is
  // always the same).
  std::optional<PerInput> scale;
  // rows^(−1/(inputs + 4)) when absent: Scott 1992, equation 6.42, for a
  // standard deviation of 1.
  std::optional<double> bandwidth;
  // How far around a place the smallest density is taken; the bandwidth when
  // absent.
  std::optional<double> neighbourhood;
  Index most_centres = 100;
};

// The Gibbs kernel (Kernel::Gibbs) whose lengthscale follows how densely the
// rows of X lie: r(x), in units of scale, is about how far around x there are
// `count` rows, and at most `longest`. X is public, but its rows do not stand
// in the text of the kernel: the centres are means of groups of rows
// (microaggregate.h), at most most_centres of them, so that the text stays
// small. Too few rows for a group are taken to be spread evenly over their
// rounded ranges (rounded_range.h).
Kernel GibbsFromInputs(const Matrix& X, double variance, double longest,
                       double count, const InputDensityOptions& options = {});

}  // namespace cloak

#endif  // CLOAK_KERNELS_GIBBS_FROM_INPUTS_H_
