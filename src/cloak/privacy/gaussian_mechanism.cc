#include "cloak/privacy/gaussian_mechanism.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/gmp_integer128.h"
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

// Adds the squares. How W is chosen has no bearing on the guarantee, which is
// computed for whatever it is.
void AddSquaresTo(OutputChange& change, const PrivacyUnits& units) {
  Uint128 more = 0;
  if (units.IsEachRow()) {
    change.square_factor =
        std::max(Uint128{1}, RootDown(5 * change.columns / 2));
    const Uint128 squared =
        CheckedMultiply(change.square_factor, change.square_factor);
    RequirePrivacy(2 * squared <= 5 * change.columns,
                   "the squares weigh more than their sensitivity allows for");
    more = CheckedMultiply(squared, 2 * kQ + 1);
  } else {
    const auto outputs = static_cast<Uint128>(units.largest());
    change.square_factor =
        std::max(Uint128{1}, RootDown(change.squared / 10) / (kQ * outputs));
    const Uint128 moved = CheckedMultiply(change.square_factor, kQ * outputs);
    more = CheckedMultiply(moved, moved);
  }
  change.squared = CheckedAdd(change.squared, more);
  change.exact = false;
}

// `units` has at least one unit of each kind.
OutputChange MeasureChange(const IntegerMatrix& P, const UnitColumns& units,
                           bool with_squares) {
  const UnitSensitivity largest = MeasureUnits(P, units);
  RequirePrivacy(largest.squared > 0,
                 "the statistic to release is zero: no noise would be added; "
                 "nothing was released");
  OutputChange change;
  change.columns = largest.squared;
  change.squared =
      CheckedMultiply(largest.squared, Uint128{1} << (2 * kOutputBits));
  change.exact = largest.exact;
  if (with_squares) AddSquaresTo(change, units.units);
  return change;
}

double LargerSigma(const Budget& budget, double least_sigma) {
  RequirePrivacy(std::isfinite(least_sigma) && least_sigma >= 0,
                 "the least noise must be finite and not negative, but is ",
                 least_sigma);
  return std::max(GaussianSigma(budget), least_sigma);
}

// |P_i| < 2^31 and Q = 2^19, so that it is below 2^52.
int64_t PresenceWeight(Uint128 weight) {
  RequirePrivacy(
      weight < (Uint128{1} << 52),
      "the weight of an output that is not missing does not fit sums "
      "that must be exact");
  return static_cast<int64_t>(weight);
}

// c, for the outputs of each site.
std::vector<int64_t> PresenceWeights(const IntegerMatrix& P,
                                     const PrivacyUnits& units,
                                     const OutputChange& change) {
  const Uint128 Q2 = kQ * kQ;
  if (units.IsEachRow()) {
    const Uint128 squares =
        CheckedMultiply(change.square_factor, change.square_factor);
    RequirePrivacy(squares <= 3 * change.columns,
                   "the squares leave no room for missing outputs");
    const Uint128 c =
        RootDown(CheckedMultiply(Q2, 3 * change.columns - squares));
    return std::vector<int64_t>(static_cast<size_t>(P.cols()),
                                PresenceWeight(c));
  }
  std::vector<int64_t> weights;
  weights.reserve(static_cast<size_t>(P.cols()));
  const auto outputs = static_cast<Uint128>(units.largest());
  for (Index s = 0; s < P.cols(); ++s) {
    const auto square = static_cast<Uint128>(ColumnProduct(P, s, s));
    weights.push_back(
        PresenceWeight(RootDown(CheckedMultiply(3 * Q2, square) / outputs)));
  }
  return weights;
}

// The sum of c over all outputs, in one rounding where all are the same.
double SumOfWeights(const std::vector<int64_t>& weights, const RowSites& sites,
                    const PrivacyUnits& units) {
  if (units.IsEachRow()) {
    return static_cast<double>(weights.front()) *
           static_cast<double>(sites.rows());
  }
  double sum = 0;
  for (Index i = 0; i < sites.rows(); ++i) {
    sum += static_cast<double>(weights[static_cast<size_t>(sites.Of(i))]);
  }
  return sum;
}

const Matrix& WithColumnForEachSite(const Matrix& R, const RowSites& sites) {
  RequireInput(R.cols() == sites.count(), "the statistic has ", R.cols(),
               " columns, but there are ", sites.count(), " sites");
  return R;
}

