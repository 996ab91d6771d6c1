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
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

// |P_ki q_i| <= 2^(a+b-1) = 2^49, so a sum of 2^13 products fits in 63 bits,
// and one of 2^40 is below 2^89, which leaves the noise (at most 2^100 units)
// 2^26 standard deviations of room in 127 bits.
static_assert(GaussianMechanism::kWeightBits + GaussianMechanism::kOutputBits <=
              50);
constexpr Index kProductsIn64Bits = Index{1} << 13;

// Delta^2 <= 2^(86+2b) = 2^126 (integer_weights.h).
static_assert(2 * (GaussianMechanism::kWeightBits + IntegerWeights::kUnitBits +
                   GaussianMechanism::kOutputBits) <=
              126);

}  // namespace

GaussianMechanism::GaussianMechanism(const Matrix& R,
                                     const OutputBounds& bounds,
                                     const Budget& budget)
    : GaussianMechanism(R, Units::EachRow(R.cols()), bounds, budget) {}

GaussianMechanism::GaussianMechanism(const Matrix& R, const Units& units,
                                     const OutputBounds& bounds,
                                     const Budget& budget, double least_sigma)
    : bounds_(bounds), budget_(budget), weights_(QuantizeWeights(R, units)) {
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

void GaussianMechanism::MeasureSensitivity(const Units& units) {
  const UnitSensitivity largest = MeasureUnits(weights_.P, units);
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
  unit_ = std::ldexp(bounds_.width(),
                     weights_.exponent - kWeightBits - kOutputBits);
  RequireInput(
      unit_ >= std::numeric_limits<double>::min() && unit_ <= 0x1p896,
      Text("the statistic to release is too ", unit_ < 1 ? "small" : "large",
           " for double precision; rescale it or the outputs"));
  R_ = weights_.Exact();
  noise_sd_ = static_cast<double>(sigma_units_) * unit_;

  sensitivity_ = SensitivityUp(sensitivity_squared_, unit_);
}

NoisyStatistic GaussianMechanism::Release(const Secret<Vector>& outputs,
                                          Randomness& random) const {
  const MechanismKey key;
  const IntegerMatrix& P = weights_.P;
  const Index size = outputs.Open(key).size();
  RequireInput(size == P.cols(), Text("the statistic is of ", P.cols(),
                                      " outputs, but there are ", size));
  // The noise comes first: when it fails, no output has been read.
  NoisyStatistic noisy;
  noisy.units = GaussianNoise(sigma_units_, P.rows(), random);
  const Vector& y = outputs.Open(key);
  Scratch<Int128> t(P.rows());
  Scratch<int64_t> partial(P.rows());
  for (Index begin = 0; begin < size; begin += kProductsIn64Bits) {
    const Index end = std::min(size, begin + kProductsIn64Bits);
    for (Index i = begin; i < end; ++i) {
      const int64_t q = QuantizeOutput(y(i), bounds_);
      for (Index k = 0; k < P.rows(); ++k) partial[k] += P(k, i) * q;
    }
    for (Index k = 0; k < P.rows(); ++k) {
      t[k] += partial[k];
      partial[k] = 0;
    }
  }
  noisy.value.resize(P.rows());
  for (Index k = 0; k < P.rows(); ++k) {
    Int128& units = noisy.units[static_cast<size_t>(k)];
    units = CheckedAdd(units, t[k]);
    noisy.value(k) = static_cast<double>(units) * unit_;
  }
  noisy.noise_sd = noise_sd_;
  return noisy;
}

}  // namespace cloak
