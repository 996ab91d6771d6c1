#include "apps/cli/release_options.h"

#include <algorithm>
#include <vector>

#include "apps/cli/option.h"
#include "apps/cli/rows_request.h"
#include "cloak/base/error.h"
#include "cloak/models/classification.h"
#include "cloak/models/outputs/linear_prediction.h"
#include "cloak/models/regression.h"

namespace cloak {
namespace {

std::string MethodNames() {
  std::vector<std::string> names;
  for (const RegressionOptions::Method method : RegressionMethods()) {
    names.push_back(NameOf(method));
  }
  for (const ClassificationOptions::Method method : ClassificationMethods()) {
    const std::string name = NameOf(method);
    if (std::count(names.begin(), names.end(), name) == 0) {
      names.push_back(name);
    }
  }
  names.emplace_back(kVariational);
  return Join(names, "|");
}

std::string LinearMethodNames() {
  std::vector<std::string> names;
  for (const RegressionOptions::Method method : LinearMethods()) {
    names.push_back(NameOf(method));
  }
  names.emplace_back(kVariational);
  return Join(names, "|");
}

void AddModelOptions(CLI::App* command, ModelArguments& model,
                     const std::string& methods) {
  Add(command, "--method", model.method, methods,
      "optimal (default): the statistic that leaves the least uncertainty "
      "anywhere, all learned from it; the others are published methods, to "
      "compare with");
  Add(command, "--design", model.design, "bayes|volume|trace",
      "How the noise is shaped (default: the best for the method)");
  Add(command, "--kernel", model.kernel, "EXPR",
      "Covariance function (default: bias + eq with a lengthscale per input, "
      "learned from the release itself at no privacy cost)");
  Add(command, "--noise-variance", model.noise_variance, "V",
      "Variance of an observation around the function (default: learned)");
  Add(command, "--inducing", model.inducing, "M",
      "Inducing points of sparse methods, placed by k-means (default: 10); of "
      "--method variational, on a grid: a number for all inputs, or one for "
      "each (default: 9, fewer with more than two)");
  Add(command, "--neighbours", model.neighbours, "N",
      "Rows within about a lengthscale, for --method nonstationary-cloaking "
      "(default: 20)");
  Add(command, "--degree", model.degree, "P",
      "Degree of --method polynomial, 0 to 5 (default: 1)");
}

// As CLI11 sees it: a word that begins with a quote ends at the next one.
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

}  // namespace

void AddCandidateOptions(CLI::App* command, ModelArguments& model) {
  AddModelOptions(command, model, LinearMethodNames());
  // Alternatives are checked when they are written out.
  for (const char* const option : {"--method", "--design"}) {
    command->get_option(option)->get_validator()->active(false);
  }
}

void AddMissingValues(CLI::App* command, std::optional<std::string>& values) {
  Add(command, "--missing-values", values, "LIST",
      "What stands for a missing value in private columns, separated by "
      "commas, such as -999, beside an empty cell, NA, N/A, NaN, null and a "
      "dot");
}

void AddTableOptions(CLI::App* command, ReleaseArguments& release) {
  Add(command, "--inputs", release.inputs, "NAMES",
      "Input columns, separated by commas; public unless --protect rows. A "
      "name that has a comma or '=' in it stands in double quotes");
  Add(command, "--output", release.output, "NAME",
      "Private column, to be predicted from the inputs");
  Add(command, "--bounds", release.bounds, "LO:HI",
      "Where outputs lie, from public knowledge; values outside are clipped");
  Add(command, "--protect", release.protect, "outputs|rows",
      "What is private, which nobody but you can say: the outputs, while "
      "anybody may know the inputs; or whole rows, inputs too, for more noise");
  Add(command, "--unit", release.unit, "NAME",
      "Public column that says whose row it is: protects all outputs of a "
      "person at once (default: each row by itself)");
  Add(command, "--missing", release.missing, "accept|refuse",
      "Private cells that are missing or malformed: they add nothing, and "
      "nobody learns which they are (default); or are refused, so that whoever "
      "sees this command fail learns of one");
  AddMissingValues(command, release.missing_values);
  Add(command, "--prior-mean", release.prior_mean, "Y",
      "Where the function lies far from all data, from public knowledge "
      "(default: the middle of the bounds)");
}

void AddWorkOptions(CLI::App* command, ReleaseArguments& release) {
  Add(command, "--threads", release.threads, "N",
      "Threads to use (default: all cores); results do not depend on it");
  AddFlag(command, "--quiet", release.quiet,
          "Print no summary, warning or progress");
}

void AddLedgerOptions(CLI::App* command, ReleaseArguments& release) {
  Add(command, "--ledger", release.ledger, "LEDGER",
      "Ledger to charge before anything is released: a file or a "
      "postgresql:// URL");
  Add(command, "--dataset", release.dataset, "NAME",
      "Data set in the ledger (default: recognised by its private values; in "
      "a dry run, which does not look at them, the only one)");
}

void AddReleaseOptions(CLI::App* command, ReleaseArguments& release) {
  Add(command, "--task", release.task,
      "regression|classification|svm|histogram|density",
      "What the output is: a number (default) or one of two classes; with "
      "--protect rows also the classes by a support vector machine (svm), or, "
      "without an output, how many rows there are where");
  AddTableOptions(command, release);
  Add(command, "--classes", release.classes, "NO,YES",
      "The two classes of --task classification and svm, as the table spells "
      "them, from public knowledge; probabilities are those of the second");
  Add(command, "--epsilon", release.epsilon, "E",
      "Privacy loss: smaller is more private; 1 is a common choice");
  Add(command, "--delta", release.delta, "D",
      "Probability left outside the guarantee: well below 1 / rows");
  AddModelOptions(command, release, MethodNames());
  Add(command, "--noise-column", release.noise_column, "NAME",
      "Public column with the noise variance of each row");
  Add(command, "--newton-steps", release.newton_steps, "N",
      "Private steps of --method laplace, 1 or 2, which share the budget "
      "(default: 1)");
  Add(command, "--cost", release.cost, "C",
      "What an error costs --task svm; more fits closer and is noisier "
      "(default: by the number of rows and the budget)");
  Add(command, "--at", release.at, "QUERIES.csv",
      "Points where accuracy matters, public (default: the rows of the data)");
  Add(command, "--bins", release.bins, "N,…",
      "Bins of the binning methods: a number for all inputs, or one for each "
      "(default: 10); with --protect rows, the cells that inputs are cut in; "
      "of --task histogram, also NAME=N,… (default: 10)");
  Add(command, "--categories", release.categories, "NAME=LIST,…",
      "Inputs of --task histogram that are not numbers, and what they can be, "
      "from public knowledge, such as sex=F|M; everything else counts as "
      "'other'. What has a comma, '=' or '|' in it stands in double quotes");
  Add(command, "--bandwidth", release.bandwidth, "H,…",
      "Of the kernels of --task density --method functional: a number for all "
      "inputs, or one for each (default: Silverman's rule, from the release)");
  Add(command, "--input-ranges", release.input_ranges, "NAME=LO:HI,…",
      "Where the inputs lie, from public knowledge: needed with --protect "
      "rows, where rows outside are clipped; otherwise where bins begin and "
      "end (default: the range of each input)");
  Add(command, "--reproduce", release.reproduce, "smith2018|smith2021",
      "Add noise as a paper did, to reproduce its figures; needs "
      "--accept-weaker for a release");
  AddFlag(command, "--accept-weaker", release.accept_weaker,
          "Release by a paper's own recipe, although it is less accurate at "
          "the same budget");
  AddWorkOptions(command, release);
}

ModelArguments ParseModel(const std::string& line) {
  RequireInput(QuotesAreClosed(line), "a quote is opened and not closed in '",
               line, "'");
  ModelArguments model;
  CLI::App app;
  app.set_help_flag();
  AddCandidateOptions(&app, model);
  try {
    app.parse(line);
  } catch (const CLI::ParseError& error) {
    throw InvalidInput(Text(error.what(),
                            "\nA candidate is written in the options --method, "
                            "--design, --kernel, --noise-variance, --inducing, "
                            "--neighbours and --degree."));
  }
  return model;
}

}  // namespace cloak
