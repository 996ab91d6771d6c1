#include "cloak/privacy/gaussian_mechanism.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/integer_gaussian.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/mpfr_number.h"
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

constexpr int32_t kHalfOutput = int32_t{1}
                                << (GaussianMechanism::kOutputBits - 1);
constexpr double kLargestWeight = double{1 << GaussianMechanism::kWeightBits};

// |P_ki q_i| <= 2^(a+b-1) = 2^49, so a sum of 2^13 products fits in 63 bits,
// and one of 2^40 is below 2^89, which leaves the noise (at most 2^100 units)
// 2^26 standard deviations of room in 127 bits.
static_assert(GaussianMechanism::kWeightBits + GaussianMechanism::kOutputBits <=
              50);
constexpr Index kProductsIn64Bits = Index{1} << 13;
constexpr Index kMaxOutputs = Index{1} << 40;

// The columns of P that belong to one unit have norms that sum to at most
// 2^(a+13) = 2^43, up to rounding: then Delta^2 <= 2^(86+2b) = 2^126 fits.
constexpr int kUnitBits = 13;
static_assert(2 * (GaussianMechanism::kWeightBits + kUnitBits +
                   GaussianMechanism::kOutputBits) <=
              126);

double LargestUnitSum(const Vector& norms, const Units& units) {
  double largest = 0;
  for (Index unit = 0; unit < units.count(); ++unit) {
    double sum = 0;
    for (const Index row : units.Rows(unit)) sum += norms(row);
    largest = std::max(largest, sum);
  }
  return largest;
}

// q for one output: -kHalfOutput at the lower bound and kHalfOutput at the
// upper, without rounding. Whatever the output is, the result is within
// ±kHalfOutput: that is what the sensitivity rests on, and it is enforced on
// integers.
int32_t QuantizeOutput(double output, const OutputBounds& bounds) {
  const double number = std::isnan(output) ? bounds.middle() : output;
  const double clipped = std::clamp(number, bounds.lower(), bounds.upper());
  const double scaled =
      (clipped - bounds.lower()) / bounds.width() * (2.0 * kHalfOutput);
  return static_cast<int32_t>(
      std::clamp<int64_t>(std::llround(scaled), 0, int64_t{2} * kHalfOutput) -
      kHalfOutput);
}

}  // namespace

GaussianMechanism::GaussianMechanism(const Matrix& R,
                                     const OutputBounds& bounds,
                                     const Budget& budget)
    : GaussianMechanism(R, Units::EachRow(R.cols()), bounds, budget) {}

GaussianMechanism::GaussianMechanism(const Matrix& R, const Units& units,
                                     const OutputBounds& bounds,
                                     const Budget& budget, double least_sigma)
    : bounds_(bounds), budget_(budget) {
  RequireInput(R.rows() > 0 && R.cols() > 0,
               Text("R must have at least one row and one column, but is ",
                    R.rows(), " x ", R.cols()));
  RequireInput(
      R.cols() <= kMaxOutputs,
      Text("there may be at most 2^40 outputs, but there are ", R.cols()));
  RequireInput(units.rows() == R.cols(),
               Text("the statistic is of ", R.cols(),
                    " outputs, but the units are of ", units.rows()));
  Quantize(R, units);
  MeasureSensitivity(units);
  RequirePrivacy(
      std::isfinite(least_sigma) && least_sigma >= 0,
      Text("the least noise must be finite and not negative, but is ",
           least_sigma));
  sigma_units_ = GaussianScale(std::max(GaussianSigma(budget_), least_sigma),
                               sensitivity_squared_);
  mu_ = GaussianMu(sensitivity_squared_, sigma_units_);
  ConvertToOutputUnits();
}

