#include "apps/cli/deliver_release.h"

#include <utility>

#include "apps/cli/files.h"
#include "apps/cli/printable.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_request.h"
#include "apps/cli/release_summary.h"
#include "cloak/base/error.h"

namespace cloak {
namespace {

ReleaseSummary SummarisePlan(const Plan& plan, const Request& request,
                             const ReleaseArguments& arguments) {
  ReleaseSummary summary;
  summary.inputs = request.inputs;
  summary.output = request.OutputName();
  summary.plan = plan.summary();
  summary.warnings = BudgetWarnings(plan.privacy());
  if (ReadingOf(arguments).refuse_missing) {
    summary.warnings.emplace_back(kRefusalTells);
  }
  return summary;
}

void Warn(const ReleaseSummary& summary, const ReleaseArguments& arguments,
          const Streams& streams) {
  if (arguments.quiet) return;
  for (const std::string& warning : summary.warnings) {
    streams.err << "cloak: warning: " << Printable(warning) << "\n";
  }
}

void PrintRelease(const ReleaseSummary& summary,
                  const ReleaseArguments& arguments, const Streams& streams) {
  if (arguments.json) {
    streams.out << SummaryJson(summary);
  } else if (!arguments.quiet) {
    // The price is what a dry run is for; beside a release it is a remark,
    // and standard output may be the release itself.
    std::ostream& stream = arguments.dry_run ? streams.out : streams.err;
    stream << Printable(SummaryText(summary)) << std::flush;
  }
}

// Replaces what the plan could only guess by what the release turned out to be.
void Correct(const Release& release, ReleaseSummary& summary) {
  const ReleaseContent& content = release.content();
  summary.plan.rank = static_cast<Index>(NumbersReleased(content));
  summary.plan.rank_is_a_guess = false;
  summary.plan.method = content.method;
  summary.plan.design = content.design;
  summary.plan.privacy = content.privacy;
}

}  // namespace

void CheckDestination(const ReleaseArguments& arguments,
                      const std::vector<std::string>& read) {
  if (arguments.dry_run) return;
  RequireInput(!(arguments.json && arguments.file == "-"),
               "--json and -o - would both write to standard output; give one "
               "of them a file, or leave it out");
  std::vector<std::string> sources = read;
  sources.push_back(arguments.data);
  sources.push_back(arguments.ledger.value_or("-"));
  CheckNewOutput(arguments.file.value_or("-"), arguments.overwrite, sources);
}

std::optional<LedgerCharge> LedgerOf(const ReleaseArguments& arguments,
                                     const Request& request,
                                     const Table& table) {
  if (!arguments.ledger.has_value()) return {};
  return LedgerCharge({*arguments.ledger, arguments.dataset}, request, table,
                      /*closed=*/arguments.dry_run);
}

std::optional<Release> DeliverRelease(
    const ReleaseArguments& arguments, const Request& request,
    const Table& table,
    const std::function<std::unique_ptr<Plan>(const Progress&)>& plan,
    const Streams& streams, const RandomnessSource& randomness,
    const std::function<std::string(const Release&)>& chosen) {
  std::optional<LedgerCharge> ledger = LedgerOf(arguments, request, table);
  ProgressBar bar(streams.err, streams.err_is_terminal && !arguments.quiet);
  PendingRelease pending(request, table, plan(bar.AsProgress()));
  if (ledger) pending.ChargeTo(*std::move(ledger));
  ReleaseSummary summary = SummarisePlan(pending.plan(), request, arguments);
  // Before anything is spent.
  bar.Erase();
  Warn(summary, arguments, streams);
  const std::string file = arguments.file.value_or("-");
  std::optional<Release> release;
  if (arguments.dry_run) {
    summary.ledger = pending.Price(file);
  } else {
    release = pending.Make(randomness,
                           {file, [&](const std::string& bytes) {
                              WriteOutput(file, bytes, streams);
                              summary.written = {
                                  IsStream(file) ? "standard output" : file,
                                  bytes.size()};
                            }});
    summary.ledger = pending.bill();
    if (chosen) summary.chosen = chosen(*release);
    Correct(*release, summary);
  }
  bar.Erase();
  PrintRelease(summary, arguments, streams);
  return release;
}

}  // namespace cloak
