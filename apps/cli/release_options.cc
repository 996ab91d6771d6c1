#include "apps/cli/release_options.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "apps/cli/option.h"
#include "cloak/base/error.h"
#include "cloak/models/outputs/linear_prediction.h"
#include "cloak/models/task.h"

namespace cloak {
namespace {

constexpr unsigned kCommands = kRelease | kSelect | kAudit;
constexpr unsigned kLabels = kClassification | kSvm;
constexpr unsigned kWithOutput = kRegression | kLabels;
constexpr unsigned kCounts = kHistogram | kDensity;

const std::vector<std::pair<std::string, TaskBits>>& TaskNames() {
  static const std::vector<std::pair<std::string, TaskBits>> names = {
      {"regression", kRegression},
      {"classification", kClassification},
      {"svm", kSvm},
      {"histogram", kHistogram},
      {"density", kDensity}};
  return names;
}

const std::vector<std::pair<std::string, ProtectBits>>& ProtectNames() {
  static const std::vector<std::pair<std::string, ProtectBits>> names = {
      {"outputs", kOutputs}, {"rows", kRows}};
  return names;
}

struct MethodOption {
  std::string name;
  std::vector<Place> places;
};

bool IsIn(const Place& place, unsigned task, unsigned protect) {
  return (place.tasks & task) != 0 && (place.protect & protect) != 0;
}

// Every method there is, those of regression first.
std::vector<MethodOption> Methods() {
  std::vector<MethodOption> methods;
  const auto add = [&methods](const std::string& name, Place place) {
    for (MethodOption& method : methods) {
      if (method.name != name) continue;
      method.places.push_back(std::move(place));
      return;
    }
    methods.push_back({name, {std::move(place)}});
  };
  for (const Regression::Method method : RegressionMethods()) {
    if (ProtectsOutputs(method)) add(NameOf(method), {kRegression, kOutputs});
    if (ProtectsRows(method)) add(NameOf(method), {kRegression, kRows});
  }
  for (const Classification::Method method : ClassificationMethods()) {
    add(NameOf(method), {kClassification, kOutputs});
  }
  add(NameOf(Classification::kOptimal), {kClassification | kSvm, kRows});
  add(NameOf(Density::kOptimal), {kHistogram | kDensity, kRows});
  add(NameOf(Density::kFunctional), {kDensity, kRows});
  return methods;
}

// Returns the names of the methods of a task with a promise.
std::vector<std::string> MethodsOf(unsigned task, unsigned protect) {
  std::vector<std::string> names;
  for (const MethodOption& method : Methods()) {
    if (std::any_of(
            method.places.begin(), method.places.end(),
            [&](const Place& place) { return IsIn(place, task, protect); })) {
      names.push_back(method.name);
    }
  }
  return names;
}

// Returns every method but those that only some tasks have: their own help says
// which.
std::string MethodNames() {
  std::vector<std::string> names = MethodsOf(kRegression, kOutputs);
  for (const unsigned task : {kClassification, kDensity}) {
    for (const std::string& name : MethodsOf(task, kAnyProtection)) {
      if (std::count(names.begin(), names.end(), name) == 0) {
        names.push_back(name);
      }
    }
  }
  names.push_back(NameOf(Regression::kVariational));
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

void AddTable(std::vector<ReleaseOption>& all) {
  const std::vector<ReleaseOption> table = {
      {"--task", &Arguments::task,
       "regression|classification|svm|histogram|density",
       "What the output is: a number (default) or one of two classes; with "
       "--protect rows also the classes by a support vector machine (svm), or, "
       "without an output, how many rows there are where"},
      {"--inputs", &Arguments::inputs, "NAMES",
       "Input columns, separated by commas; public unless --protect rows. A "
       "name that has a comma or '=' in it stands in double quotes",
       kCommands},
      {"--output",
       &Arguments::output,
       "NAME",
       "Private column, to be predicted from the inputs",
       kCommands,
       {{kWithOutput}}},
      {"--bounds",
       &Arguments::bounds,
       "LO:HI",
       "Where outputs lie, from public knowledge; values outside are clipped",
       kCommands,
       {{kRegression}}},
      {"--protect", &Arguments::protect, "outputs|rows",
       "What is private, which nobody but you can say: the outputs, while "
       "anybody may know the inputs; or whole rows, inputs too, for more noise",
       kCommands},
      {"--unit",
       &Arguments::unit,
       "NAME",
       "Public column that says whose row it is: protects all outputs of a "
       "person at once (default: each row by itself)",
       kCommands,
       {{kWithOutput, kOutputs}}},
      {"--missing", &Arguments::missing, "accept|refuse",
       "Private cells that are missing or malformed: they add nothing, and "
       "nobody learns which they are (default); or are refused, so that "
       "whoever sees this command fail learns of one",
       kCommands},
      {"--missing-values", &Arguments::missing_values, "LIST",
       "What stands for a missing value in private columns, separated by "
       "commas, such as -999, beside an empty cell, NA, N/A, NaN, null and a "
       "dot",
       kCommands},
      {"--prior-mean",
       &Arguments::prior_mean,
       "Y",
       "Where the function lies far from all data, from public knowledge "
       "(default: the middle of the bounds)",
       kCommands,
       {{kRegression}}},
      {"--classes",
       &Arguments::classes,
       "NO,YES",
       "The two classes of --task classification and svm, as the table spells "
       "them, from public knowledge; probabilities are those of the second",
       kRelease | kAudit,
       {{kLabels}}}};
  all.insert(all.end(), table.begin(), table.end());
}

void AddBudget(std::vector<ReleaseOption>& all) {
  const std::vector<ReleaseOption> budget = {
      {"--epsilon", &Arguments::epsilon, "E",
       "Privacy loss: smaller is more private; 1 is a common choice"},
      {"--delta", &Arguments::delta, "D",
       "Probability left outside the guarantee: well below 1 / rows"},
      {"--epsilon", &Arguments::epsilon, "E",
       "Privacy loss of the choice; the release spends its own besides, but "
       "with --protect rows it is part of the choice",
       kSelect},
      {"--delta",
       &Arguments::delta,
       "D",
       "With --protect rows: probability left outside the guarantee",
       kSelect,
       {{kAnyTask, kRows}}},
      {"--release-epsilon",
       &Arguments::release_epsilon,
       "E",
       "Epsilon that the release is to spend: its noise counts in the choice",
       kSelect,
       {{kAnyTask, kOutputs}}},
      {"--release-delta",
       &Arguments::release_delta,
       "D",
       "Delta of that release",
       kSelect,
       {{kAnyTask, kOutputs}}}};
  all.insert(all.end(), budget.begin(), budget.end());
}

ReleaseOption OfModel(ReleaseOption option) {
  option.model = true;
  return option;
}

void AddModel(std::vector<ReleaseOption>& all) {
  const std::string method =
      "optimal (default): the statistic that leaves the least uncertainty "
      "anywhere, all learned from it; the others are published methods, to "
      "compare with";
  const std::string sparse = NameOf(Regression::kSparseCloaking);
  const std::vector<ReleaseOption> model = {
      {"--method", &Arguments::method, MethodNames(), method},
      {"--method", &Arguments::method, ChoosableNames(), method, kSelect},
      {"--design",
       &Arguments::design,
       "bayes|volume|trace",
       "How the noise is shaped (default: the best for the method)",
       kCommands,
       {{kRegression | kClassification, kOutputs}},
       false,
       "design"},
      {"--kernel",
       &Arguments::kernel,
       "EXPR",
       "Covariance function (default: bias + eq with a lengthscale per input, "
       "learned from the release itself at no privacy cost)",
       kCommands,
       {{kWithOutput}},
       false,
       "kernel"},
      {"--noise-variance",
       &Arguments::noise_variance,
       "V",
       "Variance of an observation around the function (default: learned)",
       kCommands,
       {{kRegression}},
       false,
       "noise variance"},
      {"--inducing",
       &Arguments::inducing,
       "M",
       "Inducing points of sparse methods, placed by k-means (default: 10); of "
       "--method variational, on a grid: a number for all inputs, or one for "
       "each (default: 9, fewer with more than two)",
       kCommands,
       {{kRegression, kOutputs, {sparse}},
        {kRegression, kRows, {NameOf(Regression::kVariational)}},
        {kClassification, kOutputs, {NameOf(Classification::kLaplaceSparse)}}},
       false,
       "inducing points"},
      {"--neighbours",
       &Arguments::neighbours,
       "N",
       "Rows within about a lengthscale, for --method nonstationary-cloaking "
       "(default: 20)",
       kCommands,
       {{kRegression, kOutputs, {NameOf(Regression::kNonstationaryCloaking)}}}},
      {"--degree",
       &Arguments::degree,
       "P",
       "Degree of --method polynomial, 0 to 5 (default: 1)",
       kCommands,
       {{kRegression, kOutputs, {NameOf(Regression::kPolynomial)}}}}};
  for (const ReleaseOption& option : model) all.push_back(OfModel(option));
}

void AddTaskOptions(std::vector<ReleaseOption>& all) {
  const std::vector<std::string> binned = {
      NameOf(Regression::kBinning), NameOf(Regression::kIntegralBinning)};
  const std::vector<std::string> optimal = {NameOf(Regression::kOptimal)};
  const std::vector<ReleaseOption> options = {
      {"--noise-column",
       &Arguments::noise_column,
       "NAME",
       "Public column with the noise variance of each row",
       kRelease | kAudit,
       {{kRegression, kOutputs}}},
      {"--newton-steps",
       &Arguments::newton_steps,
       "N",
       "Private steps of --method laplace, 1 or 2, which share the budget "
       "(default: 1)",
       kRelease | kAudit,
       {{kClassification, kOutputs, {NameOf(Classification::kLaplace)}}}},
      {"--cost",
       &Arguments::cost,
       "C",
       "What an error costs --task svm; more fits closer and is noisier "
       "(default: by the number of rows and the budget)",
       kRelease | kAudit,
       {{kSvm, kRows}}},
      {"--at",
       &Arguments::at,
       "QUERIES.csv",
       "Points where accuracy matters, public (default: the rows of the data)",
       kRelease | kAudit,
       {{kRegression | kClassification, kOutputs}},
       false,
       "query points"},
      {"--bins",
       &Arguments::bins,
       "N,…",
       "Bins of the binning methods: a number for all inputs, or one for each "
       "(default: 10); with --protect rows, the cells that inputs are cut in; "
       "of --task histogram, also NAME=N,… (default: 10)",
       kRelease | kAudit,
       {{kRegression, kOutputs, binned},
        {kRegression | kClassification | kDensity, kRows, optimal},
        {kHistogram, kRows}}},
      {"--categories",
       &Arguments::categories,
       "NAME=LIST,…",
       "Inputs of --task histogram that are not numbers, and what they can be, "
       "from public knowledge, such as sex=F|M; everything else counts as "
       "'other'. What has a comma, '=' or '|' in it stands in double quotes",
       kRelease | kAudit,
       {{kHistogram, kRows}}},
      {"--bandwidth",
       &Arguments::bandwidth,
       "H,…",
       "Of the kernels of --task density --method functional: a number for all "
       "inputs, or one for each (default: Silverman's rule, from the release)",
       kRelease | kAudit,
       {{kDensity, kRows, {NameOf(Density::kFunctional)}}}},
      {"--input-ranges",
       &Arguments::input_ranges,
       "NAME=LO:HI,…",
       "Where the inputs lie, from public knowledge: needed with --protect "
       "rows, where rows outside are clipped; otherwise where bins begin and "
       "end (default: the range of each input)",
       kRelease | kAudit,
       {{kRegression, kOutputs, binned}, {kAnyTask, kRows}}},
      {"--reproduce",
       &Arguments::reproduce,
       "smith2018|smith2021",
       "Add noise as a paper did, to reproduce its figures; needs "
       "--accept-weaker for a release",
       kRelease | kAudit,
       {{kRegression | kClassification, kOutputs}}},
      {"--accept-weaker",
       &Arguments::accept_weaker,
       "",
       "Release by a paper's own recipe, although it is less accurate at "
       "the same budget",
       kRelease | kAudit,
       {{kRegression | kClassification, kOutputs}}},
      {"--grid", &Arguments::grid, "GRID.txt",
       "File with candidates in place of the options from --method to "
       "--degree: those options, a line for each candidate, or for several, in "
       "braces",
       kSelect},
      {"--folds",
       &Arguments::folds,
       "K",
       "Parts of the table that are held out in turn (default: 5)",
       kSelect,
       {{kAnyTask, kOutputs}}},
      {"--input-ranges",
       &Arguments::input_ranges,
       "NAME=LO:HI,…",
       "With --protect rows: where the inputs lie, from public knowledge",
       kSelect,
       {{kAnyTask, kRows}}},
      {"--tries",
       &Arguments::tries,
       "N",
       "With --protect rows: how many candidates are tried on average, at "
       "random (default: five times as many as there are, at most 1000)",
       kSelect,
       {{kAnyTask, kRows}}}};
  all.insert(all.end(), options.begin(), options.end());
}

void AddWork(std::vector<ReleaseOption>& all) {
  const std::vector<ReleaseOption> work = {
      {"--threads", &Arguments::threads, "N",
       "Threads to use (default: all cores); results do not depend on it",
       kCommands},
      {"--quiet", &Arguments::quiet, "",
       "Print no summary, warning or progress", kCommands},
      {"--releases", &Arguments::releases, "N",
       "Releases to make of each of two neighbouring tables, shared by all "
       "attacks (default: 100000)",
       kAudit},
      {"--dry-run", &Arguments::dry_run, "",
       "Price the release without opening the outputs or writing a file",
       kRelease},
      {"--dry-run", &Arguments::dry_run, "",
       "Price the choice and list the candidates, without opening the outputs",
       kSelect},
      {"--json", &Arguments::json, "",
       "Print the summary as JSON on standard output", kRelease},
      {"--json", &Arguments::json, "",
       "Print the choice as JSON on standard output", kSelect},
      {"--json", &Arguments::json, "",
       "Print the result as JSON on standard output", kAudit},
      {"--show-probabilities",
       &Arguments::show_probabilities,
       "",
       "Show on the terminal how probable each candidate was, which is "
       "private: for the custodian alone",
       kSelect,
       {{kAnyTask, kOutputs}}},
      {"--ledger", &Arguments::ledger, "LEDGER",
       "Ledger to charge before anything is released: a file or a "
       "postgresql:// URL",
       kRelease | kSelect},
      {"--dataset",
       &Arguments::dataset,
       "NAME",
       "Data set in the ledger (default: recognised by its private values; in "
       "a dry run, which does not look at them, the only one)",
       kRelease | kSelect,
       {{}},
       false,
       "data set"},
      {"-o", &Arguments::file, "FILE.cloak", "Release file to write", kRelease},
      {"-o", &Arguments::file, "CHOICE.json",
       "File to write the choice to, as JSON; with --protect rows, the release "
       "of the best candidate",
       kSelect},
      {"--overwrite",
       &Arguments::overwrite,
       "",
       "Replace the file if there is one: the release in it is lost",
       kRelease,
       {{}},
       false,
       "replaced"},
      {"--overwrite", &Arguments::overwrite, "",
       "Replace the file if there is one: what was paid for it is lost",
       kSelect}};
  all.insert(all.end(), work.begin(), work.end());
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

// A word that begins with a quote ends at the next one, as CLI11 sees it.
bool QuotesAreClosed(const std::string& line) {
  constexpr char kBlanks[] = " \t\r";
  size_t word = line.find_first_not_of(kBlanks);
  while (word != std::string::npos) {
    const bool quoted =
        std::string("'\"`").find(line[word]) != std::string::npos;
    const size_t end = quoted ? line.find(line[word], word + 1)
                              : line.find_first_of(kBlanks, word);
    if (end == std::string::npos) return !quoted;
    word = line.find_first_not_of(kBlanks, end + 1);
  }
  return true;
}

// Alternatives in braces are checked when they are written out.
void AddCandidateOption(CLI::App* app, const ReleaseOption& option,
                        ReleaseArguments& arguments) {
  AddOption(app, option, arguments);
  if (option.value.find('|') == std::string::npos) return;
  app->get_option(option.name)->get_validator()->active(false);
}

std::vector<std::string> NamesOfTasks(unsigned tasks) {
  std::vector<std::string> names;
  for (const auto& [name, bit] : TaskNames()) {
    if ((tasks & bit) != 0) names.push_back(name);
  }
  return names;
}

// Says where something belongs that does not belong to this task and promise by
// this method: to another method, if that is all, or promise, or task.
std::string BelongsText(const std::string& what,
                        const std::vector<Place>& places,
                        const ReleaseArguments& arguments) {
  const unsigned task = TaskOf(arguments);
  std::vector<std::string> methods;
  unsigned protect = 0;
  unsigned tasks = 0;
  for (const Place& place : places) {
    tasks |= place.tasks;
    if ((place.tasks & task) == 0) continue;
    protect |= place.protect;
    if (!IsIn(place, task, ProtectOf(arguments))) continue;
    methods.insert(methods.end(), place.methods.begin(), place.methods.end());
  }
  if (!methods.empty()) {
    return Text(what, " belongs to --method ", Join(methods, " and "));
  }
  if (protect != 0) {
    return Text(what, " belongs to --protect ",
                protect == kRows ? "rows" : "outputs");
  }
  const std::vector<std::string> names = NamesOfTasks(tasks);
  if (names.size() > 2) {
    return Text(
        what, " does not belong to --task ", arguments.task,
        (task & kCounts) != 0 ? ", which has inputs and no output" : "");
  }
  return Text(what, " belongs to --task ", Join(names, " and "));
}

void RequirePlace(const ReleaseOption& option,
                  const ReleaseArguments& arguments) {
  if (!IsGiven(option, arguments)) return;
  const bool belongs = std::any_of(
      option.places.begin(), option.places.end(), [&](const Place& place) {
        return IsIn(place, TaskOf(arguments), ProtectOf(arguments)) &&
               (place.methods.empty() ||
                std::count(place.methods.begin(), place.methods.end(),
                           arguments.method) > 0);
      });
  if (belongs) return;
  throw InvalidInput(BelongsText(option.name, option.places, arguments));
}

void RequireMethod(const ReleaseArguments& arguments) {
  const unsigned task = TaskOf(arguments);
  const unsigned protect = ProtectOf(arguments);
  const std::vector<std::string> here = MethodsOf(task, protect);
  if (std::count(here.begin(), here.end(), arguments.method) > 0) return;
  std::string rule;
  for (const MethodOption& method : Methods()) {
    if (method.name != arguments.method) continue;
    rule = BelongsText("--method " + method.name, method.places, arguments);
  }
  throw InvalidInput(
      here.size() == 1
          ? Text(rule, "; --task ", arguments.task,
                 " has no other --method here than --method ", here.front(),
                 ", so leave it out")
          : Text(rule, "; here there is --method ", Join(here, " or ")));
}

}  // namespace

TaskBits TaskOf(const ReleaseArguments& arguments) {
  for (const auto& [name, bit] : TaskNames()) {
    if (arguments.task == name) return bit;
  }
  throw InvalidInput(Text("there is no --task ", arguments.task));
}

ProtectBits ProtectOf(const ReleaseArguments& arguments) {
  for (const auto& [name, bit] : ProtectNames()) {
    if (arguments.protect == name) return bit;
  }
  throw InvalidInput(
      "--protect is missing: what is private in the table\n"
      "--protect outputs promises nothing about the inputs, which anybody "
      "may know, and adds the least noise.\n"
      "--protect rows hides whole rows, inputs too: it adds more noise, "
      "and needs --input-ranges from public knowledge.");
}

const std::vector<ReleaseOption>& ReleaseOptions() {
  static const std::vector<ReleaseOption> options = [] {
    std::vector<ReleaseOption> all;
    AddTable(all);
    AddBudget(all);
    AddModel(all);
    AddTaskOptions(all);
    AddWork(all);
    return all;
  }();
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

void AddMissingValues(CLI::App* app, std::optional<std::string>& values) {
  for (const ReleaseOption& option : ReleaseOptions()) {
    if (option.name != "--missing-values") continue;
    Add(app, option.name, values, option.value, option.help);
  }
}

bool IsGiven(const ReleaseOption& option, const ReleaseArguments& arguments) {
  static const ReleaseArguments kDefaults;
  return std::visit(
      [&](const auto member) { return arguments.*member != kDefaults.*member; },
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

void RequireBelonging(const ReleaseArguments& arguments) {
  RequireInput(!MethodsOf(TaskOf(arguments), ProtectOf(arguments)).empty(),
               "--task ", arguments.task,
               " needs --protect rows: it is about whole rows");
  RequireMethod(arguments);
  for (const ReleaseOption& option : ReleaseOptions()) {
    if ((option.commands & kRelease) != 0) RequirePlace(option, arguments);
  }
}

void RequireSelectBelonging(const SelectArguments& arguments) {
  for (const ReleaseOption& option : ReleaseOptions()) {
    if (option.commands == kSelect && !option.model) {
      RequirePlace(option, arguments);
    }
  }
}

std::string PlacesText(const ReleaseOption& option) {
  std::vector<std::string> all;
  for (const Place& place : option.places) {
    std::vector<std::string> words;
    if (place.tasks != kAnyTask) {
      words.push_back("--task " + Join(NamesOfTasks(place.tasks), "|"));
    }
    if (place.protect != kAnyProtection) {
      words.emplace_back(place.protect == kRows ? "--protect rows"
                                                : "--protect outputs");
    }
    if (!place.methods.empty()) {
      words.push_back("--method " + Join(place.methods, "|"));
    }
    if (words.empty()) return "";
    all.push_back(Join(words, " "));
  }
  return Join(all, "; ");
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

ReleaseArguments ParseModel(const std::string& line) {
  RequireInput(QuotesAreClosed(line), "a quote is opened and not closed in '",
               line, "'");
  ReleaseArguments model;
  CLI::App app;
  app.set_help_flag();
  std::vector<std::string> names;
  for (const ReleaseOption& option : ReleaseOptions()) {
    if (!option.model || (option.commands & kSelect) == 0) continue;
    AddCandidateOption(&app, option, model);
    names.push_back(option.name);
  }
  try {
    app.parse(line);
  } catch (const CLI::ParseError& error) {
    throw InvalidInput(Text(error.what(),
                            "\nA candidate is written in the options ",
                            Join(names, ", "), "."));
  }
  return model;
}

}  // namespace cloak
