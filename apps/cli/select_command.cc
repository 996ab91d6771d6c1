#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/candidates.h"
#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/make_release.h"
#include "apps/cli/printable.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_charge.h"
#include "apps/cli/release_plan.h"
#include "apps/cli/release_request.h"
#include "apps/cli/select_request.h"
#include "apps/cli/select_rows.h"
#include "apps/cli/select_summary.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/outputs/linear_prediction.h"
#include "cloak/models/row_order.h"
#include "cloak/privacy/custodian_view.h"
#include "cloak/privacy/selection_mechanism.h"
#include "cloak/selection/residual_norm.h"
#include "cloak/selection/worth_choosing.h"

namespace cloak {
namespace {

// What is chosen by, public and private.
struct Scores {
  std::vector<SelectSummary::Candidate> candidates;
  // Absent in a dry run.
  std::optional<CandidateUtilities> utilities;
};

Scores Score(const SelectRequest& request, const ReleaseInputs& inputs,
             const PrivacyUnits& units_of_table, bool dry_run,
             const RandomnessSource& randomness, ProgressBar& bar) {
  const RegressionOptions& columns = inputs.request.options;
  const Matrix X = inputs.table.Numeric(columns.input_names);
  // So that folds do not depend on the order that the table is in.
  const RowOrder order(X, Vector(), units_of_table);
  const PrivacyUnits units = order.Sorted(units_of_table);
  const RegressionSetting setting{order.Sorted(X), inputs.request.bounds,
                                  inputs.request.budget,
                                  inputs.request.threads};
  const std::vector<Fold> folds = DealFolds(units, request.folds);
  Scores scores;
  if (!dry_run) {
    Randomness random = randomness();
    scores.utilities.emplace(
        order.Sorted(inputs.table.Private(columns.output_name), random));
  }
  const auto count = static_cast<double>(request.candidates.size());
  for (const SelectRequest::Candidate& candidate : request.candidates) {
    const auto done = static_cast<double>(scores.candidates.size());
    RegressionOptions options = candidate.release.options;
    if (columns.units) options.units = units;
    const Progress progress = [&](std::string_view, double fraction) {
      bar.Show("comparing candidates", (done + fraction) / count);
    };
    const ResidualNorm norm(
        CrossValidate(setting, options, folds, progress), units, setting.bounds,
        options.prior_mean.value_or(setting.bounds.middle()));
    scores.candidates.push_back(
        {candidate.model, {norm.noise_sd(), norm.sensitivity()}});
    if (scores.utilities) scores.utilities->Add(norm);
  }
  return scores;
}

std::vector<size_t> CheckWorth(
    const std::vector<SelectSummary::Candidate>& candidates, double width) {
  std::vector<CandidateFigures> figures;
  figures.reserve(candidates.size());
  for (const SelectSummary::Candidate& candidate : candidates) {
    figures.push_back(candidate.figures);
  }
  std::vector<size_t> worth = WorthChoosing(figures, width);
  RequireInput(!worth.empty(),
               "no candidate is worth choosing: the privacy noise of each "
               "has a standard deviation above ",
               RoundedText(width / std::sqrt(12.0)),
               ", as if nothing were known but the bounds\n"
               "Try longer lengthscales, fewer inducing points or a "
               "larger --release-epsilon.");
  RequireInput(worth.size() > 1,
               "only one candidate is worth choosing, so that no choice "
               "need be paid for: give cloak release\n  ",
               ShellText(WordsOf(candidates[worth[0]].model)));
  return worth;
}

SelectSummary SummariseSelection(
    const SelectRequest& request, const ReleaseInputs& inputs,
    const PrivacyUnits& units,
    const std::vector<SelectSummary::Candidate>& candidates) {
  const RegressionOptions& columns = inputs.request.options;
  SelectSummary summary;
  summary.inputs = columns.input_names;
  summary.output = columns.output_name;
  summary.folds = request.folds;
  summary.release_epsilon = inputs.request.budget.epsilon();
  summary.release_delta = inputs.request.budget.delta();
  summary.candidates = candidates;
  summary.worth = CheckWorth(candidates, inputs.request.bounds.width());
  PrivacyStatement& privacy = summary.privacy;
  privacy.epsilon = request.epsilon;
  privacy.rows = units.rows();
  privacy.unit = columns.unit_name;
  privacy.units = columns.units ? units.count() : 0;
  privacy.lower = inputs.request.bounds.lower();
  privacy.upper = inputs.request.bounds.upper();
  privacy.mechanism = "exponential mechanism";
  for (const size_t number : summary.worth) {
    privacy.sensitivity =
        std::max(privacy.sensitivity, candidates[number].figures.sensitivity);
  }
  return summary;
}

std::string DescribeSelection(const SelectSummary& summary) {
  const PrivacyStatement& privacy = summary.privacy;
  return Text("choice of hyperparameters for ", summary.output, " given ",
              Join(summary.inputs, ", "), "; epsilon ", privacy.epsilon,
              ", bounds ", privacy.lower, ":", privacy.upper, ", ",
              summary.candidates.size(), " candidates",
              privacy.unit.empty() ? "" : Text(", unit ", privacy.unit));
}

// An exponential mechanism has a bounded range, which is charged half as much
// as any other mechanism of the same epsilon: at the same charge it has twice
// the epsilon, and chooses better than permute-and-flip.
Cost CostOf(const SelectSummary& summary) {
  return {
      summary.privacy.unit.empty() ? Neighbours::kOutput : Neighbours::kUnit,
      BoundedRangeEvent(summary.privacy.epsilon), DescribeSelection(summary)};
}

// Makes the choice, and writes it.
void Choose(const CandidateUtilities& utilities,
            const SelectionMechanism& mechanism,
            const SelectArguments& arguments, const Streams& streams,
            const RandomnessSource& randomness, SelectSummary& summary) {
  const Secret<Vector> worth = utilities.Of(summary.worth);
  Randomness random = randomness();
  summary.chosen =
      summary.worth[static_cast<size_t>(mechanism.Select(worth, random))];
  summary.file = arguments.plan.file;
  if (summary.file) WriteOutput(*summary.file, SelectJson(summary), streams);
  if (!arguments.show_probabilities) return;
  std::vector<std::string> names;
  names.reserve(summary.worth.size());
  for (const size_t number : summary.worth) {
    names.push_back(Printable(summary.candidates[number].Text()));
  }
  CustodianView(streams.err).ShowProbabilities(mechanism, worth, names);
}

void PrintSelection(const SelectSummary& summary, const ReleaseArguments& plan,
                    const Streams& streams) {
  if (plan.json) {
    streams.out << SelectJson(summary);
    return;
  }
  if (!plan.quiet) {
    std::ostream& stream = plan.dry_run ? streams.out : streams.err;
    stream << Printable(SelectText(summary)) << std::flush;
  }
  // Standard output may be the file.
  if (summary.chosen && plan.file != "-") {
    streams.out << Printable(summary.candidates[*summary.chosen].Text())
                << "\n";
  }
}

}  // namespace

void RunSelect(const SelectArguments& arguments, const Streams& streams,
               const RandomnessSource& randomness) {
  const ReleaseArguments& plan = arguments.plan;
  RequireInput(!plan.data.empty(),
               "select needs the table: cloak select DATA.csv …");
  RequireProtect(plan);
  if (plan.protect == "rows") {
    SelectRows(arguments, streams, randomness);
    return;
  }
  const SelectRequest request = CheckSelect(arguments, streams);
  const ReleaseInputs inputs =
      ReadInputs(plan, request.candidates.front().release, streams);
  const RegressionOptions& columns = inputs.request.options;
  const PrivacyUnits units =
      columns.units.value_or(PrivacyUnits::EachRow(inputs.table.rows()));
  std::optional<ReleaseCharge> charge;
  if (plan.ledger) charge.emplace(*plan.ledger, plan, columns, inputs.table);

  ProgressBar bar(streams.err, streams.err_is_terminal && !plan.quiet);
  const Scores scores = Planning([&] {
    return Score(request, inputs, units, plan.dry_run, randomness, bar);
  });
  bar.Erase();
  SelectSummary summary =
      SummariseSelection(request, inputs, units, scores.candidates);
  // Throws when it cannot be made, before anything is spent.
  const SelectionMechanism mechanism(SelectionRule::kExponential,
                                     summary.privacy.sensitivity,
                                     summary.privacy.epsilon);
  const Cost cost = CostOf(summary);
  if (plan.dry_run) {
    if (charge) summary.ledger = charge->Price(cost);
  } else {
    if (charge) summary.ledger = charge->Charge(cost);
    AfterCharge(summary.ledger, [&] {
      Choose(*scores.utilities, mechanism, arguments, streams, randomness,
             summary);
    });
  }
  PrintSelection(summary, plan, streams);
}

}  // namespace cloak
