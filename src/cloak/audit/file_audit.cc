#include "cloak/audit/file_audit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/privacy/analytic_gaussian.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/integer128.h"

namespace cloak {
namespace {

constexpr double kFileRounding = 1e-12;
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

}  // namespace

namespace {

// Discrete Laplace noise, P(x) in proportion to e^(−a |x|/unit), has the
// standard deviation unit/(√2 sinh(a/2)) and keeps epsilon = a Δ₁/unit.
FileAudit AuditLaplaceFile(const PrivacyStatement& privacy,
                           const ReleasedStatistic& statistic) {
  FileAudit audit;
  audit.claimed_epsilon = privacy.epsilon;
  const double a =
      2 * std::asinh(statistic.unit / (std::numbers::sqrt2 * privacy.noise_sd));
  audit.stated_epsilon = a * privacy.sensitivity / statistic.unit;
  audit.common_zero_bits = CommonZeroBits(statistic.units);
  if (audit.stated_epsilon > privacy.epsilon * (1 + 1e-9)) {
    audit.accusations.push_back(Text(
        "the noise stated keeps epsilon = ", RoundedText(audit.stated_epsilon),
        ", not the ", privacy.epsilon, " claimed"));
  }
  return audit;
}

}  // namespace

FileAudit AuditFile(const Release& release) {
  const PrivacyStatement& privacy = release.content().privacy;
  const ReleasedStatistic& statistic = release.content().statistic;
  const double noise = privacy.noise_sd / privacy.sensitivity;
  RequireInput(std::isfinite(noise) && noise > 0,
               Text("the noise must be a positive multiple of the "
                    "sensitivity, but is ",
                    noise, " times it"));
  RequireInput(!statistic.units.empty(), "the release has no numbers");
  if (privacy.delta == 0) return AuditLaplaceFile(privacy, statistic);
  const Budget budget(privacy.epsilon, privacy.delta);

  FileAudit audit;
  audit.claimed_epsilon = budget.epsilon();
  audit.delta = budget.delta();
  audit.stated_epsilon = GaussianEpsilonOfMu(1 / noise, budget.delta());
  audit.common_zero_bits = CommonZeroBits(statistic.units);
  const auto accuse = [&](bool refuted, const std::string& why) {
    if (refuted) audit.accusations.push_back(why);
  };
  accuse(GaussianDeltaUpper(budget.epsilon(), noise * (1 + kFileRounding)) >
             budget.delta(),
         Text("the noise stated keeps epsilon = ",
              RoundedText(audit.stated_epsilon), " at delta = ", budget.delta(),
              ", not the ", budget.epsilon(), " claimed"));
  // Of whole rows, outputs are seen through bounds of their own.
  accuse(privacy.protect == "outputs" &&
             !DifferByPowerOfTwo(
                 statistic.unit,
                 OutputBounds(privacy.lower, privacy.upper).width()),
         "the unit of the released numbers is not the width of the bounds "
         "times a power of two: they are no exact release");
  accuse(statistic.unit > kCoarsestUnit * privacy.noise_sd,
         "the unit of the released numbers is too coarse beside the noise");
  accuse(audit.common_zero_bits * static_cast<double>(statistic.units.size()) >=
             kSuspiciousBits,
         Text("all released numbers end in ", audit.common_zero_bits,
              " zero bits: the noise lies on a grid, as if made of floating "
              "point"));
  return audit;
}

}  // namespace cloak
