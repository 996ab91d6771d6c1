#include "apps/cli/release_options.h"

#include <algorithm>
#include <type_traits>

#include "apps/cli/option.h"
#include "cloak/base/error.h"
#include "cloak/models/outputs/linear_prediction.h"
#include "cloak/models/task.h"
#include "cloak/release/kind.h"

namespace cloak {
namespace {

constexpr unsigned kEveryCommand = kRelease | kSelect | kAudit;
constexpr unsigned kRegression = Bit(TaskKind::kRegression);
constexpr unsigned kClassification = Bit(TaskKind::kClassification);
constexpr unsigned kSvm = Bit(TaskKind::kSvm);
constexpr unsigned kHistogram = Bit(TaskKind::kHistogram);
constexpr unsigned kDensity = Bit(TaskKind::kDensity);
constexpr unsigned kOutputs = Bit(Protection::kOutputs);
constexpr unsigned kRows = Bit(Protection::kRows);

// Returns the tasks whose releases have an output, and those where it is a
// label.
unsigned TasksWith(bool ReleaseKind::*part) {
  unsigned tasks = 0;
  for (const TaskKind task : AllOf<TaskKind>()) {
    if (KindOf(task).*part) tasks |= Bit(task);
  }
  return tasks;
}

// Returns every method there is, those for public inputs first.
std::string MethodNames() {
  std::vector<std::string> names;
  for (const Protection protect : AllOf<Protection>()) {
    for (const TaskKind task : AllOf<TaskKind>()) {
      for (const std::string& name : MethodsOf(task, protect)) {
        if (std::count(names.begin(), names.end(), name) == 0) {
          names.push_back(name);
        }
      }
    }
  }
  return Join(names, "|");
}

// Returns the methods of which `select` can choose.
std::string ChoosableNames() {
  std::vector<std::string> names;
  for (const Regression::Method method : LinearMethods()) {
    names.push_back(NameOf(method));
  }
  names.push_back(NameOf(Regression::kVariational));
  return Join(names, "|");
}

using Arguments = ReleaseArguments;

// The table of options, in the order of help.
class OptionTable {
 public:
  std::vector<ReleaseOption> Make() {
    DefineColumns();
    DefineBudget();
    DefineModel();
    DefineTasks();
    DefineWork();
    return std::move(all_);
  }

 private:
  // Adds an option of `release` and `audit`; what is special of it is said of
  // what is returned.
  ReleaseOption& Add(const std::string& name, ReleaseOption::Member member,
                     const std::string& value, const std::string& help) {
    return all_.emplace_back(ReleaseOption{name, member, value, help});
  }

  void DefineColumns();
  void DefineBudget();
  void DefineModel();
  void DefineTasks();
  void DefineWork();