void GaussianMechanism::Quantize(const Matrix& R, const Units& units) {
  RequirePrivacy(R.allFinite(),
                 "the statistic to release has weights that are not finite; "
                 "nothing was released");
  const double largest = R.cwiseAbs().maxCoeff();
  RequirePrivacy(largest > 0,
                 "the statistic to release is zero: no noise would be added; "
                 "nothing was released");
  // Two steps, so that squares neither overflow nor vanish: first by the
  // largest entry, then by the largest norm of a column.
  int entry_exponent = 0;
  std::frexp(largest, &entry_exponent);
  const Matrix scaled = R.unaryExpr(
      [=](double weight) { return std::ldexp(weight, -entry_exponent); });
  const Vector norms = scaled.colwise().norm();
  int norm_exponent = 0;
  std::frexp(norms.maxCoeff(), &norm_exponent);
  int unit_exponent = 0;
  std::frexp(LargestUnitSum(norms, units), &unit_exponent);
  norm_exponent = std::max(norm_exponent, unit_exponent - kUnitBits);
  exponent_ = entry_exponent + norm_exponent;

  P_.resize(R.rows(), R.cols());
  for (Index i = 0; i < R.cols(); ++i) {
    for (Index k = 0; k < R.rows(); ++k) {
      const double weight =
          std::round(std::ldexp(scaled(k, i), kWeightBits - norm_exponent));
      if (!(std::abs(weight) <= kLargestWeight)) {
        throw PrivacyFailure(
            "a weight does not fit its integer; nothing was released");
      }
      P_(k, i) = static_cast<int32_t>(weight);
    }
  }
}

void GaussianMechanism::MeasureSensitivity(const Units& units) {
  const UnitSensitivity largest = MeasureUnits(P_, units);
  RequirePrivacy(largest.squared > 0,
                 "the statistic to release is zero: no noise would be added; "
                 "nothing was released");
  sensitivity_squared_ =
      CheckedMultiply(largest.squared, Uint128{1} << (2 * kOutputBits));
  sensitivity_is_exact_ = largest.exact;
}

void GaussianMechanism::ConvertToOutputUnits() {
  // In this range 2^(e-a-b) d is exact, and every 128-bit multiple of it is a
  // finite double, so that no later step can fail.
  unit_ = std::ldexp(bounds_.width(), exponent_ - kWeightBits - kOutputBits);
  RequireInput(
      unit_ >= std::numeric_limits<double>::min() && unit_ <= 0x1p896,
      Text("the statistic to release is too ", unit_ < 1 ? "small" : "large",
           " for double precision; rescale it or the outputs"));
  // Exact: P has 31 bits; and where 2^(e-a) is below the smallest double, P is
  // the given R times a power of two, without rounding.
  R_ = P_.unaryExpr([this](int32_t weight) {
    return std::ldexp(static_cast<double>(weight), exponent_ - kWeightBits);
  });
  RequireInput(R_.allFinite(),
               "the statistic to release is too large for double precision; "
               "rescale it or the outputs");
  noise_sd_ = static_cast<double>(sigma_units_) * unit_;

  MpfrNumber delta(128);
  delta.Set(sensitivity_squared_, MPFR_RNDU);
  mpfr_sqrt(delta, delta, MPFR_RNDU);
  mpfr_mul_d(delta, delta, unit_, MPFR_RNDU);
  sensitivity_ = mpfr_get_d(delta, MPFR_RNDU);
}

NoisyStatistic GaussianMechanism::Release(const Secret<Vector>& outputs,
                                          Randomness& random) const {
  const MechanismKey key;
  const Index size = outputs.Open(key).size();
  RequireInput(size == P_.cols(), Text("the statistic is of ", P_.cols(),
                                       " outputs, but there are ", size));
  // The noise comes first: when it fails, no output has been read.
  NoisyStatistic noisy;
  noisy.units = GaussianNoise(sigma_units_, P_.rows(), random);
  const Vector& y = outputs.Open(key);
  Scratch<Int128> t(P_.rows());
  Scratch<int64_t> partial(P_.rows());
  for (Index begin = 0; begin < size; begin += kProductsIn64Bits) {
    const Index end = std::min(size, begin + kProductsIn64Bits);
    for (Index i = begin; i < end; ++i) {
      const int64_t q = QuantizeOutput(y(i), bounds_);
      for (Index k = 0; k < P_.rows(); ++k) partial[k] += P_(k, i) * q;
    }
    for (Index k = 0; k < P_.rows(); ++k) {
      t[k] += partial[k];
      partial[k] = 0;
    }
  }
  noisy.value.resize(P_.rows());
  for (Index k = 0; k < P_.rows(); ++k) {
    Int128& units = noisy.units[static_cast<size_t>(k)];
    units = CheckedAdd(units, t[k]);
    noisy.value(k) = static_cast<double>(units) * unit_;
  }
  noisy.noise_sd = noise_sd_;
  return noisy;
}

}  // namespace cloak
