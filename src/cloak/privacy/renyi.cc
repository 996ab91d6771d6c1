#include "cloak/privacy/renyi.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "cloak/base/error.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/mpfr_number.h"

namespace cloak {
namespace {

constexpr mpfr_prec_t kRenyiPrecision = 256;

double RandomisedResponseRenyi(double epsilon, double order) {
  if (epsilon == 0) return 0;
  // Subtracted, so everything in `gain` is rounded down.
  MpfrNumber gain(kRenyiPrecision), other(kRenyiPrecision),
      result(kRenyiPrecision);
  mpfr_set_d(other, order, MPFR_RNDN);
  mpfr_mul_2ui(other, other, 1, MPFR_RNDN);
  mpfr_sub_ui(other, other, 1, MPFR_RNDN);
  mpfr_mul_d(other, other, -epsilon, MPFR_RNDU);
  mpfr_exp(other, other, MPFR_RNDU);
  mpfr_log1p(other, other, MPFR_RNDU);
  mpfr_set_d(gain, -epsilon, MPFR_RNDN);
  mpfr_exp(gain, gain, MPFR_RNDD);
  mpfr_log1p(gain, gain, MPFR_RNDD);
  mpfr_sub(gain, gain, other, MPFR_RNDD);
  mpfr_set_d(other, order, MPFR_RNDN);
  mpfr_sub_ui(other, other, 1, MPFR_RNDN);
  mpfr_div(gain, gain, other, MPFR_RNDD);
  mpfr_d_sub(result, epsilon, gain, MPFR_RNDU);
  return std::min(epsilon, mpfr_get_d(result, MPFR_RNDU));
}

// log(1/x) for 0 < x < 1.
double MinusLogUp(double x) {
  MpfrNumber value(kRenyiPrecision);
  mpfr_set_d(value, x, MPFR_RNDN);
  mpfr_log(value, value, MPFR_RNDD);
  return -mpfr_get_d(value, MPFR_RNDD);
}

// log E K = log(eta (1/gamma - 1)/(1 - gamma^eta)), or its limit at eta = 0,
// log((1/gamma - 1)/log(1/gamma)) (Papernot and Steinke 2022, Definition 1).
double LogMean(const NegativeBinomialRepeats& repeats) {
  MpfrNumber mean(kRenyiPrecision), other(kRenyiPrecision);
  mpfr_set_d(other, repeats.gamma(), MPFR_RNDN);
  mpfr_log(other, other, MPFR_RNDN);
  mpfr_neg(other, other, MPFR_RNDN);  // log(1/gamma)
  if (repeats.eta() != 0) {
    mpfr_mul_d(other, other, -repeats.eta(), MPFR_RNDN);
    mpfr_expm1(other, other, MPFR_RNDN);
    mpfr_div_d(other, other, -repeats.eta(), MPFR_RNDN);
  }
  mpfr_set_d(mean, repeats.gamma(), MPFR_RNDN);
  mpfr_ui_div(mean, 1, mean, MPFR_RNDN);
  mpfr_sub_ui(mean, mean, 1, MPFR_RNDN);
  mpfr_div(mean, mean, other, MPFR_RNDN);
  mpfr_log(mean, mean, MPFR_RNDN);
  // No step loses more than 60 of 256 bits: gamma is at most 1 - 2^-53.
  mpfr_add_d(mean, mean, 0x1p-150, MPFR_RNDU);
  return std::max(0.0, mpfr_get_d(mean, MPFR_RNDU));
}

PrivacyEvent Widen(const CandidateEvent& candidate) {
  return std::visit([](const auto& event) -> PrivacyEvent { return event; },
                    candidate);
}

// Theorem 2: with any order b >= 1,
//   e'(a) = e(a) + (1 + eta) ((1 - 1/b) e(b) + log(1/gamma)/b)
//           + log E K/(a - 1).
double SelectionRenyi(const CandidateEvent& candidate,
                      const NegativeBinomialRepeats& repeats, double order) {
  const PrivacyEvent event = Widen(candidate);
  const double log_gamma = MinusLogUp(repeats.gamma());
  // The best b where e(b) = rho b, and near it where e(b) is less. b = 1 gives
  // log(1/gamma).
  const double b = std::sqrt(log_gamma / ZcdpUpper(event));
  double choice = log_gamma;
  if (b > 1) {
    choice = std::min(
        choice,
        Up(Above(1 - Below(1 / b)) * RenyiUpper(event, b) + log_gamma / b));
  }
  if (const auto* pure = std::get_if<PureEvent>(&candidate)) {
    choice = std::min(choice, pure->epsilon());  // b towards infinity
  } else if (const auto* range = std::get_if<BoundedRangeEvent>(&candidate)) {
    choice = std::min(choice, range->epsilon());
  }
  return Up(RenyiUpper(event, order) + Above(1 + repeats.eta()) * choice +
                LogMean(repeats) / Below(order - 1),
            10);
}

// Theorem 6: if the candidate is (e, d)-private with e^e <= 1 + 1/(a - 1),
//   e'(a) = e(a) + m d + log(m)/(a - 1),   m the mean.
// (That no candidate is tried is an outcome too, e^-m; with m >= 1, which
// PoissonRepeats requires, the bound has room for it.)
double SelectionRenyi(const CandidateEvent& candidate,
                      const PoissonRepeats& repeats, double order) {
  const PrivacyEvent event = Widen(candidate);
  MpfrNumber epsilon(kRenyiPrecision);
  mpfr_set_d(epsilon, order, MPFR_RNDN);
  mpfr_sub_ui(epsilon, epsilon, 1, MPFR_RNDU);
  mpfr_ui_div(epsilon, 1, epsilon, MPFR_RNDD);
  mpfr_log1p(epsilon, epsilon, MPFR_RNDD);
  const double delta = DeltaUpper(event, mpfr_get_d(epsilon, MPFR_RNDD));
  const double log_mean = MinusLogUp(Below(1 / repeats.mean()));
  return Up(RenyiUpper(event, order) + repeats.mean() * delta +
                log_mean / Below(order - 1),
            10);
}

struct Renyi {
  double order;
  double operator()(const GaussianEvent& event) const {
    return Up(order * SquareUp(event.mu()) / 2);
  }
  double operator()(const PureEvent& event) const {
    return std::min(RandomisedResponseRenyi(event.epsilon(), order),
                    Up(order * SquareUp(event.epsilon()) / 2));
  }
  double operator()(const BoundedRangeEvent& event) const {
    return std::min(RandomisedResponseRenyi(event.epsilon(), order),
                    Up(order * SquareUp(event.epsilon()) / 8));
  }
  double operator()(const ZcdpEvent& event) const {
    return Up(order * event.rho());
  }
  double operator()(const ApproximateEvent& event) const {
    return std::min(RandomisedResponseRenyi(event.epsilon(), order),
                    Up(order * SquareUp(event.epsilon()) / 2));
  }
  double operator()(const SelectionEvent& event) const {
    return std::visit(
        [&](const auto& repeats) {
          return SelectionRenyi(event.candidate(), repeats, order);
        },
        event.repeats());
  }
};

struct Zcdp {
  double operator()(const GaussianEvent& event) const {
    return Up(SquareUp(event.mu()) / 2);
  }
  double operator()(const PureEvent& event) const {
    return Up(SquareUp(event.epsilon()) / 2);
  }
  double operator()(const BoundedRangeEvent& event) const {
    return Up(SquareUp(event.epsilon()) / 8);
  }
  double operator()(const ZcdpEvent& event) const { return event.rho(); }
  double operator()(const ApproximateEvent& event) const {
    return Up(SquareUp(event.epsilon()) / 2);
  }
  double operator()(const SelectionEvent&) const { return kInfinity; }
};

// The profile of randomised response.
double RandomisedResponseDelta(double epsilon, double x) {
  if (x >= epsilon) return 0;
  return Up(OneMinusExpUp(Above(epsilon - x)) / Below(1 + ExpDown(-epsilon)));
}

struct Delta {
  double x;
  double operator()(const GaussianEvent& event) const {
    return GaussianDeltaOfMu(x, event.mu());
  }
  double operator()(const PureEvent& event) const {
    return RandomisedResponseDelta(event.epsilon(), x);
  }
  double operator()(const BoundedRangeEvent& event) const {
    if (x >= event.epsilon()) return 0;
    const double root = OneMinusExpUp(Above((event.epsilon() - x)) / 2);
    // The square may underflow.
    return Up(root * root / OneMinusExpDown(event.epsilon()) + 1e-300);
  }
  double operator()(const ApproximateEvent& event) const {
    const double pure = RandomisedResponseDelta(event.epsilon(), x);
    return Up(event.delta() + Above(1 - event.delta()) * pure);
  }
  double operator()(const ZcdpEvent& event) const { return Converted(event); }
  double operator()(const SelectionEvent& event) const {
    return Converted(event);
  }
  double Converted(const PrivacyEvent& event) const {
    const auto log_delta = [&](double order) {
      return RenyiLogDelta(RenyiUpper(event, order), order, x);
    };
    return ExpUp(log_delta(BestOrder(log_delta)));
  }
};

}  // namespace

double RenyiUpper(const PrivacyEvent& event, double order) {
  RequireInput(std::isfinite(order) && order > 1,
               "the order must be finite and above 1, but is ", order);
  return std::visit(Renyi{order}, event);
}

double ZcdpUpper(const PrivacyEvent& event) {
  return std::visit(Zcdp(), event);
}

double DeltaUpper(const PrivacyEvent& event, double epsilon) {
  return std::min(1.0, std::visit(Delta{epsilon}, event));
}

double RenyiLogDelta(double renyi, double order, double epsilon) {
  if (!std::isfinite(renyi)) return kInfinity;
  // (a - 1)(renyi - epsilon + log(1 - 1/a)) - log(a).
  MpfrNumber sum(kRenyiPrecision), term(kRenyiPrecision);
  mpfr_set_d(term, order, MPFR_RNDN);
  mpfr_si_div(term, -1, term, MPFR_RNDU);
  mpfr_log1p(term, term, MPFR_RNDU);
  mpfr_set_d(sum, renyi, MPFR_RNDN);
  mpfr_sub_d(sum, sum, epsilon, MPFR_RNDU);
  mpfr_add(sum, sum, term, MPFR_RNDU);
  mpfr_set_d(term, order, MPFR_RNDN);
  mpfr_sub_ui(term, term, 1, MPFR_RNDN);  // exact
  mpfr_mul(sum, sum, term, MPFR_RNDU);
  mpfr_set_d(term, order, MPFR_RNDN);
  mpfr_log(term, term, MPFR_RNDD);
  mpfr_sub(sum, sum, term, MPFR_RNDU);
  return mpfr_get_d(sum, MPFR_RNDU);
}

double RenyiEpsilon(double renyi, double order, double delta) {
  if (!(delta > 0) || !std::isfinite(renyi)) return kInfinity;
  // renyi + log(1 - 1/a) - (log(delta) + log(a))/(a - 1).
  MpfrNumber sum(kRenyiPrecision), term(kRenyiPrecision), logs(kRenyiPrecision);
  mpfr_set_d(term, order, MPFR_RNDN);
  mpfr_log(logs, term, MPFR_RNDD);
  mpfr_si_div(term, -1, term, MPFR_RNDU);
  mpfr_log1p(sum, term, MPFR_RNDU);
  mpfr_add_d(sum, sum, renyi, MPFR_RNDU);
  mpfr_set_d(term, delta, MPFR_RNDN);
  mpfr_log(term, term, MPFR_RNDD);
  mpfr_add(logs, logs, term, MPFR_RNDD);
  mpfr_set_d(term, order, MPFR_RNDN);
  mpfr_sub_ui(term, term, 1, MPFR_RNDN);
  mpfr_div(logs, logs, term, MPFR_RNDD);
  mpfr_sub(sum, sum, logs, MPFR_RNDU);
  return mpfr_get_d(sum, MPFR_RNDU);
}

double BestOrder(const std::function<double(double)>& objective) {
  // Golden section on log(order - 1).
  constexpr double kGolden = 0.6180339887498949;
  const auto order = [](double s) { return 1 + std::exp(s); };
  double low = -16;
  double high = 20;
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double at_left = objective(order(left));
  double at_right = objective(order(right));
  for (int step = 0; step < 34; ++step) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = objective(order(left));
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = objective(order(right));
    }
  }
  return at_left <= at_right ? order(left) : order(right);
}

}  // namespace cloak