  std::vector<ReleaseOption> all_;
};

void OptionTable::DefineColumns() {
  const unsigned with_output = TasksWith(&ReleaseKind::has_output);
  const unsigned with_labels = TasksWith(&ReleaseKind::has_labels);
  const unsigned with_number = with_output & ~with_labels;
  Add("--task", &Arguments::task, Join(NamesOfAll<TaskKind>(), "|"),
      "What the output is: a number (default) or one of two classes; with "
      "--protect rows also the classes by a support vector machine (svm), or, "
      "without an output, how many rows there are where");
  Add("--inputs", &Arguments::inputs, "NAMES",
      "Input columns, separated by commas; public unless --protect rows. A "
      "name that has a comma or '=' in it stands in double quotes")
      .Of(kEveryCommand);
  Add("--output", &Arguments::output, "NAME",
      "Private column, to be predicted from the inputs")
      .Of(kEveryCommand)
      .In({{with_output}});
  Add("--bounds", &Arguments::bounds, "LO:HI",
      "Where outputs lie, from public knowledge; values outside are clipped")
      .Of(kEveryCommand)
      .In({{with_number}});
  Add("--protect", &Arguments::protect, Join(NamesOfAll<Protection>(), "|"),
      "What is private, which nobody but you can say: the outputs, while "
      "anybody may know the inputs; or whole rows, inputs too, for more noise")
      .Of(kEveryCommand);
  Add("--unit", &Arguments::unit, "NAME",
      "Public column that says whose row it is: protects all outputs of a "
      "person at once (default: each row by itself)")
      .Of(kEveryCommand)
      .In({{with_output, kOutputs}});
  Add("--missing", &Arguments::missing, "accept|refuse",
      "Private cells that are missing or malformed: they add nothing, and "
      "nobody learns which they are (default); or are refused, so that whoever "
      "sees this command fail learns of one")
      .Of(kEveryCommand);
  Add("--missing-values", &Arguments::missing_values, "LIST",
      "What stands for a missing value in private columns, separated by "
      "commas, such as -999, beside an empty cell, NA, N/A, NaN, null and a "
      "dot")
      .Of(kEveryCommand);
  Add("--prior-mean", &Arguments::prior_mean, "Y",
      "Where the function lies far from all data, from public knowledge "
      "(default: the middle of the bounds)")
      .Of(kEveryCommand)
      .In({{with_number}});
  Add("--classes", &Arguments::classes, "NO,YES",
      "The two classes of --task classification and svm, as the table spells "
      "them, from public knowledge; probabilities are those of the second")
      .In({{with_labels}});
}

void OptionTable::DefineBudget() {
  Add("--epsilon", &Arguments::epsilon, "E",
      "Privacy loss: smaller is more private; 1 is a common choice");
  Add("--delta", &Arguments::delta, "D",
      "Probability left outside the guarantee: well below 1 / rows");
  Add("--epsilon", &Arguments::epsilon, "E",
      "Privacy loss of the choice; the release spends its own besides, but "
      "with --protect rows it is part of the choice")
      .Of(kSelect);
  Add("--delta", &Arguments::delta, "D",
      "With --protect rows: probability left outside the guarantee")
      .Of(kSelect)
      .In({{kAnyTask, kRows}});
  Add("--release-epsilon", &Arguments::release_epsilon, "E",
      "Epsilon that the release is to spend: its noise counts in the choice")
      .Of(kSelect)
      .In({{kAnyTask, kOutputs}});
  Add("--release-delta", &Arguments::release_delta, "D",
      "Delta of that release")
      .Of(kSelect)
      .In({{kAnyTask, kOutputs}});
}

void OptionTable::DefineModel() {
  const unsigned with_output = TasksWith(&ReleaseKind::has_output);
  const size_t first = all_.size();
  const std::string method =
      "optimal (default): the statistic that leaves the least uncertainty "
      "anywhere, all learned from it; the others are published methods, to "
      "compare with";
  Add("--method", &Arguments::method, MethodNames(), method);
  Add("--method", &Arguments::method, ChoosableNames(), method).Of(kSelect);
  Add("--design", &Arguments::design, "bayes|volume|trace",
      "How the noise is shaped (default: the best for the method)")
      .Of(kEveryCommand)
      .In({{kRegression | kClassification, kOutputs}})
      .Called("design");
  Add("--kernel", &Arguments::kernel, "EXPR",
      "Covariance function (default: bias + eq with a lengthscale per input, "
      "learned from the release itself at no privacy cost)")
      .Of(kEveryCommand)
      .In({{with_output}})
      .Called("kernel");
  Add("--noise-variance", &Arguments::noise_variance, "V",
      "Variance of an observation around the function (default: learned)")
      .Of(kEveryCommand)
      .In({{kRegression}})
      .Called("noise variance");
  Add("--inducing", &Arguments::inducing, "M",
      "Inducing points of sparse methods, placed by k-means (default: 10); of "
      "--method variational, on a grid: a number for all inputs, or one for "
      "each (default: 9, fewer with more than two)")
      .Of(kEveryCommand)
      .In({{kRegression, kOutputs, {NameOf(Regression::kSparseCloaking)}},
           {kRegression, kRows, {NameOf(Regression::kVariational)}},
           {kClassification,
            kOutputs,
            {NameOf(Classification::kLaplaceSparse)}}})
      .Called("inducing points");
  Add("--neighbours", &Arguments::neighbours, "N",
      "Rows within about a lengthscale, for --method nonstationary-cloaking "
      "(default: 20)")
      .Of(kEveryCommand)
      .In({{kRegression,
            kOutputs,
            {NameOf(Regression::kNonstationaryCloaking)}}});
  Add("--degree", &Arguments::degree, "P",
      "Degree of --method polynomial, 0 to 5 (default: 1)")
      .Of(kEveryCommand)
      .In({{kRegression, kOutputs, {NameOf(Regression::kPolynomial)}}});
  for (size_t i = first; i < all_.size(); ++i) all_[i].model = true;
}

void OptionTable::DefineTasks() {
  const std::vector<std::string> binned = {
      NameOf(Regression::kBinning), NameOf(Regression::kIntegralBinning)};
  const std::vector<std::string> optimal = {NameOf(Regression::kOptimal)};
  Add("--noise-column", &Arguments::noise_column, "NAME",
      "Public column with the noise variance of each row")
      .In({{kRegression, kOutputs}});
  Add("--newton-steps", &Arguments::newton_steps, "N",
      "Private steps of --method laplace, 1 or 2, which share the budget "
      "(default: 1)")
      .In({{kClassification, kOutputs, {NameOf(Classification::kLaplace)}}});
  Add("--cost", &Arguments::cost, "C",
      "What an error costs --task svm; more fits closer and is noisier "
      "(default: by the number of rows and the budget)")
      .In({{kSvm, kRows}});
  Add("--at", &Arguments::at, "QUERIES.csv",
      "Points where accuracy matters, public (default: the rows of the data)")
      .In({{kRegression | kClassification, kOutputs}})
      .Called("query points");
  Add("--bins", &Arguments::bins, "N,…",
      "Bins of the binning methods: a number for all inputs, or one for each "
      "(default: 10); with --protect rows, the cells that inputs are cut in; "
      "of --task histogram, also NAME=N,… (default: 10)")
      .In({{kRegression, kOutputs, binned},
           {kRegression | kClassification | kDensity, kRows, optimal},
           {kHistogram, kRows}});
  Add("--categories", &Arguments::categories, "NAME=LIST,…",
      "Inputs of --task histogram that are not numbers, and what they can be, "
      "from public knowledge, such as sex=F|M; everything else counts as "
      "'other'. What has a comma, '=' or '|' in it stands in double quotes")
      .In({{kHistogram, kRows}});
  Add("--bandwidth", &Arguments::bandwidth, "H,…",
      "Of the kernels of --task density --method functional: a number for all "
      "inputs, or one for each (default: Silverman's rule, from the release)")
      .In({{kDensity, kRows, {NameOf(Density::kFunctional)}}});
  Add("--input-ranges", &Arguments::input_ranges, "NAME=LO:HI,…",
      "Where the inputs lie, from public knowledge: needed with --protect "
      "rows, where rows outside are clipped; otherwise where bins begin and "
      "end (default: the range of each input)")
      .In({{kRegression, kOutputs, binned}, {kAnyTask, kRows}});
  Add("--reproduce", &Arguments::reproduce, "smith2018|smith2021",
      "Add noise as a paper did, to reproduce its figures; needs "
      "--accept-weaker for a release")
      .In({{kRegression | kClassification, kOutputs}});
  Add("--accept-weaker", &Arguments::accept_weaker, "",
      "Release by a paper's own recipe, although it is less accurate at the "
      "same budget")
      .In({{kRegression | kClassification, kOutputs}});
  Add("--compact", &Arguments::compact, "",
      "Leave out of the file what it takes to infer anew from it (cloak "
      "infer), so that it is smaller")
      .In({{kRegression, kOutputs, optimal}});
  Add("--grid", &Arguments::grid, "GRID.txt",
      "File with candidates in place of the options from --method to --degree: "
      "those options, a line for each candidate, or for several, in braces")
      .Of(kSelect);
  Add("--folds", &Arguments::folds, "K",
      "Parts of the table that are held out in turn (default: 5)")
      .Of(kSelect)
      .In({{kAnyTask, kOutputs}});
  Add("--input-ranges", &Arguments::input_ranges, "NAME=LO:HI,…",
      "With --protect rows: where the inputs lie, from public knowledge")
      .Of(kSelect)
      .In({{kAnyTask, kRows}});
  Add("--tries", &Arguments::tries, "N",
      "With --protect rows: how many candidates are tried on average, at "
      "random (default: five times as many as there are, at most 1000)")
      .Of(kSelect)
      .In({{kAnyTask, kRows}});
}

void OptionTable::DefineWork() {
  Add("--threads", &Arguments::threads, "N",
      "Threads to use (default: all cores); results do not depend on it")
      .Of(kEveryCommand);
  Add("--quiet", &Arguments::quiet, "", "Print no summary, warning or progress")
      .Of(kEveryCommand);
  Add("--releases", &Arguments::releases, "N",
      "Releases to make of each of two neighbouring tables, shared by all "
      "attacks (default: 100000)")
      .Of(kAudit);
  Add("--dry-run", &Arguments::dry_run, "",
      "Price the release without opening the outputs or writing a file")
      .Of(kRelease);
  Add("--dry-run", &Arguments::dry_run, "",
      "Price the choice and list the candidates, without opening the outputs")
      .Of(kSelect);
  Add("--json", &Arguments::json, "",
      "Print the summary as JSON on standard output")
      .Of(kRelease);
  Add("--json", &Arguments::json, "",
      "Print the choice as JSON on standard output")
      .Of(kSelect);
  Add("--json", &Arguments::json, "",
      "Print the result as JSON on standard output")
      .Of(kAudit);
  Add("--show-probabilities", &Arguments::show_probabilities, "",
      "Show on the terminal how probable each candidate was, which is "
      "private: for the custodian alone")
      .Of(kSelect)
      .In({{kAnyTask, kOutputs}});
  Add("--ledger", &Arguments::ledger, "LEDGER",
      "Ledger to charge before anything is released: a file or a "
      "postgresql:// URL")
      .Of(kRelease | kSelect);
  Add("--dataset", &Arguments::dataset, "NAME",
      "Data set in the ledger (default: recognised by its private values; in a "
      "dry run, which does not look at them, the only one)")
      .Of(kRelease | kSelect)
      .Called("data set");
  Add("-o", &Arguments::file, "FILE.cloak", "Release file to write")
      .Of(kRelease);
  Add("-o", &Arguments::file, "CHOICE.json",
      "File to write the choice to, as JSON; with --protect rows, the release "
      "of the best candidate")
      .Of(kSelect);
  Add("--overwrite", &Arguments::overwrite, "",
      "Replace the file if there is one: what was paid for it is lost")
      .Of(kRelease | kSelect)
      .Called("replaced");
}

void AddOption(CLI::App* app, const ReleaseOption& option,
               ReleaseArguments& arguments) {
  std::visit(
      [&](const auto member) {
        auto& value = arguments.*member;
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, bool>) {
          AddFlag(app, option.name, value, option.help);
        } else {
          Add(app, option.name, value, option.value, option.help);
        }
      },
      option.member);
}

// Alternatives in braces are checked when they are written out.
void AddCandidateOption(CLI::App* app, const ReleaseOption& option,
                        ReleaseArguments& arguments) {
  AddOption(app, option, arguments);
  if (option.value.find('|') == std::string::npos) return;
  app->get_option(option.name)->get_validator()->active(false);
}

}  // namespace

