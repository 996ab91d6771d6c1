#include "cloak/ledger/price.h"

#include <cmath>
#include <map>
#include <optional>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/accountant.h"
#include "cloak/privacy/privacy_filter.h"

namespace cloak {
namespace {

constexpr int kDigits = 4;
constexpr double kLeftover = 1e-6;

// `value` with few digits, rounded down (direction -1) or up (+1).
double Shortened(double value, int direction) {
  if (!std::isfinite(value) || value == 0) return value;
  const auto nearest = [](double x) {
    return ParseNumber(RoundedText(x, kDigits), "a rounded number");
  };
  const double step = direction * std::pow(10.0, 1 - kDigits) / 4;
  double shortened = nearest(value);
  for (int k = 1; direction * (shortened - value) < 0; ++k) {
    shortened = nearest(value * (1 + k * step));
  }
  return shortened;
}

// The filter after everything that was charged; nothing when that alone is
// more than it admits (which takes another version of the rules: a ledger
// never lets it come to that).
template <Neighbours kNeighbours>
std::optional<PrivacyFilter<kNeighbours>> FilterOf(
    const DatasetAccount& account) {
  PrivacyFilter<kNeighbours> filter(account.total, account.reserved_delta);
  // Most releases of a data set are alike, and many at once cost as little to
  // add as one.
  std::map<std::string, std::pair<PrivacyEvent, int64_t>> events;
  for (const DatasetCharge& charge : account.charges) {
    events.try_emplace(ToString(charge.event), charge.event, 0)
        .first->second.second += 1;
  }
  for (const auto& [text, event] : events) {
    if (!filter.Admits(event.first, event.second)) return std::nullopt;
    filter.Charge(event.first, event.second);
  }
  return filter;
}

// Calls f with the data set's filter, of the type that its neighbours need.
template <typename F>
auto WithFilter(const DatasetAccount& account, F f) {
  switch (account.neighbours) {
    case Neighbours::kOutput:
      return f(FilterOf<Neighbours::kOutput>(account));
    case Neighbours::kUnit:
      return f(FilterOf<Neighbours::kUnit>(account));
    case Neighbours::kRow:
      return f(FilterOf<Neighbours::kRow>(account));
  }
  throw PrivacyFailure("the data set has unknown neighbours");
}

// The curve of one event does not depend on which data sets are neighbours.
double EpsilonAt(const PrivacyEvent& event, double delta) {
  Accountant<Neighbours::kOutput> accountant;
  accountant.Add(event);
  return accountant.Epsilon(delta);
}

template <typename Filter>
Spending SpendingOf(const DatasetAccount& account,
                    const std::optional<Filter>& filter) {
  if (!filter.has_value()) return {INFINITY, 0};
  Spending spending;
  const double mu = filter->MuLeft();
  const bool fresh = mu == filter->mu_limit();
  if (!fresh) spending.spent = filter->EpsilonSpent();
  if (fresh && account.reserved_delta == 0) {
    // One release may spend the whole total exactly.
    spending.left = account.total.epsilon();
  } else if (mu > 0) {
    const double left =
        Shortened(EpsilonAt(GaussianEvent(mu), account.total.delta()), -1);
    // What rounding left over is no use to anybody.
    if (left > kLeftover * account.total.epsilon()) spending.left = left;
  }
  return spending;
}

}  // namespace

Spending SpendingOf(const DatasetAccount& account) {
  return WithFilter(
      account, [&](const auto& filter) { return SpendingOf(account, filter); });
}

Price PriceOf(const DatasetAccount& account, Neighbours neighbours,
              const PrivacyEvent& event) {
  RequirePrivacy(neighbours == account.neighbours, "the data set '",
                 account.name, "' has a budget for ",
                 InWords(account.neighbours), ", but this release protects ",
                 InWords(neighbours), ", which does not add up with it");
  return WithFilter(account, [&](auto filter) -> Price {
    const bool fits = filter.has_value() && filter->Admits(event);
    if (fits) filter->Charge(event);
    return {fits, SpendingOf(account, filter)};
  });
}

double EpsilonOf(const DatasetAccount& account, const PrivacyEvent& event) {
  return EpsilonAt(event, account.total.delta());
}

std::string TotalText(const DatasetAccount& account) {
  return Text("epsilon ", account.total.epsilon(), " at delta ",
              account.total.delta());
}

std::string ReleasesText(const DatasetAccount& account) {
  const size_t count = account.charges.size();
  return count == 1 ? "1 release" : Text(count, " releases");
}

std::string EpsilonText(double epsilon) {
  if (!std::isfinite(epsilon)) return "more than any epsilon";
  // What was rounded up in the last bits is not shown as a digit more.
  return Text("epsilon ", Shortened(epsilon * (1 - 1e-9), 1));
}

std::string LeftText(double left) {
  if (left == 0) return "nothing: no further release is possible";
  return Text("epsilon ", left, " for one more release");
}

std::string RefusalText(const DatasetAccount& account,
                        const PrivacyEvent& event) {
  const Spending spending = SpendingOf(account);
  std::string text = Text(
      "the budget of the data set '", account.name,
      "' does not allow this release\n  total  ", TotalText(account),
      "\n  spent  ", EpsilonText(spending.spent), " in ", ReleasesText(account),
      "\n  asked  ", EpsilonText(EpsilonOf(account, event)), "\n  left   ",
      LeftText(spending.left));
  if (!std::holds_alternative<GaussianEvent>(event)) {
    const bool converted = std::holds_alternative<SelectionEvent>(event) ||
                           std::holds_alternative<ZcdpEvent>(event);
    return Text(
        text,
        "\nA ledger adds up Gaussian releases exactly; this one is of another "
        "kind, and counts for more than its epsilon",
        converted ? ", within the delta that the ledger has in reserve" : "",
        ".\nAsk for less, or enter the data with a larger total.");
  }
  if (spending.left == 0) return text;
  return Text(text, "\nA release of epsilon ", spending.left, " and delta ",
              account.total.delta(), " still fits");
}

}  // namespace cloak
