#include "apps/cli/select_rows.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "apps/cli/candidates.h"
#include "apps/cli/files.h"
#include "apps/cli/make_release.h"
#include "apps/cli/printable.h"
#include "apps/cli/release_plan.h"
#include "apps/cli/release_request.h"
#include "apps/cli/whole_number.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/rows/selected_plan.h"

namespace cloak {
namespace {

constexpr size_t kTriesOfEach = 5;
// Each is a release, made after the charge.
constexpr size_t kMostTries = 1000;

void RefuseOutputCandidates(const SelectArguments& arguments) {
  const std::vector<std::pair<std::string, bool>> given = {
      {"--release-epsilon", arguments.plan.epsilon.has_value()},
      {"--release-delta", arguments.plan.delta.has_value()},
      {"--folds", arguments.folds.has_value()},
      {"--show-probabilities", arguments.show_probabilities}};
  for (const auto& [option, is_given] : given) {
    RequireInput(!is_given, option,
                 " belongs to --protect outputs; with --protect rows the "
                 "best candidate is released at once, and --epsilon and "
                 "--delta are for all of it");
  }
}

// What `cloak release` would be given for one candidate.
ReleaseArguments ReleaseOf(const SelectArguments& arguments,
                           const ModelArguments& model) {
  ReleaseArguments release = arguments.plan;
  static_cast<ModelArguments&>(release) = model;
  release.epsilon = arguments.epsilon;
  release.delta = arguments.delta;
  return release;
}

std::vector<ReleaseRequest> CheckCandidates(
    const SelectArguments& arguments,
    const std::vector<ModelArguments>& models) {
  std::vector<ReleaseRequest> requests;
  for (const ModelArguments& model : models) {
    try {
      requests.push_back(CheckRelease(ReleaseOf(arguments, model)));
    } catch (const InvalidInput& error) {
      throw InvalidInput(Text("candidate ", requests.size() + 1, " (",
                              ShellText(WordsOf(model)), "): ", error.what()));
    }
  }
  return requests;
}

SelectedPlanOptions CheckTries(const SelectArguments& arguments,
                               size_t candidates) {
  const Index tries = WholeNumber(arguments.tries.value_or(Text(std::min(
                                      kTriesOfEach * candidates, kMostTries))),
                                  "--tries", 2, kMostTries);
  SelectedPlanOptions options;
  options.repeats = NegativeBinomialRepeats(1, 1 / static_cast<double>(tries));
  return options;
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

// As arguments of `cloak release`, which would spend again.
std::string ChosenText(const Release& release) {
  const ReleaseContent& content = release.content();
  const Posterior& posterior = content.posteriors.front();
  std::vector<std::string> words = {
      "--method",         content.method,
      "--kernel",         posterior.kernel.ToString(),
      "--noise-variance", NumberText(posterior.noise_variance)};
  if (content.method == kVariational) {
    words.emplace_back("--inducing");
    words.push_back(InducingText(content.basis_points));
  }
  return ShellText(words);
}

std::string CandidatesText(const std::vector<ModelArguments>& models,
                           const SelectedPlanOptions& options) {
  const double gamma =
      std::get<NegativeBinomialRepeats>(options.repeats).gamma();
  std::string text = Text(
      models.size(), " candidates, of which about ", RoundedText(1 / gamma),
      " are tried at random: one half of the rows\ntrains them, the other "
      "scores them, and the best is released. It spends as much\nas all of "
      "them together need, so that its noise is larger than that of a release\n"
      "whose hyperparameters are learned from it (--kernel left out).\n");
  for (const ModelArguments& model : models) {
    text += Text("  ", ShellText(WordsOf(model)), "\n");
  }
  return text + "\n";
}

}  // namespace

void SelectRows(const SelectArguments& arguments, const Streams& streams,
                const RandomnessSource& randomness) {
  RefuseOutputCandidates(arguments);
  const std::vector<ModelArguments> models = ReadCandidates(arguments, streams);
  const std::vector<ReleaseRequest> requests =
      CheckCandidates(arguments, models);
  const SelectedPlanOptions options = CheckTries(arguments, requests.size());
  const ReleaseArguments release = ReleaseOf(arguments, models.front());
  if (!release.dry_run) {
    CheckNewOutput(release.file.value_or("-"), release.overwrite,
                   {release.data, arguments.grid.value_or("-"),
                    release.ledger.value_or("-")});
  }
  const ReleaseInputs inputs = ReadInputs(release, requests.front(), streams);
  const auto make_plan = [&](ProgressBar& bar) {
    std::vector<PlanFactory> candidates;
    candidates.reserve(requests.size());
    for (const ReleaseRequest& request : requests) {
      candidates.emplace_back([&request](const RowsSetting& setting) {
        return PlanRows(setting, *request.rows);
      });
    }
    bar.Show("planning the candidates", 0);
    return std::make_unique<SelectedPlan>(RowsSettingOf(inputs, NoProgress),
                                          candidates, options);
  };
  if (!release.quiet) {
    std::ostream& stream =
        release.dry_run && !release.json ? streams.out : streams.err;
    stream << Printable(CandidatesText(models, options));
  }
  const std::optional<Release> made =
      MakeRelease(release, inputs, make_plan, streams, randomness, ChosenText);
  // Standard output may be the file.
  if (made && release.file != "-" && !release.json) {
    streams.out << Printable(ChosenText(*made)) << "\n";
  }
}

}  // namespace cloak
