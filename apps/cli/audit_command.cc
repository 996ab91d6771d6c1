#include <cmath>
#include <string>
#include <vector>

#include "apps/cli/audit_summary.h"
#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/printable.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_request.h"
#include "cloak/audit/file_audit.h"
#include "cloak/audit/made_up_rows.h"
#include "cloak/audit/plan_audit.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/custodian/pending_release.h"
#include "cloak/linalg/spread_points.h"

namespace cloak {
namespace {

// Returns whether there is nothing but a file: a table cannot be planned
// without options.
bool IsReleaseFile(const AuditArguments& arguments) {
  return !arguments.inputs && !arguments.output && !arguments.bounds &&
         !arguments.epsilon && !arguments.delta && !arguments.protect;
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

// Returns rows that are nobody's, for a plan to be tried out on. Inputs that
// are public are those of the table.
MadeUpRows MadeUpFor(const Request& request, const Table& table) {
  const SharedSetting shared = SettingOf(request, table);
  const Setting& setting = *shared;
  const bool labels = setting.HasLabels();
  if (!setting.ProtectsRows()) {
    return {{}, MadeUpOutputs(setting.X().col(0), setting.bounds(), labels)};
  }
  MadeUpRows made_up{
      SpreadPoints(setting.lower(), setting.upper(), setting.rows()), {}};
  if (!setting.output_name().empty()) {
    made_up.outputs =
        MadeUpOutputs(made_up.inputs.col(0), setting.bounds(), labels);
  }
  return made_up;
}

bool CountsRows(const Task& task) {
  const auto* density = std::get_if<Density>(&task);
  return std::holds_alternative<HistogramTask>(task) ||
         (density != nullptr && density->method == Density::kOptimal);
}

void AuditPlannedRelease(const ReleaseArguments& arguments,
                         const AuditOptions& options, const Streams& streams,
                         const RandomnessSource& randomness) {
  ProgressBar bar(streams.err, streams.err_is_terminal && !arguments.quiet);
  Request request = RequestOf(arguments);
  const Table table = ReadTables(arguments, streams, request);
  RequireInput(!CountsRows(request.task),
               "counts cannot be audited before they are released: an audit "
               "attacks Gaussian releases of sums; the file that is written "
               "can be audited");
  const std::unique_ptr<Plan> plan =
      PlanRelease(request, table, bar.AsProgress());
  const PlanAudit audit =
      AuditPlan(*plan, MadeUpFor(request, table), options, request.threads,
                randomness, bar.AsProgress());
  bar.Erase();
  Conclude(arguments, streams, AuditText(audit), AuditJson(audit),
           audit.accusations);
}

}  // namespace

void RunAudit(const AuditArguments& arguments, const Streams& streams,
              const RandomnessSource& randomness) {
  RequireInput(
      !arguments.data.empty(),
      "audit needs a table and the options of its release, or a "
      "release file: cloak audit DATA.csv … or cloak audit FILE.cloak");
  const AuditOptions options = CheckAudit(arguments);
  if (IsReleaseFile(arguments)) {
    AuditReleaseFile(arguments, streams);
    return;
  }
  // The outputs stay closed: what is attacked is made up.
  ReleaseArguments plan = arguments;
  plan.dry_run = true;
  AuditPlannedRelease(plan, options, streams, randomness);
}

}  // namespace cloak
