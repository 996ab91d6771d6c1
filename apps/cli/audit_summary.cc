#include "apps/cli/audit_summary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
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

constexpr size_t kFirstColumn = 14;
constexpr size_t kColumn = 7;

// One line of a table: a name, then columns that end below each other.
std::string TableLine(const std::string& name,
                      const std::vector<std::string>& cells) {
  std::string line = Text("  ", name);
  line.resize(std::max(line.size(), kFirstColumn), ' ');
  for (const std::string& cell : cells) {
    line += Text(
        " ", std::string(kColumn - std::min(kColumn, cell.size()), ' '), cell);
  }
  return line + "\n";
}

std::string RoundLine(const RoundAudit& round) {
  constexpr int kFigures = 3;
  const AuditReport& report = round.report;
  const auto figure = [](double value) { return RoundedText(value, kFigures); };
  const bool equal = report.measured_sensitivity_squared ==
                     report.declared_sensitivity_squared;
  return TableLine(
      round.name,
      {Text(report.numbers), figure(report.claimed_mu), figure(report.mu_lower),
       figure(report.claimed_epsilon), figure(report.epsilon_lower),
       // A sensitivity that is only bounded is not attained exactly.
       FigureText(Length(report.declared_sensitivity_squared, round.unit)),
       equal ? "equal"
             : FigureText(
                   Length(report.measured_sensitivity_squared, round.unit)),
       RoundedText(report.grid_p_value, 2)});
}

std::string RoundTable(const std::vector<RoundAudit>& rounds) {
  std::string text = TableLine("", {"numbers", "mu", "noise", "epsilon",
                                    "attack", "bound", "found", "grid"});
  for (const RoundAudit& round : rounds) text += RoundLine(round);
  return text;
}

// Returns "epsilon = 1" for Laplace noise and "mu = 0.4" for Gaussian noise.
std::string PriceText(const StatedCost& cost) {
  return Text(PriceName(cost.noise), " = ", RoundedText(cost.price));
}

std::string CostLines(const FileAudit& audit) {
  std::string text;
  for (const StatedCost& cost : audit.costs) {
    text +=
        SummaryLine("costs", Text(PriceText(cost), " for ", cost.numbers,
                                  cost.numbers == 1 ? " number" : " numbers",
                                  ": ", Join(cost.of, "; ")));
  }
  return text;
}

std::string StatedText(const FileAudit& audit) {
  const std::string kept =
      Text("epsilon = ", RoundedText(audit.stated_epsilon), " at this delta");
  if (audit.costs.empty()) {
    return Text(
        "noise and sensitivity, of the last statistic alone, that keep ", kept,
        "; what the others cost is not in the file");
  }
  if (!audit.event.empty()) {
    return Text("as the best of several candidates, ", audit.event,
                ", which keeps ", kept);
  }
  if (audit.total_mu > 0) {
    return Text("together mu = ", RoundedText(audit.total_mu), ", which keeps ",
                kept);
  }
  return Text("together they keep ", kept);
}

}  // namespace

std::string AuditText(const PlanAudit& audit) {
  const bool several = audit.rounds.size() > 1;
  const std::string attacked = Text(
      "Attacked every number of ",
      several ? Text(audit.rounds.size(),
                     " releases, each given what the ones "
                     "before it published")
              : "the release",
      ", on made-up rows, ", audit.rounds.front().report.releases,
      " times for each table of each pair of neighbours; private cells were "
      "not read, and nothing is spent.");
  std::string text = Text(
      WrappedText(attacked, kTerminalColumns), "\n\n",
      SummaryLine("claimed", Text("epsilon = ", audit.claimed_epsilon,
                                  " at delta = ", audit.delta,
                                  ": mu = ", RoundedText(audit.claimed_mu))));
  text += Text("\n", RoundTable(audit.rounds), "\n");
  if (several) {
    text += SummaryLine("together",
                        Text("mu = ", RoundedText(audit.declared_mu),
                             " declared, >= ", RoundedText(audit.mu_lower),
                             " measured, if the noise is Gaussian"));
  }
  return Text(
      text,
      SummaryLine("read as",
                  Text("mu as claimed, and at least what the noise shows, if "
                       "it is Gaussian; epsilon as claimed at this delta, and "
                       "at least what the attack shows, whatever the noise is; "
                       "the bound on the sensitivity, and the distance that "
                       "was found between neighbours; and how probable it is "
                       "that exact noise seems to lie on a grid as much as "
                       "this. All bounds hold with ",
                       RoundedText(100 * audit.confidence), " % confidence")),
      Verdict(audit.accusations, "not accused; which is no proof"));
}

