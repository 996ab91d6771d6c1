#include "cloak/privacy/bin_sum_mechanism.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/exact_gaussian.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/quantized_output.h"
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

CountMechanism NoiseFor(const PrivacyUnits& units, double epsilon) {
  RequireInput(units.largest() <= BinSumMechanism::kMostRowsOfAUnit,
               "bins protect units of at most ",
               BinSumMechanism::kMostRowsOfAUnit, " rows, but one has ",
               units.largest());
  return CountMechanism::Laplace(
      static_cast<uint64_t>(units.largest()) << kOutputBits, epsilon);
}

}  // namespace

BinSumMechanism::BinSumMechanism(std::vector<Index> bin_of_row, Index bins,
                                 const PrivacyUnits& units,
                                 const OutputBounds& bounds, double epsilon)
    : bin_of_row_(std::move(bin_of_row)),
      bins_(bins),
      bounds_(bounds),
      noise_(NoiseFor(units, epsilon)),
      sum_step_(ValidStep(std::ldexp(bounds.width(), -kOutputBits),
                          "the width of the bounds is", "rescale the outputs")),
      sensitivity_(static_cast<double>(units.largest()) * bounds.width()) {
  RequireInput(static_cast<Index>(bin_of_row_.size()) == units.rows(),
               "each of the ", units.rows(), " rows must be in a bin, but ",
               bin_of_row_.size(), " are");
  RequireInput(
      std::all_of(bin_of_row_.begin(), bin_of_row_.end(),
                  [bins](Index bin) { return bin >= 0 && bin < bins; }),
      "every row must be in one of the ", bins, " bins");
}

double BinSumMechanism::present_step() const { return 1.0 / kHalfOutput; }

NoisyBinSums BinSumMechanism::Release(const Secret<Vector>& outputs,
                                      Randomness& random) const {
  const MechanismKey key;
  const auto rows = static_cast<Index>(bin_of_row_.size());
  RequireInput(outputs.Open(key).size() == rows, "the bins are of ", rows,
               " outputs, but there are ", outputs.Open(key).size());
  std::vector<Int128> noisy = noise_.ReleaseTally(
      2 * static_cast<size_t>(bins_),
      [&](Scratch<int64_t>& sums) {
        for (Index i = 0; i < rows; ++i) {
          const double output = outputs.Open(key)(i);
          const bool missing = std::isnan(output);
          const Index bin = bin_of_row_[static_cast<size_t>(i)];
          sums[bin] += missing ? 0 : QuantizeOutput(output, bounds_);
          sums[bins_ + bin] += missing ? 0 : kHalfOutput;
        }
      },
      random);
  const auto middle = noisy.begin() + bins_;
  return {{noisy.begin(), middle}, {middle, noisy.end()}};
}

}  // namespace cloak
