#ifndef CLOAK_KERNELS_BOX_TERM_H_
#define CLOAK_KERNELS_BOX_TERM_H_

#include <cstddef>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// A covariance whose means over boxes have a closed form:
//   factor · Π_d exp(−(rate_d (x_d − x'_d))²/2), or
//   factor · Σ_d slope_d x_d x'_d             where there are slopes.
struct BoxTerm {
  double factor = 1;
  Vector rates = {};   // 1/lengthscale, 0 for bias
  Vector slopes = {};  // empty unless linear
};

// Throws InvalidInput when there are more than can be worked with.
void CheckBoxTermCount(size_t count);

// Every term of a times every term of b. Throws InvalidInput for products of
// linear with anything but bias.
std::vector<BoxTerm> MultiplyBoxTerms(const std::vector<BoxTerm>& a,
                                      const std::vector<BoxTerm>& b);

// The mean of exp(−(s − t)²/2) over s in [0, width] and t in
// [offset, offset + other_width], widths not negative.
double MeanOfEq(double width, double offset, double other_width);

}  // namespace cloak

#endif  // CLOAK_KERNELS_BOX_TERM_H_
