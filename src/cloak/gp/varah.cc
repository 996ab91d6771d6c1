#include "cloak/gp/varah.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// Above, or below, the exact result of the one operation that was rounded.
double Up(double value) { return std::nextafter(value, kInfinity); }
double Down(double value) { return std::nextafter(value, -kInfinity); }

}  // namespace

double VarahBound(const Matrix& J) {
  RequireInput(J.rows() > 0 && J.rows() == J.cols() && J.allFinite(),
               "the matrix must be square and finite, but is ", J.rows(), " x ",
               J.cols());
  double smallest = kInfinity;
  for (Index i = 0; i < J.rows(); ++i) {
    double others = 0;
    for (Index j = 0; j < J.cols(); ++j) {
      if (j != i) others = Up(others + std::abs(J(i, j)));
    }
    const double dominance = Down(std::abs(J(i, i)) - others);
    RequireInput(dominance > 0,
                 "the matrix must be strictly diagonally dominant, but the "
                 "diagonal entry of row ",
                 i,
                 " is not larger than all others of its row together: there is "
                 "no bound; move inputs apart or take more noise");
    smallest = std::min(smallest, dominance);
  }
  return Up(1 / smallest);
}

double VarahWeightSensitivity(const SeparatedInputs& inputs, double width) {
  const auto positive = [](double value, const char* what) {
    RequireInput(std::isfinite(value) && value > 0, what,
                 " must be finite and positive, but is ", value);
  };
  RequireInput(inputs.count > 0,
               "the number of inputs must be positive, "
               "but is ",
               inputs.count);
  positive(inputs.variance, "the variance");
  positive(inputs.noise_variance, "the noise variance");
  positive(width, "the width");
  RequireInput(inputs.largest_covariance >= 0 &&
                   inputs.largest_covariance <= inputs.variance,
               "the largest covariance must be from 0 to the variance ",
               inputs.variance, ", but is ", inputs.largest_covariance);
  const double others =
      Up(Up(static_cast<double>(inputs.count - 1)) * inputs.largest_covariance);
  const double dominance =
      Down(Down(inputs.variance + inputs.noise_variance) - others);
  RequireInput(dominance > 0, "the covariance of ", inputs.count,
               " inputs is not strictly diagonally dominant for all that "
               "keep the separation: there is no bound; the noise "
               "variance must be above ",
               others - inputs.variance);
  return Up(width / dominance);
}

}  // namespace cloak
