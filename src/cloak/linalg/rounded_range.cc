#include "cloak/linalg/rounded_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cloak/linalg/microaggregate.h"

namespace cloak {
namespace {

constexpr double kStepsInARange = 50;
// Below so many units in the last place, multiples of a step are not apart.
constexpr double kLeastUlps = 16;

// The smallest of 1, 2 and 5 times a power of ten that is at least `width`,
// which is positive, as a digit and an exponent.
struct DecimalStep {
  double digit = 1;
  int exponent = 0;

  double value() const { return Times(1); }
  // Divides where the power is below 1: 3 steps of 0.1 are 0.3, as written.
  double Times(double count) const {
    const double power = std::pow(10.0, std::abs(exponent));
    return exponent < 0 ? count * digit / power : count * digit * power;
  }
};

DecimalStep StepFor(double width) {
  DecimalStep step;
  step.exponent = static_cast<int>(std::floor(std::log10(width)));
  for (;; ++step.exponent) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      step.digit = digit;
      if (step.value() >= width) return step;
    }
  }
}

}  // namespace

double RoundedRange::Rounded(double value) const {
  if (!(step > 0)) return std::clamp(value, lower, upper);
  const DecimalStep decimal = StepFor(step * (1 - 0x1p-40));
  return std::clamp(decimal.Times(std::round(value / decimal.value())), lower,
                    upper);
}

RoundedRange RoundRange(const Eigen::Ref<const Vector>& column) {
  const double least = column.minCoeff();
  const double most = column.maxCoeff();
  const double size = std::max(std::abs(least), std::abs(most));
  const bool constant = least == most;
  if (constant && column.size() >= kLeastGroup) return {least, most, 0};
  const double range = !constant ? most - least : size > 0 ? size : 1;
  const DecimalStep step = StepFor(
      std::max(range / kStepsInARange,
               kLeastUlps * size * std::numeric_limits<double>::epsilon()));
  double first = std::floor(least / step.value());
  double last = std::ceil(most / step.value());
  // A quotient that was rounded may be one step too far inside.
  if (step.Times(first) > least) first -= 1;
  if (step.Times(last) < most) last += 1;
  // What few rows share must not be told by a range of no width.
  if (first == last) {
    first -= 1;
    last += 1;
  }
  return {step.Times(first), step.Times(last), step.value()};
}

double SpreadOf(const Eigen::Ref<const Vector>& column) {
  if (column.size() < kLeastGroup) {
    const RoundedRange range = RoundRange(column);
    return (range.upper - range.lower) / std::sqrt(12.0);
  }
  // Scaled first: an input may be as large as a double can be.
  const double size = column.cwiseAbs().maxCoeff();
  const Eigen::ArrayXd x = column.array() / (size > 0 ? size : 1);
  return size * std::sqrt((x - x.mean()).square().mean());
}

RoundedBox RoundBox(const Matrix& X) {
  RoundedBox box{Vector(X.cols()), Vector(X.cols())};
  for (Index j = 0; j < X.cols(); ++j) {
    const RoundedRange range = RoundRange(X.col(j));
    box.lower(j) = range.lower;
    box.upper(j) = range.upper;
  }
  return box;
}

}  // namespace cloak