const std::vector<ReleaseOption>& ReleaseOptions() {
  static const std::vector<ReleaseOption> options = OptionTable().Make();
  return options;
}

void AddReleaseOptions(CLI::App* app, unsigned command,
                       ReleaseArguments& arguments) {
  for (const ReleaseOption& option : ReleaseOptions()) {
    if ((option.commands & command) == 0) continue;
    if (command == kSelect && option.model) {
      AddCandidateOption(app, option, arguments);
    } else {
      AddOption(app, option, arguments);
    }
  }
}

void AddModelOptions(CLI::App* app, ReleaseArguments& arguments) {
  for (const ReleaseOption& option : ReleaseOptions()) {
    if (option.model && (option.commands & kSelect) != 0) {
      AddCandidateOption(app, option, arguments);
    }
  }
}

void AddMissingValues(CLI::App* app, std::optional<std::string>& values) {
  for (const ReleaseOption& option : ReleaseOptions()) {
    if (option.name != "--missing-values") continue;
    Add(app, option.name, values, option.value, option.help);
  }
}

bool IsGiven(const ReleaseOption& option, const ReleaseArguments& arguments) {
  static const ReleaseArguments defaults;
  return std::visit(
      [&](const auto member) { return arguments.*member != defaults.*member; },
      option.member);
}

