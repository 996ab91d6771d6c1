#include "apps/cli/select_request.h"

#include <string>
#include <utility>

#include "apps/cli/candidates.h"
#include "apps/cli/files.h"
#include "apps/cli/required.h"
#include "apps/cli/whole_number.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/outputs/linear_prediction.h"

namespace cloak {
namespace {

constexpr char kDefaultFolds[] = "5";

double CheckEpsilon(const SelectArguments& arguments) {
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

void CheckReleaseBudget(const ReleaseArguments& plan) {
  const std::string& epsilon =
      Required(plan.epsilon,
               "--release-epsilon is missing: what the release that follows is "
               "to spend; its noise decides which candidate is best");
  const std::string& delta =
      Required(plan.delta,
               "--release-delta is missing: the delta of the release that "
               "follows, well below 1 / rows, such as 1e-5");
  Budget(ParseNumber(epsilon, "--release-epsilon"),
         ParseNumber(delta, "--release-delta"));
}

void CheckMethodName(const std::string& name) {
  std::vector<std::string> names;
  for (const RegressionOptions::Method method : LinearMethods()) {
    if (NameOf(method) == name) return;
    names.push_back(NameOf(method));
  }
  throw InvalidInput(
      Text("--method must be ", Join(names, " or "), ", but is '", name, "'"));
}

// The release that `cloak release` would make of it, with its own checks.
SelectRequest::Candidate CheckCandidate(const SelectArguments& arguments,
                                        const ModelArguments& model) {
  CheckMethodName(model.method);
  ReleaseArguments release = arguments.plan;
  static_cast<ModelArguments&>(release) = model;
  release.dry_run = true;  // it has no file yet
  if (model.method == "cloaking" || model.method == "nonstationary-cloaking") {
    release.at = "QUERIES.csv";  // the rows held out
  }
  ReleaseRequest request = CheckRelease(release);
  const RegressionOptions& options = request.options;
  const bool learns = options.method == RegressionOptions::kOptimal &&
                      !(options.kernel && options.noise_variance);
  RequireInput(!learns,
               "a candidate says everything, --kernel and --noise-variance: "
               "what is left out is learned from the release, at no cost, and "
               "is not to be chosen");
  return {model, std::move(request)};
}

}  // namespace

SelectRequest CheckSelect(const SelectArguments& arguments,
                          const Streams& streams) {
  const std::vector<std::pair<std::string, bool>> of_rows = {
      {"--delta", arguments.delta.has_value()},
      {"--tries", arguments.tries.has_value()},
      {"--input-ranges", arguments.plan.input_ranges.has_value()}};
  for (const auto& [option, given] : of_rows) {
    RequireInput(!given, option, " belongs to --protect rows");
  }
  SelectRequest request;
  request.epsilon = CheckEpsilon(arguments);
  CheckReleaseBudget(arguments.plan);
  request.folds = WholeNumber(arguments.folds.value_or(kDefaultFolds),
                              "--folds", 2, 1'000'000);
  RequireInput(
      !arguments.show_probabilities ||
          (streams.err_is_terminal && !arguments.plan.dry_run),
      "--show-probabilities shows what is private, on a terminal alone: not in "
      "a file, a pipe or a log, and not in a dry run, which opens no output");
  const std::string file = arguments.plan.file.value_or("-");
  RequireInput(!(arguments.plan.json && arguments.plan.file == "-"),
               "--json and -o - would both write to standard output; leave out "
               "one of them");
  if (!arguments.plan.dry_run) {
    CheckNewOutput(file, arguments.plan.overwrite,
                   {arguments.plan.data, arguments.grid.value_or("-"),
                    arguments.plan.ledger.value_or("-")});
  }
  for (const ModelArguments& model : ReadCandidates(arguments, streams)) {
    try {
      request.candidates.push_back(CheckCandidate(arguments, model));
    } catch (const InvalidInput& error) {
      throw InvalidInput(Text("candidate ", request.candidates.size() + 1, " (",
                              ShellText(WordsOf(model)), "): ", error.what()));
    }
  }
  return request;
}

}  // namespace cloak
