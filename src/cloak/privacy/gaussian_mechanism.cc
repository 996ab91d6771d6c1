#include "cloak/privacy/gaussian_mechanism.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/gmp_integer128.h"
#include "cloak/privacy/integer_gaussian.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

// A sum of 2^40 products is below 2^89 (integer_weights.cc), which leaves the
// noise (at most 2^100 units) 2^26 standard deviations of room in 127 bits.

// Delta^2 <= 2^(86+2b) = 2^126 (integer_weights.h).
static_assert(2 * (GaussianMechanism::kWeightBits + IntegerWeights::kUnitBits +
                   GaussianMechanism::kOutputBits) <=
              126);

constexpr auto kQ = Uint128{kHalfOutput};

// |P_i| < 2^31 and Q = 2^19, so that it is below 2^52.
int64_t PresenceWeight(Uint128 weight) {
  RequirePrivacy(
      weight < (Uint128{1} << 52),
      "the weight of an output that is not missing does not fit sums "
      "that must be exact");
  return static_cast<int64_t>(weight);
}

}  // namespace

GaussianMechanism::GaussianMechanism(const Matrix& R,
                                     const OutputBounds& bounds,
                                     const Budget& budget)
    : GaussianMechanism(R, PrivacyUnits::EachRow(R.cols()), bounds, budget) {}

GaussianMechanism::GaussianMechanism(const Matrix& R, const PrivacyUnits& units,
                                     const OutputBounds& bounds,
                                     const Budget& budget, double least_sigma,
                                     bool with_squares)
    : bounds_(bounds), budget_(budget), weights_(QuantizeWeights(R, units)) {
  MeasureSensitivity(units, with_squares);
  RequirePrivacy(std::isfinite(least_sigma) && least_sigma >= 0,
                 "the least noise must be finite and not negative, but is ",
                 least_sigma);
  sigma_units_ = GaussianScale(std::max(GaussianSigma(budget_), least_sigma),
                               sensitivity_squared_);
  mu_ = GaussianMu(sensitivity_squared_, sigma_units_);
  ConvertToOutputUnits();
}

void GaussianMechanism::MeasureSensitivity(const PrivacyUnits& units,
                                           bool with_squares) {
  const UnitSensitivity largest = MeasureUnits(weights_.P, units);
  RequirePrivacy(largest.squared > 0,
                 "the statistic to release is zero: no noise would be added; "
                 "nothing was released");
  sensitivity_squared_ =
      CheckedMultiply(largest.squared, Uint128{1} << (2 * kOutputBits));
  sensitivity_is_exact_ = largest.exact;
  if (with_squares) AddSquares(units, largest.squared);
  WeighPresence(units, largest.squared);
}

// How W is chosen has no bearing on the guarantee, which is computed for
// whatever it is.
void GaussianMechanism::AddSquares(const PrivacyUnits& units, Uint128 largest) {
  Uint128 more = 0;
  if (units.IsEachRow()) {
    square_factor_ = std::max(Uint128{1}, RootDown(5 * largest / 2));
    const Uint128 squared = CheckedMultiply(square_factor_, square_factor_);
    RequirePrivacy(2 * squared <= 5 * largest,
                   "the squares weigh more than their sensitivity allows for");
    more = CheckedMultiply(squared, 2 * kQ + 1);
  } else {
    const auto outputs = static_cast<Uint128>(units.largest());
    square_factor_ = std::max(
        Uint128{1}, RootDown(sensitivity_squared_ / 10) / (kQ * outputs));
    const Uint128 change = CheckedMultiply(square_factor_, kQ * outputs);
    more = CheckedMultiply(change, change);
  }
  sensitivity_squared_ = CheckedAdd(sensitivity_squared_, more);
  sensitivity_is_exact_ = false;
  squares_step_ =
      1 / (static_cast<double>(square_factor_) * static_cast<double>(kQ));
}

