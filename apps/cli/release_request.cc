#include "apps/cli/release_request.h"

#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "apps/cli/files.h"
#include "apps/cli/option_values.h"
#include "apps/cli/quoted_names.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/label_classes.h"
#include "cloak/release/kind.h"

namespace cloak {
namespace {

constexpr Index kMostInducing = 1000;

double EpsilonOf(const ReleaseArguments& arguments) {
  return ParseNumber(
      Required(arguments.epsilon,
               "--epsilon is missing: how much one row may change the odds of "
               "any result, a factor of e^epsilon; 1 is a common choice"),
      "--epsilon");
}

Budget BudgetOf(const ReleaseArguments& arguments) {
  const double epsilon = EpsilonOf(arguments);
  const std::string& delta = Required(
      arguments.delta,
      "--delta is missing: the probability left outside the guarantee; choose "
      "it well below 1 / rows, such as 1e-5");
  return {epsilon, ParseNumber(delta, "--delta")};
}

PureBudget PureBudgetOf(const ReleaseArguments& arguments) {
  const double epsilon = EpsilonOf(arguments);
  RequireInput(!arguments.delta.has_value(), "--method ", arguments.method,
               " adds Laplace noise, which leaves nothing outside the "
               "guarantee: leave --delta out");
  return PureBudget(epsilon);
}

CountBudget CountBudgetOf(const ReleaseArguments& arguments) {
  CountBudget budget;
  budget.epsilon = EpsilonOf(arguments);
  if (!arguments.delta.has_value()) return budget;
  budget.delta = ParseNumber(*arguments.delta, "--delta");
  RequireInput(budget.delta > 0 && budget.delta < 1,
               "--delta must lie between 0 and 1, but is ", budget.delta,
               "; leave it out where none is needed");
  // A ledger counts in Gaussian noise, and Laplace noise dearly.
  budget.gaussian = arguments.ledger.has_value();
  return budget;
}

std::optional<PlanDesign> DesignOf(const ReleaseArguments& arguments) {
  if (!arguments.design.has_value()) return {};
  return DesignNamed(*arguments.design);
}

// Returns whether noise is to be added as a paper did.
bool PublishedNoiseOf(const ReleaseArguments& arguments) {
  if (!arguments.reproduce.has_value()) {
    RequireInput(!arguments.accept_weaker,
                 "--accept-weaker belongs to --reproduce");
    return false;
  }
  RequireInput(
      arguments.dry_run || arguments.accept_weaker, "--reproduce ",
      *arguments.reproduce,
      " adds noise by the paper's constant, more than the promise needs: "
      "a release made so tells less than it could for the same budget\n"
      "Leave it out, or say --accept-weaker if that is what you want.");
  return true;
}

std::optional<PerInput> BinsOf(const ReleaseArguments& arguments,
                               size_t inputs) {
  if (!arguments.bins.has_value()) return {};
  const std::vector<Index> counts = CountsOf(*arguments.bins, "--bins", inputs);
  if (counts.size() == 1) return PerInput(static_cast<double>(counts[0]));
  return PerInput(std::vector<double>(counts.begin(), counts.end()));
}

Regression RegressionOf(const ReleaseArguments& arguments,
                        const std::vector<std::string>& inputs) {
  const Regression::Method method = RegressionMethodNamed(arguments.method);
  const bool rows = ProtectOf(arguments) == Protection::kRows;
  using AnyBudget = std::variant<Budget, PureBudget>;
  Regression task{.budget = IsBinned(method)
                                ? AnyBudget(PureBudgetOf(arguments))
                                : AnyBudget(BudgetOf(arguments)),
                  .method = method};
  task.design = DesignOf(arguments);
  task.kernel = KernelOf(arguments.kernel, inputs.size());
  task.noise_variance =
      PositiveOf(arguments.noise_variance, "--noise-variance");
  task.bins = BinsOf(arguments, inputs.size());
  task.published_noise = PublishedNoiseOf(arguments);
  task.compact = arguments.compact;
  if (arguments.inducing.has_value()) {
    task.inducing =
        rows ? CountsOf(*arguments.inducing, "--inducing", inputs.size())
             : std::vector{WholeNumber(*arguments.inducing, "--inducing", 1,
                                       kMostInducing)};
  }
  if (arguments.degree.has_value()) {
    task.degree = WholeNumber(*arguments.degree, "--degree", 0, 5);
  }
  if (arguments.neighbours.has_value()) {
    task.neighbours = ParseNumber(*arguments.neighbours, "--neighbours");
  }
  if (arguments.input_ranges.has_value() && !rows) {
    const InputRanges ranges = InputRangesOf(*arguments.input_ranges, inputs);
    task.lower = ranges.lower;
    task.upper = ranges.upper;
  }
  // With the columns that the plan will find in the table, so that what is
  // missing is said before a file is read.
  CheckTask(task, rows,
            {.queries = arguments.at.has_value(),
             .row_noise = arguments.noise_column.has_value()});
  return task;
}

Classification ClassificationOf(const ReleaseArguments& arguments,
                                size_t inputs) {
  Classification task{.budget = BudgetOf(arguments),
                      .method = ClassificationMethodNamed(arguments.method)};
  task.design = DesignOf(arguments);
  task.kernel = KernelOf(arguments.kernel, inputs);
  task.bins = BinsOf(arguments, inputs);
  task.published_noise = PublishedNoiseOf(arguments);
  if (arguments.newton_steps.has_value()) {
    task.newton_steps = static_cast<int>(
        WholeNumber(*arguments.newton_steps, "--newton-steps", 1, 2));
  }
  if (arguments.inducing.has_value()) {
    task.inducing =
        WholeNumber(*arguments.inducing, "--inducing", 1, kMostInducing);
  }
  CheckTask(task, ProtectOf(arguments) == Protection::kRows);
  return task;
}

Svm SvmOf(const ReleaseArguments& arguments, size_t inputs) {
  return {.budget = BudgetOf(arguments),
          .kernel = KernelOf(arguments.kernel, inputs),
          .cost = PositiveOf(arguments.cost, "--cost")};
}

Density DensityOf(const ReleaseArguments& arguments, size_t inputs) {
  Density task{.budget = CountBudgetOf(arguments),
               .method = DensityMethodNamed(arguments.method)};
  if (arguments.bins.has_value()) {
    task.cells = CountsOfEach(*arguments.bins, "--bins", inputs);
  }
  RequireInput(task.method != Density::kFunctional || task.budget.delta > 0,
               "--delta is missing: the probability left outside the "
               "guarantee; choose it well below 1 / rows, such as 1e-5");
  if (!arguments.bandwidth.has_value()) return task;
  const std::vector<std::string> parts = Split(*arguments.bandwidth, ',');
  RequireInput(parts.size() == 1 || parts.size() == inputs,
               "--bandwidth must be one number, or one for each of the ",
               inputs, " inputs, but has ", parts.size());
  Vector bandwidth(static_cast<Index>(inputs));
  for (size_t j = 0; j < inputs; ++j) {
    bandwidth(static_cast<Index>(j)) =
        ParseNumber(parts[parts.size() == 1 ? 0 : j], "--bandwidth");
  }
  task.bandwidth = std::move(bandwidth);
  return task;
}

Task TaskOfRelease(const ReleaseArguments& arguments,
                   const std::vector<std::string>& inputs) {
  switch (TaskOf(arguments)) {
    case TaskKind::kRegression:
      return RegressionOf(arguments, inputs);
    case TaskKind::kClassification:
      return ClassificationOf(arguments, inputs.size());
    case TaskKind::kSvm:
      return SvmOf(arguments, inputs.size());
    case TaskKind::kHistogram:
      return HistogramTask{.budget = CountBudgetOf(arguments),
                           .axes = AxesOf(arguments, inputs)};
    case TaskKind::kDensity:
      return DensityOf(arguments, inputs.size());
  }
  throw Error("a task that is none");
}

std::vector<std::string> InputNamesOf(const ReleaseArguments& arguments) {
  std::vector<std::string> names =
      SplitNames(Required(arguments.inputs,
                          "--inputs is missing: the columns to predict from, "
                          "separated by commas, such as --inputs age,weight"),
                 ',');
  std::set<std::string> seen;
  for (const std::string& name : names) {
    RequireInput(!name.empty(), "--inputs has an empty name in '",
                 *arguments.inputs, "'");
    RequireInput(seen.insert(name).second, "--inputs names the column '", name,
                 "' twice");
  }
  return names;
}

std::string OutputNameOf(const ReleaseArguments& arguments,
                         const std::vector<std::string>& inputs) {
  if (!KindOf(TaskOf(arguments)).has_output) return "";
  const std::string& name =
      Required(arguments.output,
               "--output is missing: the private column to predict, such as "
               "--output height");
  for (const std::string& input : inputs) {
    RequireInput(input != name, "the column '", name,
                 "' is both an input and the output; it must be one or "
                 "the other");
  }
  RequireInput(arguments.noise_column != name, "the column '", name,
               "' is both the output and --noise-column; noise variances "
               "are public, the output is private, so it must be one or "
               "the other");
  RequireInput(arguments.unit != name, "the column '", name,
               "' is both the unit and the output; whose row it is is "
               "public, the output is private, so it must be one or the "
               "other");
  return name;
}

std::vector<std::string> ClassesOf(const ReleaseArguments& arguments) {
  std::vector<std::string> classes = SplitNames(
      Required(arguments.classes,
               "--classes NO,YES is missing: the two classes as the table "
               "spells them, from public knowledge, such as --classes 0,1\n"
               "Cloak cannot read them off the data: a class that only one "
               "row has belongs to somebody."),
      ',');
  RequireInput(classes.size() == 2,
               "--classes must name two classes, but names ", classes.size(),
               "; more than two are not available yet in this version");
  LabelClasses{classes};  // throws when they cannot be told apart
  return classes;
}

OutputBounds BoundsOf(const ReleaseArguments& arguments) {
  return RangeOf(
      Required(arguments.bounds,
               "--bounds LO:HI is missing: where the outputs lie, from public "
               "knowledge, such as 60:180 for heights in cm\n"
               "Cloak cannot read them off the data: the smallest and the "
               "largest value each belong to somebody."),
      "--bounds");
}

// `name` is empty where there is no output.
decltype(Request::output) OutputOf(const ReleaseArguments& arguments,
                                   const std::string& name) {
  if (name.empty()) return {};
  if (KindOf(TaskOf(arguments)).has_labels) {
    return LabelOutput{name, ClassesOf(arguments)};
  }
  return NumberOutput{name, BoundsOf(arguments),
                      NumberOf(arguments.prior_mean, "--prior-mean")};
}

std::string UnitOf(const ReleaseArguments& arguments) {
  if (!arguments.unit.has_value()) return "";
  return Required(arguments.unit,
                  "--unit is empty: name the public column that says whose row "
                  "it is, such as --unit person, or leave it out when "
                  "everybody has one row");
}

}  // namespace

InputRanges PrivateRangesOf(const ReleaseArguments& arguments,
                            const std::vector<std::string>& inputs) {
  return InputRangesOf(
      Required(arguments.input_ranges,
               Text("--input-ranges is missing: where each input lies, from "
                    "public knowledge, such as ",
                    inputs[0],
                    "=0:20\nCloak cannot read them off the data: with "
                    "--protect rows the inputs are private too.")),
      inputs);
}

Request RequestOf(const ReleaseArguments& arguments) {
  const std::vector<std::string> inputs = InputNamesOf(arguments);
  const std::string output_name = OutputNameOf(arguments, inputs);
  RequireBelonging(arguments);
  auto output = OutputOf(arguments, output_name);
  std::optional<InputRanges> private_inputs;
  if (ProtectOf(arguments) == Protection::kRows) {
    // The axes of a histogram have them.
    private_inputs = TaskOf(arguments) == TaskKind::kHistogram
                         ? InputRanges()
                         : PrivateRangesOf(arguments, inputs);
  }
  return {.inputs = inputs,
          .output = std::move(output),
          .private_inputs = std::move(private_inputs),
          .unit = UnitOf(arguments),
          .noise = arguments.noise_column.value_or(""),
          .task = TaskOfRelease(arguments, inputs),
          .threads = ThreadsOf(arguments.threads)};
}

PrivateReading ReadingOf(const ReleaseArguments& arguments) {
  return {.closed = arguments.dry_run,
          .for_ledger = arguments.ledger.has_value(),
          .refuse_missing = arguments.missing == "refuse",
          .missing_values = arguments.missing_values.has_value()
                                ? Split(*arguments.missing_values, ',')
                                : std::vector<std::string>()};
}

Table ReadTables(const ReleaseArguments& arguments, const Streams& streams,
                 Request& request) {
  Table table = ReadTable(arguments.data,
                          ColumnsOf(request, ReadingOf(arguments)), streams);
  RequireColumns(request, table);
  if (arguments.at.has_value()) {
    CsvOptions csv;
    csv.numeric = request.inputs;
    SetQueryPoints(ReadTable(*arguments.at, csv, streams).Numeric(csv.numeric),
                   request.task);
  }
  return table;
}

}  // namespace cloak
