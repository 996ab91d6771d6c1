#include "cloak/selection/private_selection.h"

#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/accountant.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/directed.h"
#include "cloak/privacy/draw_repeats.h"

namespace cloak {
namespace {

constexpr double kLeastMu = 1e-6;
constexpr double kMostMu = 100;
// Far above rounding.
constexpr double kLess = 1 - 1e-9;

void RequireEnough(bool enough, const Budget& total) {
  RequireInput(enough, "epsilon = ", total.epsilon(),
               " and delta = ", total.delta(),
               " are too little to select anything with; choose "
               "a larger budget or fewer candidates");
}

// Returns what is left of delta for the theorems, which know no number of tries
// that cannot be drawn (draw_repeats.h): delta less e^epsilon kNotDrawn at
// least.
double DeltaOfTheorems(const Budget& total) {
  constexpr double kShare = 0x1p-20;
  RequireInput(
      total.epsilon() <= std::log(total.delta()) + std::log(kShare / kNotDrawn),
      "private selection needs a delta of at least e^epsilon "
      "times 2^-70, but epsilon is ",
      total.epsilon(), " and delta ", total.delta(),
      "; choose a smaller epsilon or a larger delta");
  return total.delta() * (1 - 2 * kShare);  // 2: far above rounding
}

// t with t (1 − log t) = delta, which increases up to t = 1, or a little less.
double PublishedT(double delta) {
  const auto is_too_much = [&](double t) {
    return t * (1 - std::log(t)) > delta;
  };
  return SmallestDouble(1e-300, 1, is_too_much) * kLess;
}

// Algorithm 2, with the proof above in place of (23).
SelectionCost Published(const Budget& total, const Repeats& repeats) {
  const auto* geometric = std::get_if<NegativeBinomialRepeats>(&repeats);
  RequireInput(geometric != nullptr && geometric->eta() == 1,
               "the published accounting is for a geometric number of "
               "candidates, negative_binomial(eta=1, gamma=…)");
  const double gamma = geometric->gamma();
  const double t = PublishedT(total.delta());
  const double delta = gamma * gamma * t * t / 2;
  const double epsilon = (total.epsilon() / 3 - gamma * t) * kLess;
  RequireEnough(epsilon > 0 && delta > 0, total);
  RequirePrivacy(Up(3 * epsilon) <= total.epsilon() &&
                     Up(delta / gamma) <= DeltaOfTheorems(total),
                 "a selection's candidates would cost more than its budget; "
                 "nothing was released");
  const Budget candidate(epsilon, delta);
  return {candidate, GaussianMu(candidate),
          ApproximateEvent(total.epsilon(), total.delta())};
}

SelectionCost Renyi(const Budget& total, const Repeats& repeats) {
  const double delta = DeltaOfTheorems(total);
  const auto fits = [&](double mu) {
    Accountant<Neighbours::kRow> accountant;
    accountant.Add(SelectionEvent(GaussianEvent(mu), repeats));
    return accountant.Delta(total.epsilon()) <= delta;
  };
  RequireEnough(fits(kLeastMu), total);
  double mu = kLeastMu;
  double too_much = kMostMu;
  while (too_much > mu * (1 + 1e-6)) {
    const double middle = std::sqrt(mu * too_much);
    (fits(middle) ? mu : too_much) = middle;
  }
  const double epsilon = GaussianEpsilonOfMu(mu * kLess, total.delta());
  RequireEnough(epsilon > 0 && epsilon <= Budget::kMaxEpsilon, total);
  const Budget candidate(epsilon, total.delta());
  RequirePrivacy(GaussianMu(candidate) <= mu,
                 "a selection's candidates would cost more than its budget; "
                 "nothing was released");
  return {candidate, mu, SelectionEvent(GaussianEvent(mu), repeats)};
}

}  // namespace

SelectionCost CostOfSelection(const Budget& total, const Repeats& repeats,
                              SelectionAccounting accounting) {
  RequireDrawable(repeats);
  return accounting == SelectionAccounting::kPublished
             ? Published(total, repeats)
             : Renyi(total, repeats);
}

std::optional<ScoredRelease> SelectPrivately(size_t candidates,
                                             const Repeats& repeats,
                                             const CandidateDraw& draw,
                                             Randomness& random) {
  RequireInput(candidates >= 1, "there must be at least one candidate");
  const int64_t count = DrawRepeats(repeats, random);
  std::optional<ScoredRelease> best;
  for (int64_t i = 0; i < count; ++i) {
    ScoredRelease drawn = draw(random.Below(candidates), random);
    if (std::isnan(drawn.score)) {
      drawn.score = -std::numeric_limits<double>::infinity();
    }
    if (!best || drawn.score > best->score) {
      best = std::move(drawn);
    }
  }
  return best;
}

}  // namespace cloak
