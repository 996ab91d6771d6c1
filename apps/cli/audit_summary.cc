#include "apps/cli/audit_summary.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/cli/wrapped_text.h"
#include "apps/plot/ticks.h"
#include "cloak/base/text.h"
#include "cloak/privacy/integer128.h"
#include "cloak/release/release_json.h"

namespace cloak {
namespace {

std::string SummaryLine(const std::string& name, const std::string& text) {
  constexpr size_t kIndent = 15;
  const std::string wrapped = WrappedText(text, kTerminalColumns - kIndent);
  std::string line = Text("  ", name);
  line.resize(kIndent, ' ');
  for (const char c : wrapped) {
    line += c;
    if (c == '\n') line.append(kIndent, ' ');
  }
  return line + "\n";
}

std::string Verdict(const std::vector<std::string>& accusations,
                    const std::string& innocent) {
  if (accusations.empty()) return SummaryLine("verdict", innocent);
  std::string text;
  for (const std::string& accusation : accusations) {
    text += SummaryLine("ACCUSED", accusation);
  }
  return text;
}

double Length(Uint128 squared, double unit) {
  return std::sqrt(static_cast<double>(squared)) * unit;
}

}  // namespace

std::string AuditText(const AuditReport& report, double unit, int rounds) {
  return Text(
      "Attacked ", report.releases,
      " releases of each of two neighbouring tables with made-up\noutputs; the "
      "private ones were not read, and nothing is spent.\n\n",
      SummaryLine(
          "claimed",
          Text("epsilon = ", report.claimed_epsilon,
               " at delta = ", report.delta,
               rounds == 1 ? ""
                           : Text(", by the first of ", rounds,
                                  " rounds, which alone is known before "
                                  "anything is released"))),
      SummaryLine(
          "measured",
          Text("epsilon >= ", RoundedText(report.gaussian_epsilon_lower),
               " from the noise, if it is Gaussian; >= ",
               RoundedText(report.epsilon_lower),
               " from the attack, whatever the noise is (confidence ",
               RoundedText(100 * report.confidence), " %)")),
      SummaryLine(
          "sensitivity",
          Text("declared ",
               FigureText(Length(report.declared_sensitivity_squared, unit)),
               ", measured ",
               FigureText(Length(report.measured_sensitivity_squared, unit)),
               report.measured_sensitivity_squared ==
                       report.declared_sensitivity_squared
                   ? ", equal in exact integers"
                   : "")),
      SummaryLine("grid", Text("p = ", RoundedText(report.grid_p_value, 2),
                               " that exact noise would look like this")),
      Verdict(report.accusations, "not accused; which is no proof"));
}

std::string AuditJson(const AuditReport& report, double unit, int rounds) {
  nlohmann::ordered_json json;
  json["audited"] = "plan";
  json["rounds"] = rounds;
  json["releases"] = report.releases;
  json["confidence"] = report.confidence;
  json["claimed_epsilon"] = report.claimed_epsilon;
  json["delta"] = report.delta;
  json["epsilon_lower"] = report.epsilon_lower;
  json["gaussian_epsilon_lower"] = report.gaussian_epsilon_lower;
  json["declared_sensitivity"] =
      Length(report.declared_sensitivity_squared, unit);
  json["measured_sensitivity"] =
      Length(report.measured_sensitivity_squared, unit);
  // Too long for numbers of JSON.
  json["declared_sensitivity_squared_units"] =
      DecimalText(report.declared_sensitivity_squared);
  json["measured_sensitivity_squared_units"] =
      DecimalText(report.measured_sensitivity_squared);
  json["grid_p_value"] = report.grid_p_value;
  json["accused"] = report.accused();
  json["accusations"] = report.accusations;
  return JsonText(json);
}

std::string AuditText(const FileAudit& audit) {
  return Text(
      "Checked what the file states; it was not altered since it was "
      "written.\n\n",
      SummaryLine("claimed", Text("epsilon = ", audit.claimed_epsilon,
                                  " at delta = ", audit.delta)),
      SummaryLine("stated",
                  Text("noise and sensitivity that keep epsilon = ",
                       RoundedText(audit.stated_epsilon), " at this delta")),
      SummaryLine("grid",
                  Text("low bits that are zero in all released numbers: ",
                       audit.common_zero_bits)),
      SummaryLine(
          "not checked",
          "whether the statistic has the sensitivity stated, and whether the "
          "noise was drawn as stated: that takes the inputs and options, cloak "
          "audit DATA.csv …"),
      Verdict(audit.accusations, "not accused; which is no proof"));
}

std::string AuditJson(const FileAudit& audit) {
  nlohmann::ordered_json json;
  json["audited"] = "file";
  json["claimed_epsilon"] = audit.claimed_epsilon;
  json["delta"] = audit.delta;
  json["stated_epsilon"] = audit.stated_epsilon;
  json["common_zero_bits"] = audit.common_zero_bits;
  json["accused"] = audit.accused();
  json["accusations"] = audit.accusations;
  return JsonText(json);
}

}  // namespace cloak
