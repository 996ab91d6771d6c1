#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/printable.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_charge.h"
#include "apps/cli/release_request.h"
#include "apps/cli/release_summary.h"
#include "cloak/base/error.h"
#include "cloak/base/nearest_name.h"
#include "cloak/base/text.h"
#include "cloak/release/file_format.h"

namespace cloak {
namespace {

// The outputs are read straight into a Secret, or, in a dry run, not at all.
Table ReadData(const ReleaseArguments& arguments,
               const RegressionOptions& options, const Streams& streams) {
  CsvOptions csv;
  csv.numeric = options.input_names;
  if (arguments.unit.has_value()) csv.text = {options.unit_name};
  csv.quote_cells = false;  // also in a dry run, which asks for no secret
  if (!arguments.dry_run) csv.secret = {options.output_name};
  Table table = ReadTable(arguments.data, csv, streams);
  const std::vector<std::string>& header = table.header();
  if (std::count(header.begin(), header.end(), options.output_name) == 0) {
    const std::string nearest = NearestName(options.output_name, header);
    throw InvalidInput(
        Text("no column '", options.output_name, "' in '", table.name(), "'",
             nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
  }
  return table;
}

ReleaseSummary Summarise(const RegressionPlan& plan,
                         const RegressionOptions& options) {
  ReleaseSummary summary;
  summary.inputs = options.input_names;
  summary.output = options.output_name;
  summary.privacy = plan.privacy();
  summary.method = plan.method();
  summary.design = plan.design();
  summary.rank = plan.rank();
  summary.certified_gap = plan.certified_gap();
  summary.expected_sd = plan.expected_sd();
  summary.expected_sd_without_privacy = plan.expected_sd_without_privacy();
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
ReleaseSummary::Written Execute(const RegressionPlan& plan,
                                const Secret<Vector>& outputs,
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
  const Table table = ReadData(arguments, request.options, streams);
  if (arguments.at.has_value()) {
    CsvOptions csv;
    csv.numeric = request.options.input_names;
    request.options.query_points =
        ReadTable(*arguments.at, csv, streams).Numeric(csv.numeric);
  }
  if (arguments.unit.has_value()) {
    const std::string& unit = request.options.unit_name;
    request.options.units =
        Units::FromLabels(table.TextColumn(unit),
                          Text("column '", unit, "' of '", table.name(), "'"));
  }
  std::optional<ReleaseCharge> charge;
  if (arguments.ledger.has_value()) {
    charge.emplace(*arguments.ledger, arguments, request.options, table);
  }

  ProgressBar bar(streams.err, streams.err_is_terminal && !arguments.quiet);
  const RegressionPlan plan(
      table.Numeric(request.options.input_names), request.bounds,
      request.budget, request.options, request.threads,
      [&bar](std::string_view stage, double done) { bar.Show(stage, done); });
  ReleaseSummary summary = Summarise(plan, request.options);
  // Before anything is spent.
  bar.Erase();
  Warn(summary, arguments, streams);
  if (arguments.dry_run) {
    if (charge.has_value()) summary.ledger = charge->Price(plan);
  } else {
    if (charge.has_value()) summary.ledger = charge->Charge(plan);
    try {
      summary.written =
          Execute(plan, table.Private(request.options.output_name), file,
                  streams, randomness);
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
