#include "cloak/audit/file_audit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <variant>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/accountant.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/integer128.h"

namespace cloak {
namespace {

// Numbers in a file are rounded.
constexpr double kFileRounding = 1e-9;
constexpr double kSuspiciousBits = 40;
constexpr double kCoarsestUnit = 0x1p-20;

int ZeroBits(Uint128 bits) {
  const auto low = static_cast<uint64_t>(bits);
  const auto high = static_cast<uint64_t>(bits >> 64);
  return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
}

int CommonZeroBits(const std::vector<std::string>& numbers) {
  Uint128 all = 0;
  for (const std::string& number : numbers) {
    all |= static_cast<Uint128>(ParseInt128(number, "a released number"));
  }
  return ZeroBits(all);
}

bool DifferByPowerOfTwo(double a, double b) {
  int exponent = 0;
  return std::frexp(a, &exponent) == std::frexp(b, &exponent);
}

bool Agree(double a, double b) {
  return std::abs(a - b) <= kFileRounding * std::max(a, b);
}

// The b of discrete Laplace noise, P(x) in proportion to e^(−|x|/b) for whole
// multiples x of a unit, whose standard deviation is unit/(√2 sinh(unit/2b)).
double LaplaceScale(double noise_sd, double unit) {
  return unit / (2 * std::asinh(unit / (std::numbers::sqrt2 * noise_sd)));
}

void Accuse(FileAudit& audit, bool refuted, const std::string& why) {
  if (refuted) audit.accusations.push_back(why);
}

// Checks the grid of a Gaussian release.
void CheckGrid(const ReleasedStatistic& statistic, double noise_sd,
               const std::string& name, FileAudit& audit) {
  Accuse(audit, statistic.step > kCoarsestUnit * noise_sd,
         Text("the unit of ", name, " is too coarse beside the noise"));
  const int bits = CommonZeroBits(statistic.integers);
  Accuse(
      audit,
      bits * static_cast<double>(statistic.integers.size()) >= kSuspiciousBits,
      Text(name, " all end in ", bits,
           " zero bits: the noise lies on a grid, as if made of floating "
           "point"));
}

// Checks the step where single outputs are private. Where whole rows are, their
// outputs are seen through other bounds.
void CheckUnit(const ReleaseContent& content, FileAudit& audit) {
  const PrivacyStatement& privacy = content.privacy;
  Accuse(audit,
         privacy.protect == Protection::kOutputs &&
             !DifferByPowerOfTwo(
                 content.statistic.step,
                 OutputBounds(privacy.lower, privacy.upper).width()),
         "the unit of the released numbers is not the width of the bounds "
         "times a power of two: they are no exact release");
}

void CheckClaim(FileAudit& audit) {
  Accuse(audit,
         audit.stated_epsilon > audit.claimed_epsilon * (1 + kFileRounding),
         Text("the noise stated keeps epsilon = ",
              RoundedText(audit.stated_epsilon), " at delta = ", audit.delta,
              ", not the ", audit.claimed_epsilon, " claimed"));
}

// Older files state sensitivity and noise of the last statistic alone.
void AuditLastStatistic(const ReleaseContent& content, FileAudit& audit) {
  const PrivacyStatement& privacy = content.privacy;
  const ReleasedStatistic& statistic = content.statistic;
  if (privacy.delta == 0) {
    audit.stated_epsilon =
        privacy.sensitivity / LaplaceScale(privacy.noise_sd, statistic.step);
    CheckClaim(audit);
    return;
  }
  audit.stated_epsilon =
      GaussianEpsilonOfMu(privacy.sensitivity / privacy.noise_sd,
                          Budget(privacy.epsilon, privacy.delta).delta());
  CheckClaim(audit);
  CheckUnit(content, audit);
  CheckGrid(statistic, privacy.noise_sd, "the released numbers", audit);
}

// One statistic by itself.
void CheckCost(const ReleasedStatistic& statistic, FileAudit& audit) {
  const StatisticCost& cost = *statistic.cost;
  const std::string name = Text("'", cost.of, "'");
  Accuse(audit, !Agree(cost.price, cost.sensitivity / cost.noise_scale),
         Text("the sensitivity and noise of ", name, " cost ",
              RoundedText(cost.sensitivity / cost.noise_scale), ", not the ",
              RoundedText(cost.price), " stated"));
  if (cost.noise == NoiseKind::kGaussian) {
    CheckGrid(statistic, cost.noise_scale, Text("the numbers of ", name),
              audit);
  }
}

// The statement says of the last statistic what that says of itself.
void CheckStatement(const ReleaseContent& content, FileAudit& audit) {
  const PrivacyStatement& privacy = content.privacy;
  const StatisticCost& last = *content.statistic.cost;
  const bool gaussian = last.noise == NoiseKind::kGaussian;
  const double scale =
      gaussian ? privacy.noise_sd
               : LaplaceScale(privacy.noise_sd, content.statistic.step);
  Accuse(audit,
         !Agree(privacy.sensitivity, last.sensitivity) ||
             !Agree(scale, last.noise_scale),
         "the privacy statement gives another sensitivity or noise than its "
         "last statistic");
  if (gaussian) CheckUnit(content, audit);
}

// Fills in the costs of statistics that were published together as one.
void AddCosts(const std::vector<ReleasedStatistic>& statistics,
              FileAudit& audit) {
  bool together = false;
  for (const ReleasedStatistic& statistic : statistics) {
    const StatisticCost& cost = *statistic.cost;
    CheckCost(statistic, audit);
    if (!together) {
      audit.costs.push_back({{}, 0, cost.noise, cost.price});
    }
    StatedCost& stated = audit.costs.back();
    Accuse(audit,
           stated.noise != cost.noise || !Agree(stated.price, cost.price),
           Text("'", cost.of,
                "' states another price than what it was released with"));
    stated.of.push_back(cost.of);
    stated.numbers += statistic.integers.size();
    stated.price = std::max(stated.price, cost.price);
    together = cost.with_next;
  }
}

PrivacyEvent EventOf(const StatedCost& cost) {
  switch (cost.noise) {
    case NoiseKind::kGaussian:
      return GaussianEvent(cost.price);
    case NoiseKind::kLaplace:
      return PureEvent(cost.price);
  }
  throw InvalidInput("a statistic has no kind of noise");
}

// The sum is the same whatever neighbours the promise is about.
using FileAccountant = Accountant<Neighbours::kRow>;

void AuditCosts(const ReleaseContent& content, FileAudit& audit) {
  std::vector<ReleasedStatistic> all = content.earlier_statistics;
  all.push_back(content.statistic);
  AddCosts(all, audit);
  CheckStatement(content, audit);
  FileAccountant spent;
  double squares = 0;
  bool gaussian = true;
  for (const StatedCost& cost : audit.costs) {
    spent.Add(EventOf(cost));
    squares += cost.price * cost.price;
    gaussian = gaussian && cost.noise == NoiseKind::kGaussian;
  }
  if (gaussian) audit.total_mu = std::sqrt(squares);
  audit.event = content.privacy.event;
  if (!audit.event.empty()) {
    const PrivacyEvent event = ParseEvent(audit.event);
    spent = {};
    spent.Add(event);
    const auto* selection = std::get_if<SelectionEvent>(&event);
    const auto* candidate =
        selection == nullptr
            ? nullptr
            : std::get_if<GaussianEvent>(&selection->candidate());
    Accuse(audit,
           candidate != nullptr &&
               !(gaussian &&
                 audit.total_mu <= candidate->mu() * (1 + kFileRounding)),
           "the statistics cost more than a candidate of the selection may");
  }
  audit.stated_epsilon = spent.Epsilon(content.privacy.delta);
  CheckClaim(audit);
}

}  // namespace

FileAudit AuditFile(const Release& release) {
  const ReleaseContent& content = release.content();
  const PrivacyStatement& privacy = content.privacy;
  const double noise = privacy.noise_sd / privacy.sensitivity;
  RequireInput(std::isfinite(noise) && noise > 0,
               "the noise must be a positive multiple of the "
               "sensitivity, but is ",
               noise, " times it");
  RequireInput(!content.statistic.integers.empty(),
               "the release has no numbers");
  FileAudit audit;
  audit.claimed_epsilon = privacy.epsilon;
  audit.delta = privacy.delta;
  audit.common_zero_bits = CommonZeroBits(content.statistic.integers);
  if (content.statistic.cost) {
    AuditCosts(content, audit);
  } else {
    AuditLastStatistic(content, audit);
  }
  return audit;
}

}  // namespace cloak
