#include "apps/cli/release_summary.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/cli/ledger_commands.h"
#include "apps/cli/wrapped_text.h"
#include "cloak/base/text.h"
#include "cloak/ledger/price.h"
#include "cloak/release/kind.h"
#include "cloak/release/release_json.h"

namespace cloak {
namespace {

std::string Numbers(Index count) {
  return count == 1 ? "1 number" : Text(count, " numbers");
}

// "about 'height' given 'age', 'weight'".
std::string AboutText(const ReleaseSummary& summary) {
  const std::string inputs = Join(summary.inputs, "', '");
  const TaskKind task = summary.plan.task;
  if (!KindOf(task).has_output) {
    return Text(" for a ", NameOf(task), " of '", inputs, "'");
  }
  return Text(" about '", summary.output, "' given '", inputs, "'");
}

// Returns the error that is expected of a function, called by its name.
std::string ExpectedText(const PlanSummary& plan, const std::string& function) {
  return Text("about ", FigureText(plan.expected_sd), " expected in the ",
              function, "; ", FigureText(plan.expected_sd_without_privacy),
              " without privacy\n            (if the kernel is as expected "
              "before the outputs are seen)");
}

std::string DensityErrorText(const PlanSummary& plan) {
  switch (plan.link.value()) {
    case DensityLink::kLog:
      return "in the intervals of the release, which learns how smooth the\n"
             "            density is";
    case DensityLink::kIdentity:
      return Text("about ", FigureText(plan.expected_sd),
                  " in an estimate that is at most 1");
  }
  return "";
}

std::string ErrorText(const PlanSummary& plan) {
  switch (plan.task) {
    case TaskKind::kRegression:
      return ExpectedText(plan, "function");
    case TaskKind::kClassification:
      return ExpectedText(plan, "log odds");
    case TaskKind::kSvm:
      return Text("about ", FigureText(plan.expected_sd),
                  " of privacy noise in a margin; the classes are at 1 and -1");
    case TaskKind::kHistogram:
      return Text("about ", FigureText(plan.expected_sd),
                  " rows in each bin, less where neighbours are alike");
    case TaskKind::kDensity:
      return DensityErrorText(plan);
  }
  return "";
}

// Returns what it costs that inputs are gathered; nothing where they are not.
std::string SitesText(const PlanSummary& plan) {
  if (!plan.cost_of_sites) return "";
  return Text(
      "  sites     inputs that lie together count alike; apart, they would "
      "leave one\n            release at most ",
      RoundedText(100 * *plan.cost_of_sites, 2), " % less error\n");
}

// Returns whether others can conclude anew from the file; nothing where no
// method would let them.
std::string AnewText(const PlanSummary& plan) {
  if (plan.sites > 0) {
    return Text(
        "  anew      others can infer with another kernel (cloak infer), "
        "from sums at ",
        plan.sites, "\n            sites of ten rows or more\n");
  }
  if (plan.no_sites.empty()) return "";
  const std::string why =
      Text("nobody can infer with another kernel: ", plan.no_sites);
  return Text("  anew      ",
              Join(Split(WrappedText(why, kTerminalColumns - 12), '\n'),
                   "\n            "),
              "\n");
}

}  // namespace

std::string SizeText(size_t bytes) {
  const double size = static_cast<double>(bytes);
  if (size < 1e3) return Text(bytes, " bytes");
  if (size < 1e6) return Text(RoundedText(size / 1e3, 3), " kB");
  return Text(RoundedText(size / 1e6, 3), " MB");
}

std::string ProtectedText(const PrivacyStatement& privacy,
                          const std::string& output, bool labels) {
  const std::string range = Text(" from ", FigureText(privacy.lower), " to ",
                                 FigureText(privacy.upper));
  if (privacy.protect == Protection::kRows) {
    return "each whole row, inputs too\n            Had any one of them been "
           "any other";
  }
  if (privacy.unit.empty()) {
    return Text("each row's '", output,
                "'\n            Had any one of them been ",
                labels ? "the other class" : "another value" + range);
  }
  return Text("all '", output, "' of one '", privacy.unit,
              "'\n            Had all those of any one of the ", privacy.units,
              labels ? " been of other classes" : " been other values" + range);
}

std::string FactorText(const PrivacyStatement& privacy) {
  return Text("as probable, within a factor of e^", privacy.epsilon, " = ",
              FigureText(std::exp(privacy.epsilon)),
              privacy.delta > 0
                  ? Text(",\n            plus at most ", privacy.delta, ".\n")
                  : std::string(".\n"));
}

std::string ChargeText(const Bill& ledger) {
  if (!ledger.refusal.empty()) {
    return Text(
        "  ledger    ",
        Join(Split(WithLedgerCommands(ledger.refusal), '\n'), "\n            "),
        "\n");
  }
  return Text(
      "  ledger    ",
      ledger.entry.has_value()
          ? Text("charged to '", ledger.dataset, "' as entry ", *ledger.entry)
          : Text("the budget of '", ledger.dataset, "' allows it"),
      "\n            then spent: ", EpsilonText(ledger.spent), " of ",
      ledger.total, "\n            left: ", LeftText(ledger.left), "\n");
}

nlohmann::ordered_json ChargeJson(const Bill& ledger) {
  nlohmann::ordered_json json;
  json["ledger"] = ledger.ledger;
  json["dataset"] = ledger.dataset;
  json["allowed"] = ledger.refusal.empty();
  if (ledger.entry.has_value()) json["entry"] = *ledger.entry;
  json["spent_epsilon"] = ledger.spent;
  json["left_epsilon"] = ledger.left;
  return json;
}

std::string MoverText(const PrivacyStatement& privacy) {
  return privacy.unit.empty() ? "row" : Text("'", privacy.unit, "'");
}

std::string GapInWords(double certified_gap) {
  if (certified_gap < 0) return "";
  return Text(
      "certified within ",
      certified_gap < 1e-4 ? "0.01" : RoundedText(100 * certified_gap, 2),
      " % of the best possible");
}

std::vector<std::string> BudgetWarnings(const PrivacyStatement& privacy) {
  const bool each_row = privacy.unit.empty();
  const auto count =
      static_cast<double>(each_row ? privacy.rows : privacy.units);
  if (privacy.delta * count <= 1) return {};
  const std::string one = each_row ? "row" : Text("'", privacy.unit, "'");
  return {Text("delta = ", privacy.delta, " is more than 1 / ",
               each_row ? "rows" : Text("number of ", one), " = ",
               RoundedText(1 / count, 2),
               ": a guarantee with such a delta may leave some ", one,
               " out altogether; choose a delta well below it")};
}

std::string SummaryText(const ReleaseSummary& summary) {
  const PrivacyStatement& privacy = summary.plan.privacy;
  const std::string rows =
      privacy.rows == 1 ? "1 row" : Text(privacy.rows, " rows");
  const std::string gap = GapInWords(summary.plan.certified_gap);
  const std::string first = Text(
      summary.written.has_value() ? "Released " : "Would release ",
      summary.plan.rank_is_a_guess ? "about " : "", Numbers(summary.plan.rank),
      AboutText(summary), ", from ", rows, ".");
  std::string text = WrappedText(first, kTerminalColumns) + "\n\n";
  text += Text("  privacy   (", privacy.epsilon, ", ", privacy.delta,
               ")-differential privacy of ",
               ProtectedText(privacy, summary.output,
                             KindOf(summary.plan.task).has_labels),
               ",\n            whatever anybody sees in the file or concludes "
               "from it would have been\n            ",
               FactorText(privacy));
  text +=
      Text("  noise     standard deviation ", FigureText(privacy.noise_sd),
           summary.plan.rounds == 1
               ? " in each number; one "
               : Text(" in each number of the last of ", summary.plan.rounds,
                      " rounds;\n            one "),
           MoverText(privacy), " moves them by at",
           summary.plan.rounds == 1 ? "\n            most " : " most ",
           FigureText(privacy.sensitivity),
           privacy.in_half_widths ? " (in half widths of the bounds)\n" : "\n");
  // The plan may have foreseen the error of a candidate that did not win.
  if (!summary.chosen) {
    text += Text("  error     ", ErrorText(summary.plan), "\n");
  }
  if (privacy.protect == Protection::kOutputs) {
    text +=
        "  inputs    public; the file has their ranges, rounded, and points "
        "that are\n            nobody's (or those of --at), but no row of the "
        "table\n";
  }
  text += Text("  design    ", summary.plan.method, ", ", summary.plan.design,
               gap.empty() ? "" : "; ", gap, "\n");
  text += SitesText(summary.plan) + AnewText(summary.plan);
  if (summary.ledger.has_value()) {
    text += ChargeText(*summary.ledger);
  } else if (summary.written.has_value()) {
    text += Text(
        "  ledger    none (--ledger): nobody but you counts what releases "
        "of these\n            ",
        NameOf(privacy.protect), " spend together\n");
  }
  text += summary.written.has_value()
              ? Text("  written   ", summary.written->file, ", ",
                     SizeText(summary.written->bytes), "\n")
              : std::string(
                    "  written   nothing: a dry run opens nothing private "
                    "and spends nothing\n");
  return text;
}

std::string SummaryJson(const ReleaseSummary& summary) {
  nlohmann::ordered_json json;
  json["dry_run"] = !summary.written.has_value();
  json["task"] = NameOf(summary.plan.task);
  json["inputs"] = summary.inputs;
  json["output"] = summary.output;
  json["method"] = summary.plan.method;
  json["design"] = summary.plan.design;
  json["released_numbers"] = summary.plan.rank;
  json["certified_gap"] = GapJson(summary.plan.certified_gap);
  json["privacy"] = PrivacyJson(summary.plan.privacy);
  if (!summary.chosen) {
    json["expected_sd"] = summary.plan.expected_sd;
    json["expected_sd_without_privacy"] =
        summary.plan.expected_sd_without_privacy;
  }
  if (summary.plan.cost_of_sites) {
    json["cost_of_sites"] = *summary.plan.cost_of_sites;
  }
  json["sites"] = summary.plan.sites;
  if (!summary.plan.no_sites.empty()) json["no_sites"] = summary.plan.no_sites;
  json["ledger"] = summary.ledger.has_value() ? ChargeJson(*summary.ledger)
                                              : nlohmann::ordered_json();
  json["warnings"] = summary.warnings;
  if (summary.chosen) json["chosen"] = *summary.chosen;
  if (summary.written.has_value()) {
    json["file"] = summary.written->file;
    json["bytes"] = summary.written->bytes;
  }
  return JsonText(json);
}

}  // namespace cloak