std::string ValueOf(const ReleaseOption& option,
                    const ReleaseArguments& arguments) {
  if (const auto* text =
          std::get_if<std::string ReleaseArguments::*>(&option.member)) {
    return arguments.**text;
  }
  const auto* optional =
      std::get_if<std::optional<std::string> ReleaseArguments::*>(
          &option.member);
  if (optional == nullptr) throw Error(option.name + " has no value");
  return (arguments.**optional).value_or("");
}

void SetValue(const ReleaseOption& option, const std::string& value,
              ReleaseArguments& arguments) {
  std::visit(
      [&](const auto member) {
        auto& place = arguments.*member;
        if constexpr (!std::is_same_v<std::decay_t<decltype(place)>, bool>) {
          place = value;
        } else {
          throw Error(option.name + " has no value");
        }
      },
      option.member);
}

std::string WithOptionNames(const std::string& message) {
  if (message.find("--") != std::string::npos) return message;
  std::vector<std::string> names;
  std::string value;
  for (const ReleaseOption& option : ReleaseOptions()) {
    if (option.called.empty() ||
        message.find(option.called) == std::string::npos ||
        std::count(names.begin(), names.end(), option.name) > 0) {
      continue;
    }
    names.push_back(option.name);
    value = option.value.empty() ? "" : " " + option.value;
  }
  if (names.empty()) return message;
  return Text(message, "\n(", Join(names, " and "),
              names.size() == 1 ? value : "", ")");
}

}  // namespace cloak