namespace {

nlohmann::ordered_json RoundJson(const RoundAudit& round) {
  const AuditReport& report = round.report;
  nlohmann::ordered_json json;
  json["name"] = round.name;
  json["numbers"] = report.numbers;
  json["releases"] = report.releases;
  json["claimed_mu"] = report.claimed_mu;
  json["mu_lower"] = report.mu_lower;
  json["claimed_epsilon"] = report.claimed_epsilon;
  json["epsilon_lower"] = report.epsilon_lower;
  json["gaussian_epsilon_lower"] = report.gaussian_epsilon_lower;
  json["declared_sensitivity"] =
      Length(report.declared_sensitivity_squared, round.unit);
  json["measured_sensitivity"] =
      Length(report.measured_sensitivity_squared, round.unit);
  // Too long for numbers of JSON.
  json["declared_sensitivity_squared_units"] =
      DecimalText(report.declared_sensitivity_squared);
  json["measured_sensitivity_squared_units"] =
      DecimalText(report.measured_sensitivity_squared);
  json["grid_p_value"] = report.grid_p_value;
  json["accusations"] = report.accusations;
  return json;
}

}  // namespace

std::string AuditJson(const PlanAudit& audit) {
  nlohmann::ordered_json json;
  json["audited"] = "plan";
  json["claimed_epsilon"] = audit.claimed_epsilon;
  json["delta"] = audit.delta;
  json["claimed_mu"] = audit.claimed_mu;
  json["declared_mu"] = audit.declared_mu;
  json["mu_lower"] = audit.mu_lower;
  json["confidence"] = audit.confidence;
  json["rounds"] = nlohmann::ordered_json::array();
  for (const RoundAudit& round : audit.rounds) {
    json["rounds"].push_back(RoundJson(round));
  }
  json["accused"] = audit.accused();
  json["accusations"] = audit.accusations;
  return JsonText(json);
}

std::string AuditText(const FileAudit& audit) {
  return Text(
      "Checked what the file states; it was not altered since it was "
      "written.\n\n",
      SummaryLine("claimed", Text("epsilon = ", audit.claimed_epsilon,
                                  " at delta = ", audit.delta)),
      CostLines(audit), SummaryLine("stated", StatedText(audit)),
      SummaryLine("grid",
                  Text("low bits that are zero in all released numbers: ",
                       audit.common_zero_bits)),
      SummaryLine(
          "not checked",
          "whether the statistics have the sensitivity stated, and whether the "
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
  if (audit.total_mu > 0) json["stated_mu"] = audit.total_mu;
  if (!audit.event.empty()) json["event"] = audit.event;
  nlohmann::ordered_json costs = nlohmann::ordered_json::array();
  for (const StatedCost& cost : audit.costs) {
    costs.push_back({{"of", cost.of},
                     {"numbers", cost.numbers},
                     {"noise", NameOf(cost.noise)},
                     {PriceName(cost.noise), cost.price}});
  }
  json["costs"] = std::move(costs);
  json["common_zero_bits"] = audit.common_zero_bits;
  json["accused"] = audit.accused();
  json["accusations"] = audit.accusations;
  return JsonText(json);
}

}  // namespace cloak
