#include "cloak/privacy/selection_mechanism.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/exact_bernoulli.h"
#include "cloak/privacy/mechanism_key.h"
#include "cloak/privacy/scratch.h"

namespace cloak {
namespace {

constexpr int kEpsilonBits = 31;
constexpr double kMinEpsilon = 0x1p-60;

}  // namespace

SelectionMechanism::SelectionMechanism(double sensitivity, double epsilon)
    : grid_(sensitivity) {
  RequireInput(epsilon >= kMinEpsilon && epsilon <= Budget::kMaxEpsilon,
               "epsilon must be from 2^-60 to ", Budget::kMaxEpsilon,
               ", but is ", epsilon);
  // epsilon = numerator/2^shift, rounded down. 2^-60 <= epsilon < 2^20, so
  // shift is from 11 to 90.
  int exponent = 0;
  std::frexp(epsilon, &exponent);
  const int shift = kEpsilonBits - exponent;
  const double numerator = std::floor(std::ldexp(epsilon, shift));
  epsilon_ = std::ldexp(numerator, -shift);
  rate_numerator_ = static_cast<Uint128>(numerator);
  rate_denominator_ = CheckedMultiply(Uint128{1} << (shift + 1),
                                      Uint128{grid_.sensitivity_steps()});
}

Vector SelectionMechanism::Probabilities(const Vector& utilities) const {
  RequireInput(utilities.size() > 0, "there must be at least one candidate");
  const Vector integers = utilities.unaryExpr([this](double utility) {
    return static_cast<double>(grid_.RoundDown(utility));
  });
  const double rate = static_cast<double>(rate_numerator_) /
                      static_cast<double>(rate_denominator_);
  const Vector odds =
      ((integers.array() - integers.maxCoeff()) * rate).exp().matrix();
  return odds / odds.sum();
}

bool SelectionMechanism::Passes(uint64_t gap, Randomness& random) const {
  return BernoulliExpMinus(CheckedMultiply(Uint128{gap}, rate_numerator_),
                           rate_denominator_, random);
}

Index SelectionMechanism::Select(const Secret<Vector>& utilities,
                                 Randomness& random) const {
  const MechanismKey key;
  const Index size = utilities.Open(key).size();
  RequireInput(size >= 1, "there must be at least one candidate to choose");
  // When random numbers fail, they do so here, before a utility is read.
  random.Bits64();

  const Vector& utility = utilities.Open(key);
  Scratch<int64_t> integers(size);
  int64_t largest = -UtilityGrid::kLimit;
  for (Index i = 0; i < size; ++i) {
    integers[i] = grid_.RoundDown(utility(i));
    largest = std::max(largest, integers[i]);
  }
  // The best candidate always passes, so that this ends.
  for (;;) {
    const auto i =
        static_cast<Index>(random.Below(static_cast<uint64_t>(size)));
    if (Passes(static_cast<uint64_t>(largest - integers[i]), random)) return i;
  }
}

}  // namespace cloak
