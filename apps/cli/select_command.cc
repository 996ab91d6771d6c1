#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/candidates.h"
#include "apps/cli/commands.h"
#include "apps/cli/deliver_release.h"
#include "apps/cli/files.h"
#include "apps/cli/option_values.h"
#include "apps/cli/printable.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_request.h"
#include "apps/cli/select_summary.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/custodian/model_choice.h"
#include "cloak/models/outputs/linear_prediction.h"

namespace cloak {
namespace {

constexpr char kDefaultFolds[] = "5";
constexpr Index kMostFolds = 1'000'000;
constexpr size_t kTriesOfEach = 5;
// Each is a release, made after the charge.
constexpr size_t kMostTries = 1000;

// What `cloak release` would be asked for by each candidate: the same columns,
// bounds and budget.
std::vector<Request> RequestsOf(
    const std::vector<ReleaseArguments>& candidates,
    const std::function<Request(const ReleaseArguments&)>& request) {
  std::vector<Request> requests;
  for (const ReleaseArguments& candidate : candidates) {
    try {
      requests.push_back(request(candidate));
    } catch (const InvalidInput& error) {
      throw InvalidInput(Text("candidate ", requests.size() + 1, " (",
                              ShellText(WordsOf(candidate)),
                              "): ", WithOptionNames(error.what())));
    }
  }
  return requests;
}

std::vector<Regression> TasksOf(const std::vector<Request>& requests) {
  std::vector<Regression> tasks;
  tasks.reserve(requests.size());
  for (const Request& request : requests) {
    tasks.push_back(std::get<Regression>(request.task));
  }
  return tasks;
}

// The epsilon and delta of the release that follows, with private outputs.
Budget ReleaseBudgetOf(const SelectArguments& arguments) {
  const std::string& epsilon =
      Required(arguments.release_epsilon,
               "--release-epsilon is missing: what the release that follows is "
               "to spend; its noise decides which candidate is best");
  const std::string& delta =
      Required(arguments.release_delta,
               "--release-delta is missing: the delta of the release that "
               "follows, well below 1 / rows, such as 1e-5");
  return {ParseNumber(epsilon, "--release-epsilon"),
          ParseNumber(delta, "--release-delta")};
}

double ChoiceEpsilonOf(const SelectArguments& arguments) {
  const double epsilon = ParseNumber(
      Required(arguments.epsilon,
               "--epsilon is missing: what the choice may spend; the release "
               "spends its own (--release-epsilon) besides"),
      "--epsilon");
  RequireInput(epsilon > 0 && epsilon <= Budget::kMaxEpsilon,
               "--epsilon must be positive and at most ", Budget::kMaxEpsilon,
               ", but is ", epsilon);
  return epsilon;
}

void RequireLinear(const ReleaseArguments& candidate) {
  std::vector<std::string> names;
  for (const Regression::Method method : LinearMethods()) {
    names.push_back(NameOf(method));
  }
  RequireInput(std::count(names.begin(), names.end(), candidate.method) > 0,
               "--method must be ", Join(names, " or "), ", but is '",
               candidate.method, "'");
}

Request LinearRequestOf(const ReleaseArguments& candidate) {
  RequireLinear(candidate);
  ReleaseArguments release = candidate;
  release.epsilon = candidate.release_epsilon;
  release.delta = candidate.release_delta;
  const Regression::Method method = RegressionMethodNamed(candidate.method);
  if (NeedsQueryPoints(method)) release.at = "QUERIES.csv";  // rows held out
  Request request = RequestOf(release);
  const auto& task = std::get<Regression>(request.task);
  RequireInput(
      method != Regression::kOptimal || (task.kernel && task.noise_variance),
      "a candidate says everything, --kernel and --noise-variance: "
      "what is left out is learned from the release, at no cost, and "
      "is not to be chosen");
  return request;
}

void PrintSelection(const SelectSummary& summary,
                    const SelectArguments& arguments, const Streams& streams) {
  if (arguments.json) {
    streams.out << SelectJson(summary);
    return;
  }
  if (!arguments.quiet) {
    std::ostream& stream = arguments.dry_run ? streams.out : streams.err;
    stream << Printable(SelectText(summary)) << std::flush;
  }
  // Standard output may be the file.
  if (summary.chosen && arguments.file != "-") {
    streams.out << Printable(summary.candidates[*summary.chosen].Text())
                << "\n";
  }
}

SelectSummary SummariseChoice(const ModelChoice& choice, const Request& request,
                              const std::vector<ReleaseArguments>& candidates,
                              const Budget& release, Index folds) {
  SelectSummary summary;
  summary.inputs = request.inputs;
  summary.output = request.OutputName();
  summary.folds = folds;
  summary.release_epsilon = release.epsilon();
  summary.release_delta = release.delta();
  for (size_t i = 0; i < candidates.size(); ++i) {
    summary.candidates.push_back({candidates[i], choice.figures()[i]});
  }
  summary.worth = choice.worth();
  RequireInput(summary.worth.size() > 1,
               "only one candidate is worth choosing, so that no choice "
               "need be paid for: give cloak release\n  ",
               summary.candidates[summary.worth[0]].Text());
  summary.privacy = choice.privacy();
  return summary;
}

// Candidates are compared by the rows held out, and the best is named.
void SelectForOutputs(const SelectArguments& arguments, const Streams& streams,
                      const RandomnessSource& randomness) {
  const double epsilon = ChoiceEpsilonOf(arguments);
  const Budget release = ReleaseBudgetOf(arguments);
  const Index folds = WholeNumber(arguments.folds.value_or(kDefaultFolds),
                                  "--folds", 2, kMostFolds);
  RequireInput(
      !arguments.show_probabilities ||
          (streams.err_is_terminal && !arguments.dry_run),
      "--show-probabilities shows what is private, on a terminal alone: not in "
      "a file, a pipe or a log, and not in a dry run, which opens no output");
  CheckDestination(arguments, {arguments.grid.value_or("-")});
  const std::vector<ReleaseArguments> candidates =
      ReadCandidates(arguments, streams);
  const std::vector<Request> requests = RequestsOf(candidates, LinearRequestOf);
  Request request = requests.front();
  const Table table = ReadTables(arguments, streams, request);
  std::optional<LedgerCharge> ledger = LedgerOf(arguments, request, table);
  ProgressBar bar(streams.err, streams.err_is_terminal && !arguments.quiet);
  ModelChoice choice(request, TasksOf(requests), epsilon, folds, table,
                     /*closed=*/arguments.dry_run, randomness,
                     bar.AsProgress());
  bar.Erase();
  if (ledger) choice.ChargeTo(*std::move(ledger));
  SelectSummary summary =
      SummariseChoice(choice, request, candidates, release, folds);
  if (arguments.dry_run) {
    summary.ledger = choice.Price();
  } else {
    choice.Choose(randomness,
                  [&](size_t chosen, const std::optional<Bill>& bill) {
                    summary.chosen = chosen;
                    summary.ledger = bill;
                    summary.file = arguments.file;
                    if (summary.file) {
                      WriteOutput(*summary.file, SelectJson(summary), streams);
                    }
                    if (!arguments.show_probabilities) return;
                    std::vector<std::string> names;
                    for (const auto& candidate : summary.candidates) {
                      names.push_back(Printable(candidate.Text()));
                    }
                    choice.ShowProbabilities(CustodianView(streams.err), names);
                  });
  }
  PrintSelection(summary, arguments, streams);
}

// How many inducing points there are in each input of a regular grid.
std::string InducingText(const Matrix& grid) {
  std::vector<std::string> counts;
  for (Index j = 0; j < grid.cols(); ++j) {
    const std::set<double> places(grid.col(j).begin(), grid.col(j).end());
    counts.push_back(Text(places.size()));
  }
  return Join(counts, ",");
}

// The candidate that was released as arguments of `cloak release`, which would
// spend again.
std::string ChosenText(const Release& release) {
  const ReleaseContent& content = release.content();
  const Posterior& posterior = content.posteriors.front();
  std::vector<std::string> words = {
      "--method",         content.method,
      "--kernel",         posterior.kernel.ToString(),
      "--noise-variance", NumberText(posterior.noise_variance)};
  if (RegressionMethodNamed(content.method) == Regression::kVariational) {
    words.emplace_back("--inducing");
    words.push_back(InducingText(content.basis_points));
  }
  return ShellText(words);
}

std::string CandidatesText(const std::vector<ReleaseArguments>& candidates,
                           Index tries) {
  std::string text = Text(
      candidates.size(), " candidates, of which about ", tries,
      " are tried at random: one half of the rows\ntrains them, the other "
      "scores them, and the best is released. It spends as much\nas all of "
      "them together need, so that its noise is larger than that of a release\n"
      "whose hyperparameters are learned from it (--kernel left out).\n");
  for (const ReleaseArguments& candidate : candidates) {
    text += Text("  ", ShellText(WordsOf(candidate)), "\n");
  }
  return text + "\n";
}

// Candidates are tried at random, and the best is released at once.
void SelectForRows(const SelectArguments& arguments, const Streams& streams,
                   const RandomnessSource& randomness) {
  const std::vector<ReleaseArguments> candidates =
      ReadCandidates(arguments, streams);
  const std::vector<Request> requests = RequestsOf(candidates, RequestOf);
  const Index tries = WholeNumber(
      arguments.tries.value_or(
          Text(std::min(kTriesOfEach * candidates.size(), kMostTries))),
      "--tries", 2, kMostTries);
  RequireInput(arguments.dry_run || arguments.file.has_value(),
               "-o FILE.cloak is missing: the file to write; or --dry-run to "
               "see the price first");
  CheckDestination(arguments, {arguments.grid.value_or("-")});
  Request request = requests.front();
  const Table table = ReadTables(arguments, streams, request);
  if (!arguments.quiet) {
    std::ostream& stream =
        arguments.dry_run && !arguments.json ? streams.out : streams.err;
    stream << Printable(CandidatesText(candidates, tries));
  }
  const std::vector<Regression> tasks = TasksOf(requests);
  const std::optional<Release> made = DeliverRelease(
      arguments, request, table,
      [&](const Progress& progress) {
        progress("planning the candidates", 0);
        return PlanChoice(request, tasks,
                          std::get<Budget>(tasks.front().budget), tries, table);
      },
      streams, randomness, ChosenText);
  // Standard output may be the file.
  if (made && arguments.file != "-" && !arguments.json) {
    streams.out << Printable(ChosenText(*made)) << "\n";
  }
}

}  // namespace

void RunSelect(const SelectArguments& arguments, const Streams& streams,
               const RandomnessSource& randomness) {
  RequireInput(!arguments.data.empty(),
               "select needs the table: cloak select DATA.csv …");
  RequireSelectBelonging(arguments);
  if (ProtectOf(arguments) == Protection::kRows) {
    SelectForRows(arguments, streams, randomness);
  } else {
    SelectForOutputs(arguments, streams, randomness);
  }
}

}  // namespace cloak
