#include "cloak/privacy/selection_mechanism.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

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

SelectionMechanism::SelectionMechanism(SelectionRule rule, double sensitivity,
                                       double epsilon)
    : rule_(rule), grid_(sensitivity) {
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
                                      Uint128{grid_.sensitivity_units()});
}

Vector SelectionMechanism::Probabilities(const Vector& utilities) const {
  RequireInput(rule_ == SelectionRule::kExponential && utilities.size() > 0,
               "probabilities are those of the exponential mechanism, of at "
               "least one candidate");
  const Vector units = utilities.unaryExpr([this](double utility) {
    return static_cast<double>(grid_.PrivacyUnits(utility));
  });
  const double rate = static_cast<double>(rate_numerator_) /
                      static_cast<double>(rate_denominator_);
  const Vector odds =
      ((units.array() - units.maxCoeff()) * rate).exp().matrix();
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
  Scratch<int64_t> units(size);
  int64_t largest = -UtilityGrid::kLimit;
  for (Index i = 0; i < size; ++i) {
    units[i] = grid_.PrivacyUnits(utility(i));
    largest = std::max(largest, units[i]);
  }
  // The best candidate always passes, so both loops end.
  const auto passes = [&](Index i) {
    return Passes(static_cast<uint64_t>(largest - units[i]), random);
  };
  const auto draw_below = [&](Index count) {
    return static_cast<Index>(random.Below(static_cast<uint64_t>(count)));
  };
  if (rule_ == SelectionRule::kExponential) {
    for (;;) {
      const Index i = draw_below(size);
      if (passes(i)) return i;
    }
  }
  std::vector<Index> order(static_cast<size_t>(size));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index left = size;; --left) {
    Index& last = order[static_cast<size_t>(left - 1)];
    std::swap(order[static_cast<size_t>(draw_below(left))], last);
    if (passes(last)) return last;
  }
}

}  // namespace cloak
