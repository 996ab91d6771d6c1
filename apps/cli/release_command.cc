#include <string>
#include <utility>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/printable.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_plan.h"
#include "apps/cli/release_request.h"
#include "apps/cli/release_summary.h"
#include "cloak/release/file_format.h"

namespace cloak {
namespace {

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

}  // namespace

void RunRelease(const ReleaseArguments& arguments, const Streams& streams,
                const RandomnessSource& randomness) {
  ReleaseRequest request = CheckRelease(arguments);
  const std::string file = arguments.file.value_or("-");
  if (!arguments.dry_run) {
    CheckOutput(file, {arguments.data, arguments.at.value_or("-")});
  }
  ProgressBar bar(streams.err, streams.err_is_terminal && !arguments.quiet);
  const PlannedRelease planned =
      PlanRelease(arguments, std::move(request), streams, bar);
  const RegressionOptions& options = planned.request.options;
  ReleaseSummary summary = Summarise(planned.plan, options);
  // Before anything is spent.
  bar.Erase();
  Warn(summary, arguments, streams);
  if (!arguments.dry_run) {
    Randomness noise = randomness();
    const Release release =
        planned.plan.Execute(planned.table.Private(options.output_name), noise);
    const std::string bytes = ReleaseToJson(release);
    WriteOutput(file, bytes, streams);
    summary.written = {IsStream(file) ? "standard output" : file, bytes.size()};
  }
  bar.Erase();
  Print(summary, arguments, streams);
}

}  // namespace cloak
