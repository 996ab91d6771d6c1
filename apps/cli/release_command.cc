#include <optional>
#include <string>
#include <utility>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/printable.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_charge.h"
#include "apps/cli/release_plan.h"
#include "apps/cli/release_request.h"
#include "apps/cli/release_summary.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/file_format.h"

namespace cloak {
namespace {

ReleaseSummary Summarise(const Plan& plan, const RegressionOptions& options) {
  ReleaseSummary summary;
  summary.inputs = options.input_names;
  summary.output = options.output_name;
  summary.plan = plan.summary();
  summary.warnings = BudgetWarnings(plan.privacy());
  return summary;
}

void Warn(const ReleaseSummary& summary, const ReleaseArguments& arguments,
          const Streams& streams) {
  if (!arguments.quiet) {
    for (const std::string& warning : summary.warnings) {
      streams.err << "cloak: warning: " << Printable(warning) << "\n";
    }
  }
}

void Print(const ReleaseSummary& summary, const ReleaseArguments& arguments,
           const Streams& streams) {
  if (arguments.json) {
    streams.out << SummaryJson(summary);
  } else if (!arguments.quiet) {
    // The price is what a dry run is for; beside a release it is a remark,
    // and standard output may be the release itself.
    std::ostream& stream = arguments.dry_run ? streams.out : streams.err;
    stream << Printable(SummaryText(summary)) << std::flush;
  }
}

// Executes the plan, to a file. What was charged stays charged when that
// fails, and the message says so.
ReleaseSummary::Written Execute(const Plan& plan, const Secret<Vector>& outputs,
                                const std::string& file, const Streams& streams,
                                const RandomnessSource& randomness) {
  Randomness noise = randomness();
  const std::string bytes = ReleaseToJson(plan.Execute(outputs, noise));
  WriteOutput(file, bytes, streams);
  return {IsStream(file) ? "standard output" : file, bytes.size()};
}

std::string StaysCharged(const Error& error, const ReleaseSummary& summary) {
  if (!summary.ledger.has_value()) return error.what();
  return Text(error.what(), "\nThe ledger had charged it before (entry ",
              summary.ledger->entry.value_or(0), "), and that stays spent.");
}

}  // namespace

void RunRelease(const ReleaseArguments& arguments, const Streams& streams,
                const RandomnessSource& randomness) {
  ReleaseRequest request = CheckRelease(arguments);
  const std::string file = arguments.file.value_or("-");
  if (!arguments.dry_run) {
    CheckOutput(file, {arguments.data, arguments.at.value_or("-"),
                       arguments.ledger.value_or("-")});
  }
  const ReleaseInputs inputs =
      ReadInputs(arguments, std::move(request), streams);
  const RegressionOptions& options = inputs.request.options;
  std::optional<ReleaseCharge> charge;
  if (arguments.ledger.has_value()) {
    charge.emplace(*arguments.ledger, arguments, options, inputs.table);
  }

  ProgressBar bar(streams.err, streams.err_is_terminal && !arguments.quiet);
  const std::unique_ptr<Plan> planned = PlanRelease(inputs, bar);
  const Plan& plan = *planned;
  ReleaseSummary summary = Summarise(plan, options);
  // Before anything is spent.
  bar.Erase();
  Warn(summary, arguments, streams);
  if (arguments.dry_run) {
    if (charge.has_value()) summary.ledger = charge->Price(plan);
  } else {
    if (charge.has_value()) summary.ledger = charge->Charge(plan);
    try {
      summary.written = Execute(plan, inputs.table.Private(options.output_name),
                                file, streams, randomness);
    } catch (const InvalidInput& error) {
      throw InvalidInput(StaysCharged(error, summary));
    } catch (const PrivacyFailure& error) {
      throw PrivacyFailure(StaysCharged(error, summary));
    } catch (const Error& error) {
      throw Error(StaysCharged(error, summary));
    }
  }
  bar.Erase();
  Print(summary, arguments, streams);
}

}  // namespace cloak
