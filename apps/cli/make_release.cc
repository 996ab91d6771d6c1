#include "apps/cli/make_release.h"

#include <string>

#include "apps/cli/files.h"
#include "apps/cli/printable.h"
#include "apps/cli/release_summary.h"
#include "cloak/release/file_format.h"

namespace cloak {
namespace {

ReleaseSummary SummarisePlan(const Plan& plan,
                             const RegressionOptions& options) {
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

// Writes the release to a file.
ReleaseSummary::Written Written(const Release& release, const std::string& file,
                                const Streams& streams) {
  const std::string bytes = ReleaseToJson(release);
  WriteOutput(file, bytes, streams);
  return {IsStream(file) ? "standard output" : file, bytes.size()};
}

}  // namespace

std::optional<Release> MakeRelease(
    const ReleaseArguments& arguments, const ReleaseInputs& inputs,
    const std::function<std::unique_ptr<Plan>(ProgressBar&)>& make_plan,
    const Streams& streams, const RandomnessSource& randomness,
    const std::function<std::string(const Release&)>& chosen) {
  const RegressionOptions& options = inputs.request.options;
  std::optional<ReleaseCharge> charge;
  if (arguments.ledger.has_value()) {
    charge.emplace(*arguments.ledger, arguments, options, inputs.table);
  }
  ProgressBar bar(streams.err, streams.err_is_terminal && !arguments.quiet);
  const std::unique_ptr<Plan> plan = Planning([&] { return make_plan(bar); });
  ReleaseSummary summary = SummarisePlan(*plan, options);
  if (arguments.missing == "refuse") {
    summary.warnings.emplace_back(kRefusalTells);
  }
  // Before anything is spent.
  bar.Erase();
  Warn(summary, arguments, streams);
  std::optional<Release> release;
  if (arguments.dry_run) {
    if (charge) summary.ledger = charge->Price(charge->CostOf(*plan));
  } else {
    if (charge) summary.ledger = charge->Charge(charge->CostOf(*plan));
    summary.written = AfterCharge(summary.ledger, [&] {
      Randomness noise = randomness();
      release.emplace(plan->Execute(PrivatePart(inputs), noise));
      return Written(*release, arguments.file.value_or("-"), streams);
    });
    if (chosen) summary.chosen = chosen(*release);
    Correct(*release, summary);
  }
  bar.Erase();
  PrintRelease(summary, arguments, streams);
  return release;
}

}  // namespace cloak
