#include "cloak/privacy/privacy_filter.h"

#include <algorithm>
#include <string>
#include <variant>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/mpfr_number.h"
#include "cloak/privacy/renyi.h"

namespace cloak {
namespace {

// Whether N(0, 1) against N(mu, 1) dominates epsilon-randomised response:
//   erfc(mu/(2 sqrt(2)))/2 <= 1/(1 + e^epsilon).
bool Dominates(double mu, double epsilon) {
  constexpr mpfr_prec_t kPrecision = 128;
  MpfrNumber tail(kPrecision), other(kPrecision);
  mpfr_sqrt_ui(other, 8, MPFR_RNDU);
  mpfr_set_d(tail, mu, MPFR_RNDN);
  mpfr_div(tail, tail, other, MPFR_RNDD);
  mpfr_erfc(tail, tail, MPFR_RNDU);
  mpfr_div_2ui(tail, tail, 1, MPFR_RNDU);
  mpfr_set_d(other, epsilon, MPFR_RNDN);
  mpfr_exp(other, other, MPFR_RNDU);
  mpfr_add_ui(other, other, 1, MPFR_RNDU);
  mpfr_ui_div(other, 1, other, MPFR_RNDD);
  return mpfr_lessequal_p(static_cast<mpfr_ptr>(tail),
                          static_cast<mpfr_ptr>(other)) != 0;
}

double MuOfPure(double epsilon) {
  if (epsilon == 0) return 0;
  if (!Dominates(kMaxMu, epsilon)) return kInfinity;
  return SmallestDouble(0, kMaxMu,
                        [&](double mu) { return Dominates(mu, epsilon); });
}

struct Pricing {
  double conversion_delta;
  FilterPrice operator()(const GaussianEvent& event) const {
    return {event.mu(), 0};
  }
  FilterPrice operator()(const PureEvent& event) const {
    return {MuOfPure(event.epsilon()), 0};
  }
  FilterPrice operator()(const BoundedRangeEvent& event) const {
    return {MuOfPure(event.epsilon() / 2), 0};
  }
  FilterPrice operator()(const ApproximateEvent& event) const {
    return {MuOfPure(event.epsilon()), event.delta()};
  }
  FilterPrice operator()(const ZcdpEvent& event) const {
    return Converted(event);
  }
  FilterPrice operator()(const SelectionEvent& event) const {
    return Converted(event);
  }
  FilterPrice Converted(const PrivacyEvent& event) const {
    if (!(conversion_delta > 0)) return {kInfinity, 0};
    const auto epsilon = [&](double order) {
      return RenyiEpsilon(RenyiUpper(event, order), order, conversion_delta);
    };
    const double best = std::max(0.0, epsilon(BestOrder(epsilon)));
    return {MuOfPure(best), conversion_delta};
  }
};

}  // namespace

FilterPrice PriceOf(const PrivacyEvent& event, double conversion_delta) {
  return std::visit(Pricing{conversion_delta}, event);
}

FilterState::FilterState(const Budget& budget, double reserved_delta)
    : budget_(budget), reserved_delta_(reserved_delta) {
  RequireInput(reserved_delta >= 0 && reserved_delta < budget.delta(),
               "the reserved delta must be at least 0 and below the "
               "budget's delta, ",
               budget.delta(), ", but is ", reserved_delta);
  const double rest = reserved_delta == 0
                          ? budget.delta()
                          : Below(budget.delta() - reserved_delta);
  mu_limit_ = GaussianMu(Budget(budget.epsilon(), rest));
}

FilterState FilterState::With(const PrivacyEvent& event, int64_t times) const {
  RequireInput(times >= 1,
               "an event must be charged at least once, but was charged ",
               times, " times");
  const FilterPrice price = PriceOf(event, reserved_delta_ * kConversionShare);
  FilterState state = *this;
  state.mu_.Add(price.mu, times);
  state.delta_ =
      SumUp(delta_, TimesUp(static_cast<double>(times), price.delta));
  return state;
}

bool FilterState::IsWithin() const {
  return mu_.IsAtMost(mu_limit_) && delta_ <= reserved_delta_;
}

bool FilterState::Admits(const PrivacyEvent& event, int64_t times) const {
  return With(event, times).IsWithin();
}

void FilterState::Charge(const PrivacyEvent& event, int64_t times) {
  FilterState state = With(event, times);
  RequireInput(state.IsWithin(), "the budget of epsilon ", budget_.epsilon(),
               " at delta ", budget_.delta(), " does not allow ",
               ToString(event),
               times == 1 ? std::string() : Text(", ", times, " times"),
               "; left are Gaussian releases of mu ", RoundedText(MuLeft()),
               " and a reserved delta of ", RoundedText(DeltaLeft()));
  *this = std::move(state);
}

double FilterState::MuLeft() const { return mu_.Left(mu_limit_); }

double FilterState::DeltaLeft() const {
  return delta_ == 0 ? reserved_delta_
                     : std::max(0.0, Below(reserved_delta_ - delta_));
}

double FilterState::EpsilonSpent() const {
  const double rest = reserved_delta_ == 0
                          ? budget_.delta()
                          : Below(budget_.delta() - reserved_delta_);
  return GaussianEpsilonOfMu(mu_.Mu(), rest);
}

}  // namespace cloak
