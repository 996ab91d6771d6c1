#include "cloak/selection/residual_norm.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/quantized_output.h"
#include "cloak/privacy/scratch.h"
#include "cloak/privacy/unit_sensitivity.h"

namespace cloak {
namespace {

// Beyond it the error bounds of floating point would have to be looked at
// again (and T could not be stored).
constexpr Index kMostResiduals = Index{1} << 20;

// The square of the change of an output, as an integer, that moves over its
// whole range.
constexpr Uint128 kOutputRangeSquared = Uint128{1} << (2 * kOutputBits);

}  // namespace

ResidualNorm::ResidualNorm(const Residuals& residuals,
                           const PrivacyUnits& units,
                           const OutputBounds& bounds, double prior_mean)
    : bounds_(bounds), weights_(QuantizeWeights(residuals.T, units)) {
  const IntegerMatrix& P = weights_.P;
  RequireInput(P.rows() <= kMostResiduals, "there may be at most ",
               kMostResiduals, " residuals, but there are ", P.rows());
  RequireInput(
      std::isfinite(residuals.squared_noise) && residuals.squared_noise >= 0,
      "the expected squared noise of predictions must be finite and not "
      "negative, but is ",
      residuals.squared_noise);
  noise_sd_ =
      std::sqrt(residuals.squared_noise / static_cast<double>(P.rows()));
  unit_ =
      std::ldexp(bounds.width(),
                 weights_.exponent - IntegerWeights::kWeightBits - kOutputBits);
  RequireInput(unit_ >= 1e-140 && unit_ <= 1e140,
               "residuals are too large or too small for double precision; "
               "rescale the outputs");
  squared_noise_ = residuals.squared_noise / unit_ / unit_;
  offset_ =
      P.cast<double>().rowwise().sum() *
      std::ldexp((bounds.middle() - prior_mean) / bounds.width(), kOutputBits);
  const double largest = LargestNorm();
  RequireInput(std::isfinite(largest),
               "the prior mean and the noise of predictions must be "
               "finite, and not so far beyond the bounds: the prior mean "
               "is ",
               prior_mean);
  const UnitSensitivity moved = MeasureUnits(P, units);
  const double exact =
      RootUp(CheckedMultiply(moved.squared, kOutputRangeSquared), unit_);
  const double roundings = 2 * (static_cast<double>(P.rows()) + 16) * 0x1p-52;
  sensitivity_ = SumUp(exact, Up(roundings * largest * unit_));
}

double ResidualNorm::LargestNorm() const {
  const IntegerMatrix& P = weights_.P;
  const Vector sums = P.cast<double>().cwiseAbs().rowwise().sum();
  const double squared =
      (sums * double{kHalfOutput} + offset_.cwiseAbs()).squaredNorm() +
      squared_noise_;
  const auto operations = static_cast<double>(P.rows() + P.cols());
  return Up(std::sqrt(squared), 2 * operations + 8);
}

double ResidualNorm::Utility(const Vector& outputs) const {
  const Index rows = weights_.P.rows();
  const Index columns = weights_.P.cols();
  RequireInput(outputs.size() == columns, "the residuals are of ", columns,
               " outputs, but there are ", outputs.size());
  Scratch<Int128> exact(rows);
  AddExactProduct(weights_.P, outputs, bounds_, exact);
  double squared = squared_noise_;
  for (Index k = 0; k < rows; ++k) {
    const double residual = static_cast<double>(exact[k]) + offset_(k);
    squared += residual * residual;
  }
  return -std::sqrt(squared) * unit_;
}

CandidateUtilities::CandidateUtilities(const Secret<Vector>& outputs)
    : state_(outputs.Map([](const Vector& y) -> State { return {y}; })) {}

void CandidateUtilities::Add(const ResidualNorm& candidate) {
  state_ = state_.Map(
      [](const State& state, const ResidualNorm& added) -> State {
        State more = state;
        const Index count = state.utilities.size();
        more.utilities.conservativeResize(count + 1);
        more.utilities(count) = added.Utility(state.outputs);
        return more;
      },
      candidate);
}

Secret<Vector> CandidateUtilities::Of(const std::vector<size_t>& which) const {
  return state_.Map(
      [](const State& state, const std::vector<size_t>& numbers) -> Vector {
        Vector some(static_cast<Index>(numbers.size()));
        for (size_t i = 0; i < numbers.size(); ++i) {
          some(static_cast<Index>(i)) =
              state.utilities(static_cast<Index>(numbers.at(i)));
        }
        return some;
      },
      which);
}

}  // namespace cloak