void GaussianMechanism::WeighPresence(const PrivacyUnits& units,
                                      Uint128 largest) {
  const IntegerMatrix& P = weights_.P;
  const Uint128 Q2 = kQ * kQ;
  present_weights_.reserve(static_cast<size_t>(P.cols()));
  double sum = 0;
  if (units.IsEachRow()) {
    const Uint128 squares = CheckedMultiply(square_factor_, square_factor_);
    RequirePrivacy(squares <= 3 * largest,
                   "the squares leave no room for missing outputs");
    const Uint128 c = RootDown(CheckedMultiply(Q2, 3 * largest - squares));
    present_weights_.assign(static_cast<size_t>(P.cols()), PresenceWeight(c));
    sum = static_cast<double>(c) * static_cast<double>(P.cols());
  } else {
    const auto outputs = static_cast<Uint128>(units.largest());
    for (Index i = 0; i < P.cols(); ++i) {
      const auto square = static_cast<Uint128>(ColumnProduct(P, i, i));
      const Uint128 c = RootDown(CheckedMultiply(3 * Q2, square) / outputs);
      present_weights_.push_back(PresenceWeight(c));
      sum += static_cast<double>(c);
    }
  }
  present_step_ = 1 / std::max(sum, 1.0);
}

void GaussianMechanism::ConvertToOutputUnits() {
  // In this range 2^(e-a-b) d is exact, and every 128-bit multiple of it is a
  // finite double, so that no later step can fail.
  step_ = std::ldexp(bounds_.width(),
                     weights_.exponent - kWeightBits - kOutputBits);
  RequireInput(step_ >= std::numeric_limits<double>::min() && step_ <= 0x1p896,
               "the statistic to release is too ",
               step_ < 1 ? "small" : "large",
               " for double precision; rescale it or the outputs");
  R_ = weights_.Exact();
  noise_sd_ = static_cast<double>(sigma_units_) * step_;

  sensitivity_ = SensitivityUp(sensitivity_squared_, step_);
}

void GaussianMechanism::AddSquaresOf(const Vector& outputs,
                                     NoisyStatistic& noisy) const {
  Scratch<int64_t> sum(1);  // below 2^59 for 2^40 outputs
  for (const double output : outputs) {
    const int64_t q = QuantizeOutput(output, bounds_);
    sum[0] += q * q / kHalfOutput;
  }
  noisy.squares_integer =
      CheckedAdd(noisy.squares_integer,
                 CheckedMultiply(Int128(square_factor_), Int128{sum[0]}));
  noisy.squares = static_cast<double>(noisy.squares_integer) * squares_step_;
  noisy.squares_noise_sd = static_cast<double>(sigma_units_) * squares_step_;
}

void GaussianMechanism::AddPresenceOf(const Vector& outputs,
                                      NoisyStatistic& noisy) const {
  Scratch<Int128> sum(1);  // below 2^92 for 2^40 outputs
  for (Index i = 0; i < outputs.size(); ++i) {
    sum[0] += std::isnan(outputs(i)) ? 0 : present_weights_[size_t(i)];
  }
  noisy.present_integer = CheckedAdd(noisy.present_integer, sum[0]);
  noisy.present = static_cast<double>(noisy.present_integer) * present_step_;
  noisy.present_noise_sd = static_cast<double>(sigma_units_) * present_step_;
}

NoisyStatistic GaussianMechanism::Release(const Secret<Vector>& outputs,
                                          Randomness& random) const {
  const MechanismKey key;
  const IntegerMatrix& P = weights_.P;
  const Index size = outputs.Open(key).size();
  RequireInput(size == P.cols(), "the statistic is of ", P.cols(),
               " outputs, but there are ", size);
  // The noise comes first: when it fails, no output has been read.
  NoisyStatistic noisy;
  noisy.integers =
      GaussianNoise(sigma_units_, P.rows() + (with_squares() ? 2 : 1), random);
  noisy.present_integer = noisy.integers.back();
  noisy.integers.pop_back();
  AddPresenceOf(outputs.Open(key), noisy);
  if (with_squares()) {
    noisy.squares_integer = noisy.integers.back();
    noisy.integers.pop_back();
    AddSquaresOf(outputs.Open(key), noisy);
  }
  Scratch<Int128> t(P.rows());
  AddExactProduct(P, outputs.Open(key), bounds_, t);
  noisy.value.resize(P.rows());
  for (Index k = 0; k < P.rows(); ++k) {
    Int128& units = noisy.integers[static_cast<size_t>(k)];
    units = CheckedAdd(units, t[k]);
    noisy.value(k) = static_cast<double>(units) * step_;
  }
  noisy.noise_sd = noise_sd_;
  return noisy;
}

}  // namespace cloak
