#include "cloak/models/magnitudes.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr double kLargest = 1e50;
constexpr double kNarrowest = 1e-50;
constexpr double kLargestParameter = 1e100;
constexpr double kSmallestParameter = 1e-100;
// Variances are limited by the square of the bounds' width times these.
constexpr double kLargestVariance = 1e12;
constexpr double kSmallestNoise = 1e-30;
constexpr double kLargestNoise = 1e30;

}  // namespace

void RequireRange(const std::string& what, double lower, double upper) {
  RequireInput(std::abs(lower) <= kLargest && std::abs(upper) <= kLargest &&
                   upper - lower >= kNarrowest,
               what,
               " must lie within -1e50 and 1e50, and be at least 1e-50 wide, "
               "but ",
               lower, " to ", upper, " does not; take other units");
}

void RequireInputs(const std::vector<std::string>& names, const Matrix& X) {
  for (Index j = 0; j < X.cols(); ++j) {
    const double lower = X.col(j).minCoeff();
    const double upper = X.col(j).maxCoeff();
    RequireRange(Text("the input '", names[static_cast<size_t>(j)], "'"), lower,
                 lower == upper ? lower + 1 : upper);
  }
}

void RequireParameters(const Kernel& kernel) {
  for (const KernelParameter& parameter : kernel.Parameters()) {
    const double size = std::abs(parameter.value);
    RequireInput(
        size == 0 || (size >= kSmallestParameter && size <= kLargestParameter),
        "the numbers of a kernel must be from 1e-100 to 1e100, "
        "but the ",
        parameter.path, " of '", kernel.ToString(), "' is ", parameter.value);
  }
}

void RequireKernel(const Kernel& kernel, double largest_variance,
                   const OutputBounds& bounds) {
  RequireParameters(kernel);
  RequireInput(
      largest_variance <= kLargestVariance * bounds.width() * bounds.width(),
      "the kernel '", kernel.ToString(), "' has a variance of ",
      RoundedText(largest_variance),
      " where the inputs lie: that expects outputs more than a million "
      "times as far away as the bounds ",
      bounds.lower(), " to ", bounds.upper(),
      " are wide; give smaller variances, in squared units of the output "
      "(of classes, of the log odds)");
}

void RequireNoiseVariance(double variance, const OutputBounds& bounds) {
  const double square = bounds.width() * bounds.width();
  RequireInput(
      variance >= kSmallestNoise * square && variance <= kLargestNoise * square,
      "the noise variance must be from 1e-30 to 1e30 of the square of the "
      "bounds' width, ",
      RoundedText(bounds.width()), ", but is ", variance);
}

}  // namespace cloak
