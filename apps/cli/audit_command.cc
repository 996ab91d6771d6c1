#include <cmath>
#include <string>
#include <vector>

#include "apps/cli/audit_summary.h"
#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/make_release.h"
#include "apps/cli/printable.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_plan.h"
#include "apps/cli/release_request.h"
#include "cloak/audit/file_audit.h"
#include "cloak/audit/made_up_rows.h"
#include "cloak/audit/plan_audit.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/linalg/spread_points.h"

namespace cloak {
namespace {

// Only a release file needs no options: a table cannot be planned without.
bool IsReleaseFile(const ReleaseArguments& plan) {
  return !plan.inputs && !plan.output && !plan.bounds && !plan.epsilon &&
         !plan.delta && !plan.protect;
}

AuditOptions CheckAudit(const AuditArguments& arguments) {
  AuditOptions options;
  if (arguments.releases.has_value()) {
    const double releases = ParseNumber(*arguments.releases, "--releases");
    RequireInput(
        releases >= 0 && releases <= 1e15 && releases == std::floor(releases),
        "--releases must be a whole number, but is ", releases);
    options.releases = static_cast<Index>(releases);
  }
  options.Validate();
  return options;
}

void Conclude(const ReleaseArguments& arguments, const Streams& streams,
              const std::string& text, const std::string& json,
              const std::vector<std::string>& accusations) {
  if (arguments.json) {
    streams.out << json;
  } else if (!arguments.quiet) {
    streams.out << Printable(text);
  }
  RequirePrivacy(accusations.empty(), "the audit refutes the privacy claim: ",
                 Join(accusations, "; "));
}

void AuditReleaseFile(const ReleaseArguments& arguments,
                      const Streams& streams) {
  const FileAudit audit = AuditFile(ReadRelease(arguments.data, streams));
  Conclude(arguments, streams, AuditText(audit), AuditJson(audit),
           audit.accusations);
}

// Rows that are nobody's, for a plan to be tried out on. Inputs that are public
// are those of the table.
MadeUpRows MadeUpFor(const ReleaseInputs& inputs) {
  const ReleaseRequest& request = inputs.request;
  const Index rows = inputs.table.rows();
  const bool labels = request.labels.has_value();
  if (!request.rows && !request.spread) {
    const Matrix X = inputs.table.Numeric(request.options.input_names);
    return {{}, MadeUpOutputs(X.col(0), request.bounds, labels)};
  }
  const InputRanges& ranges =
      request.rows ? request.rows->ranges : request.spread->ranges;
  MadeUpRows made_up{SpreadPoints(ranges.lower, ranges.upper, rows), {}};
  if (request.rows) {
    made_up.outputs =
        MadeUpOutputs(made_up.inputs.col(0), request.bounds, labels);
  }
  return made_up;
}

void AuditPlannedRelease(const ReleaseArguments& arguments,
                         const AuditOptions& options, const Streams& streams,
                         const RandomnessSource& randomness) {
  ProgressBar bar(streams.err, streams.err_is_terminal && !arguments.quiet);
  const ReleaseInputs inputs =
      ReadInputs(arguments, CheckRelease(arguments), streams);
  RequireInput(!inputs.request.spread || inputs.request.spread->functional,
               "counts cannot be audited before they are released: an audit "
               "attacks Gaussian releases of sums; the file that is written "
               "can be audited");
  const std::unique_ptr<Plan> plan =
      Planning([&] { return PlanRelease(inputs, bar); });
  const PlanAudit audit = AuditPlan(
      *plan, MadeUpFor(inputs), options, inputs.request.threads, randomness,
      [&bar](std::string_view stage, double done) { bar.Show(stage, done); });
  bar.Erase();
  Conclude(arguments, streams, AuditText(audit), AuditJson(audit),
           audit.accusations);
}

}  // namespace

void RunAudit(const AuditArguments& arguments, const Streams& streams,
              const RandomnessSource& randomness) {
  ReleaseArguments plan = arguments.plan;
  RequireInput(
      !plan.data.empty(),
      "audit needs a table and the options of its release, or a "
      "release file: cloak audit DATA.csv … or cloak audit FILE.cloak");
  const AuditOptions options = CheckAudit(arguments);
  if (IsReleaseFile(plan)) {
    AuditReleaseFile(plan, streams);
    return;
  }
  // The outputs stay closed: what is attacked is made up.
  plan.dry_run = true;
  AuditPlannedRelease(plan, options, streams, randomness);
}

}  // namespace cloak
