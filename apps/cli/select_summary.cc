#include "apps/cli/select_summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/cli/candidates.h"
#include "apps/cli/wrapped_text.h"
#include "apps/plot/ticks.h"
#include "cloak/base/text.h"
#include "cloak/release/release_json.h"

namespace cloak {
namespace {

using nlohmann::ordered_json;

bool IsWorth(const SelectSummary& summary, size_t number) {
  return std::count(summary.worth.begin(), summary.worth.end(), number) > 0;
}

std::string Column(const std::string& text, size_t width) {
  return Text(std::string(width - std::min(width, text.size()), ' '), text);
}

std::string CandidateTable(const SelectSummary& summary) {
  std::string text = "\n  privacy noise  moved by  candidate\n";
  for (size_t i = 0; i < summary.candidates.size(); ++i) {
    const SelectSummary::Candidate& candidate = summary.candidates[i];
    text +=
        Text(Column(FigureText(candidate.figures.noise_sd), 15),
             Column(FigureText(candidate.figures.sensitivity), 10), "  ",
             candidate.Text(), IsWorth(summary, i) ? "" : "  (left out)", "\n");
  }
  return text;
}

ordered_json ModelJson(const ReleaseArguments& model) {
  ordered_json json;
  json["arguments"] = WordsOf(model);
  json["method"] = model.method;
  if (model.kernel) json["kernel"] = *model.kernel;
  if (model.noise_variance) {
    json["noise_variance"] =
        ParseNumber(*model.noise_variance, "--noise-variance");
  }
  return json;
}

}  // namespace

std::string SelectSummary::Candidate::Text() const {
  return ShellText(WordsOf(model));
}

std::string SelectText(const SelectSummary& summary) {
  const PrivacyStatement& privacy = summary.privacy;
  const std::string first =
      Text(summary.chosen ? "Chose" : "Would choose", " one of ",
           summary.worth.size(), " candidates for '", summary.output,
           "' given '", Join(summary.inputs, "', '"), "', from ", privacy.rows,
           " rows in ", summary.folds, " folds.");
  std::string text = WrappedText(first, kTerminalColumns) + "\n\n";
  text +=
      Text("  privacy   (", privacy.epsilon, ", 0)-differential privacy of ",
           ProtectedText(privacy, summary.output, /*labels=*/false),
           ",\n            each choice would have been\n            ",
           FactorText(privacy));
  text += Text("  by        ", privacy.mechanism,
               ", on the error for rows held out, with\n            the noise "
               "of a release at (",
               summary.release_epsilon, ", ", summary.release_delta, "); one ",
               MoverText(privacy),
               " moves the root\n            of "
               "the summed squared errors by at most ",
               FigureText(privacy.sensitivity), "\n");
  if (const size_t left_out = summary.candidates.size() - summary.worth.size();
      left_out > 0) {
    text += Text("  left out  ", left_out,
                 left_out == 1 ? " candidate whose" : " candidates whose",
                 " privacy noise is as large as what is to be\n            "
                 "predicted, or who are too sensitive (public: --dry-run lists "
                 "them)\n");
  }
  if (summary.ledger.has_value()) {
    text += ChargeText(*summary.ledger);
  } else if (summary.chosen) {
    text +=
        "  ledger    none (--ledger): nobody but you counts what this choice "
        "and\n            the release spend together\n";
  }
  if (!summary.chosen) {
    return Text(text,
                "  chosen    nothing: a dry run opens no output and spends "
                "nothing\n",
                CandidateTable(summary));
  }
  if (summary.file) text += Text("  written   ", *summary.file, "\n");
  return Text(text, "\nGive this to cloak release:\n");
}

std::string SelectJson(const SelectSummary& summary) {
  ordered_json json;
  json["dry_run"] = !summary.chosen.has_value();
  if (summary.chosen) {
    json["chosen"] = ModelJson(summary.candidates[*summary.chosen].model);
  }
  json["inputs"] = summary.inputs;
  json["output"] = summary.output;
  json["folds"] = summary.folds;
  json["privacy"] = PrivacyJson(summary.privacy);
  json["release"] = {{"epsilon", summary.release_epsilon},
                     {"delta", summary.release_delta}};
  json["ledger"] =
      summary.ledger ? ChargeJson(*summary.ledger) : ordered_json();
  json["candidates"] = ordered_json::array();
  for (size_t i = 0; i < summary.candidates.size(); ++i) {
    ordered_json one = ModelJson(summary.candidates[i].model);
    one["noise_sd"] = summary.candidates[i].figures.noise_sd;
    one["sensitivity"] = summary.candidates[i].figures.sensitivity;
    one["left_out"] = !IsWorth(summary, i);
    json["candidates"].push_back(std::move(one));
  }
  return JsonText(json);
}

}  // namespace cloak
