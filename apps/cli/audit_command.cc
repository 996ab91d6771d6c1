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
#include "cloak/audit/release_audit.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

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
        Text("--releases must be a whole number, but is ", releases));
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
  RequirePrivacy(
      accusations.empty(),
      Text("the audit refutes the privacy claim: ", Join(accusations, "; ")));
}

void AuditReleaseFile(const ReleaseArguments& arguments,
                      const Streams& streams) {
  const FileAudit audit = AuditFile(ReadRelease(arguments.data, streams));
  Conclude(arguments, streams, AuditText(audit), AuditJson(audit),
           audit.accusations);
}

void AuditPlan(const ReleaseArguments& arguments, const AuditOptions& options,
               const Streams& streams, const RandomnessSource& randomness) {
  ProgressBar bar(streams.err, streams.err_is_terminal && !arguments.quiet);
  const ReleaseInputs inputs =
      ReadInputs(arguments, CheckRelease(arguments), streams);
  RequireInput(!inputs.request.rows && !inputs.request.spread,
               "--protect rows cannot be audited yet: an audit attacks one "
               "Gaussian release of outputs");
  const std::unique_ptr<Plan> plan =
      Planning([&] { return PlanRelease(inputs, bar); });
  RequireInput(plan->mechanism() != nullptr,
               Text("an audit attacks one Gaussian release, and the method '",
                    plan->summary().method,
                    "', as asked for, adds another noise or takes a second "
                    "step that is chosen by the first"));
  const GaussianMechanism& mechanism = *plan->mechanism();
  const AuditReport report = AuditRelease(
      ReleaseOf(mechanism), FarthestNeighbours(mechanism, plan->units()),
      ClaimOf(mechanism), options, inputs.request.threads, randomness,
      [&bar](std::string_view stage, double done) { bar.Show(stage, done); });
  bar.Erase();
  const int rounds = plan->summary().rounds;
  Conclude(arguments, streams, AuditText(report, mechanism.unit(), rounds),
           AuditJson(report, mechanism.unit(), rounds), report.accusations);
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
  AuditPlan(plan, options, streams, randomness);
}

}  // namespace cloak