// QuantizeWeights refuses more columns than this, but several outputs may share
// one.
const RowSites& WithFewEnoughRows(const RowSites& sites) {
  constexpr Index kMostOutputs = Index{1} << 40;
  RequireInput(sites.rows() >= 1 && sites.rows() <= kMostOutputs,
               "there may be from 1 to 2^40 outputs, but there are ",
               sites.rows());
  return sites;
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
    : GaussianMechanism(R, RowSites::EachRow(R.cols()), units, bounds, budget,
                        least_sigma, with_squares) {}

GaussianMechanism::GaussianMechanism(const Matrix& R, const RowSites& sites,
                                     const PrivacyUnits& units,
                                     const OutputBounds& bounds,
                                     const Budget& budget, double least_sigma,
                                     bool with_squares)
    : GaussianMechanism(WithColumnForEachSite(R, sites), sites,
                        UnitColumns::OfKinds(sites, units), bounds, budget,
                        least_sigma, with_squares) {}

GaussianMechanism::GaussianMechanism(const Matrix& R, const RowSites& sites,
                                     const UnitColumns& units,
                                     const OutputBounds& bounds,
                                     const Budget& budget, double least_sigma,
                                     bool with_squares)
    : bounds_(bounds),
      budget_(budget),
      sites_(WithFewEnoughRows(sites)),
      weights_(QuantizeWeights(R, units)),
      change_(MeasureChange(weights_.P, units, with_squares)),
      noise_(change_.squared, LargerSigma(budget, least_sigma),
             ValidStep(
                 std::ldexp(bounds.width(),
                            weights_.exponent - kWeightBits - kOutputBits),
                 "the statistic to release is", "rescale it or the outputs")),
      R_(weights_.Exact()),
      present_weights_(PresenceWeights(weights_.P, units.units, change_)),
      present_step_(
          1 /
          std::max(SumOfWeights(present_weights_, sites_, units.units), 1.0)) {}

double GaussianMechanism::squares_step() const {
  return 1 /
         (static_cast<double>(change_.square_factor) * static_cast<double>(kQ));
}

Int128 GaussianMechanism::SumOfSquares(const Vector& outputs) const {
  Scratch<int64_t> sum(1);  // below 2^59 for 2^40 outputs
  for (const double output : outputs) {
    const int64_t q = QuantizeOutput(output, bounds_);
    sum[0] += q * q / kHalfOutput;
  }
  return CheckedMultiply(Int128(change_.square_factor), Int128{sum[0]});
}

Int128 GaussianMechanism::WeightOfPresent(const Vector& outputs) const {
  Scratch<Int128> sum(1);  // below 2^92 for 2^40 outputs
  for (Index i = 0; i < outputs.size(); ++i) {
    sum[0] += std::isnan(outputs(i))
                  ? 0
                  : present_weights_[static_cast<size_t>(sites_.Of(i))];
  }
  return sum[0];
}

NoisyStatistic GaussianMechanism::Release(const Secret<Vector>& outputs,
                                          Randomness& random) const {
  const MechanismKey key;
  const IntegerMatrix& P = weights_.P;
  const Vector& y = outputs.Open(key);
  RequireInput(y.size() == sites_.rows(), "the statistic is of ", sites_.rows(),
               " outputs, but there are ", y.size());
  // The statistic, its squares if any, the outputs that are present. The noise
  // comes first: when it fails, no output has been read.
  const Index size = P.rows() + (with_squares() ? 2 : 1);
  DrawnNoise noise = noise_.Draw(size, random);
  Scratch<Int128> t(size);
  AddExactProduct(P, sites_, y, bounds_, t);
  if (with_squares()) t[P.rows()] = SumOfSquares(y);
  t[size - 1] = WeightOfPresent(y);

  NoisyStatistic noisy;
  noisy.integers = std::move(noise).AddTo(t);
  const auto scale = static_cast<double>(noise_.scale());
  noisy.present_integer = noisy.integers.back();
  noisy.present = static_cast<double>(noisy.present_integer) * present_step_;
  noisy.present_noise_sd = scale * present_step_;
  if (with_squares()) {
    noisy.squares_integer = noisy.integers[static_cast<size_t>(P.rows())];
    noisy.squares = static_cast<double>(noisy.squares_integer) * squares_step();
    noisy.squares_noise_sd = scale * squares_step();
  }
  noisy.integers.resize(static_cast<size_t>(P.rows()));
  noisy.value = noise_.Value(noisy.integers);
  noisy.noise_sd = noise_.sd();
  return noisy;
}

}  // namespace cloak
