#include "apps/cli/release_request.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "apps/cli/label_request.h"
#include "apps/cli/model_request.h"
#include "apps/cli/quoted_names.h"
#include "apps/cli/required.h"
#include "apps/cli/rows_request.h"
#include "apps/cli/spread_request.h"
#include "apps/cli/whole_number.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

OutputBounds CheckBounds(const ReleaseArguments& arguments) {
  return RangeOf(
      Required(arguments.bounds,
               "--bounds LO:HI is missing: where the outputs lie, from public "
               "knowledge, such as 60:180 for heights in cm\n"
               "Cloak cannot read them off the data: the smallest and the "
               "largest value each belong to somebody."),
      "--bounds");
}

PureBudget CheckPureBudget(const ReleaseArguments& arguments) {
  const double epsilon = CheckEpsilon(arguments);
  RequireInput(!arguments.delta.has_value(), "--method ", arguments.method,
               " adds Laplace noise, which leaves nothing outside the "
               "guarantee: leave --delta out");
  return PureBudget(epsilon);
}

// The names of the columns that a release uses.
struct ColumnNames {
  std::vector<std::string> inputs;
  std::string output;
  std::string unit;
};

ColumnNames CheckColumns(const ReleaseArguments& arguments) {
  ColumnNames names;
  names.inputs =
      SplitNames(Required(arguments.inputs,
                          "--inputs is missing: the columns to predict from, "
                          "separated by commas, such as --inputs age,weight"),
                 ',');
  if (!IsSpread(arguments.task)) {
    names.output =
        Required(arguments.output,
                 "--output is missing: the private column to predict, such as "
                 "--output height");
  }
  std::set<std::string> seen;
  for (const std::string& name : names.inputs) {
    RequireInput(!name.empty(), "--inputs has an empty name in '",
                 *arguments.inputs, "'");
    RequireInput(seen.insert(name).second, "--inputs names the column '", name,
                 "' twice");
    RequireInput(name != names.output, "the column '", name,
                 "' is both an input and the output; it must be one or "
                 "the other");
  }
  RequireInput(arguments.noise_column != names.output, "the column '",
               names.output,
               "' is both the output and --noise-column; noise variances "
               "are public, the output is private, so it must be one or "
               "the other");
  if (!arguments.unit.has_value()) return names;
  names.unit =
      Required(arguments.unit,
               "--unit is empty: name the public column that says whose row "
               "it is, such as --unit person, or leave it out when everybody "
               "has one row");
  RequireInput(names.unit != names.output, "the column '",
               names.unit,
               "' is both the unit and the output; whose row it is is "
               "public, the output is private, so it must be one or the "
               "other");
  return names;
}

Regression::Method RegressionMethodOf(const std::string& name) {
  for (const Regression::Method method : RegressionMethods()) {
    if (method == Regression::kVariational) continue;
    if (NameOf(method) == name) return method;
  }
  throw InvalidInput(Text("--method ", name, " belongs to ",
                          name == NameOf(Regression::kVariational)
                              ? "--protect rows"
                              : "--task classification"));
}

// What has no effect on the method was a misunderstanding.
void CheckBelongs(bool given, bool belongs, const std::string& option,
                  const std::string& where) {
  RequireInput(!given || belongs, option, " belongs to --method ", where);
}

// Returns whether noise is to be added as a paper did.
bool CheckReproduction(const ReleaseArguments& arguments) {
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

void CheckMethodOptions(const ReleaseArguments& arguments,
                        const std::vector<std::string>& input_names,
                        Regression& options) {
  const Regression::Method method = options.method;
  CheckBelongs(arguments.inducing.has_value(),
               method == Regression::kSparseCloaking, "--inducing",
               "sparse-cloaking");
  CheckBelongs(arguments.degree.has_value(),
               method == Regression::kPolynomial, "--degree",
               "polynomial");
  CheckBelongs(arguments.neighbours.has_value(),
               method == Regression::kNonstationaryCloaking,
               "--neighbours", "nonstationary-cloaking");
  if (arguments.neighbours.has_value()) {
    options.neighbours = ParseNumber(*arguments.neighbours, "--neighbours");
  }
  CheckBelongs(arguments.bins.has_value(), IsBinned(method), "--bins",
               "binning and integral-binning");
  CheckBelongs(arguments.input_ranges.has_value(), IsBinned(method),
               "--input-ranges", "binning and integral-binning");
  if (arguments.bins.has_value()) {
    const std::vector<Index> counts =
        CountsOf(*arguments.bins, "--bins", input_names.size());
    options.bins =
        counts.size() == 1
            ? PerInput(static_cast<double>(counts[0]))
            : PerInput(std::vector<double>(counts.begin(), counts.end()));
  }
  if (arguments.input_ranges.has_value()) {
    const InputRanges ranges =
        InputRangesOf(*arguments.input_ranges, input_names);
    options.lower = ranges.lower;
    options.upper = ranges.upper;
  }
  if (arguments.inducing.has_value()) {
    options.inducing = {WholeNumber(*arguments.inducing, "--inducing", 1, 1000)};
  }
  if (arguments.degree.has_value()) {
    options.degree = WholeNumber(*arguments.degree, "--degree", 0, 5);
  }
}

Regression CheckNumbers(const ReleaseArguments& arguments,
                        const std::vector<std::string>& input_names) {
  const Regression::Method method = RegressionMethodOf(arguments.method);
  using AnyBudget = std::variant<Budget, PureBudget>;
  Regression task{.budget = IsBinned(method)
                                ? AnyBudget(CheckPureBudget(arguments))
                                : AnyBudget(CheckBudget(arguments)),
                  .method = method};
  if (arguments.design.has_value()) task.design = DesignNamed(*arguments.design);
  task.kernel = KernelOf(arguments, input_names.size());
  task.noise_variance = NoiseVarianceOf(arguments);
  CheckMethodOptions(arguments, input_names, task);
  task.published_noise = CheckReproduction(arguments);
  // The columns that the plan will find in the table, so that what is missing
  // is said before a file is read.
  CheckTask(task, /*protects_rows=*/false,
            {.queries = arguments.at.has_value(),
             .row_noise = arguments.noise_column.has_value()});
  return task;
}

Threads CheckThreads(const ReleaseArguments& arguments) {
  if (!arguments.threads.has_value()) return Threads();
  const double count = ParseNumber(*arguments.threads, "--threads");
  RequireInput(count >= 1 && count <= 1024 && count == std::floor(count),
               "--threads must be a whole number from 1 to 1024, but is ",
               count);
  return Threads(static_cast<int>(count));
}

Classification CheckClassification(const ReleaseArguments& arguments,
                                   size_t inputs) {
  Classification task = CheckLabels(arguments, CheckBudget(arguments));
  task.published_noise = CheckReproduction(arguments);
  CheckTask(task, /*protects_rows=*/false);
  if (task.kernel) task.kernel->CheckInputs(static_cast<Index>(inputs));
  return task;
}

}  // namespace

void RequireProtect(const ReleaseArguments& arguments) {
  Required(arguments.protect,
           "--protect is missing: what is private in the table\n"
           "--protect outputs promises nothing about the inputs, which anybody "
           "may know, and adds the least noise.\n"
           "--protect rows hides whole rows, inputs too: it adds more noise, "
           "and needs --input-ranges from public knowledge.");
}

ReleaseRequest CheckRelease(const ReleaseArguments& arguments) {
  RequireInput(!arguments.data.empty(),
               "release needs the table: cloak release DATA.csv …");
  RequireInput(arguments.dry_run || arguments.file.has_value(),
               "-o FILE.cloak is missing: the file to write; or --dry-run to "
               "see the price first");
  RequireInput(!(arguments.json && arguments.file == "-" && !arguments.dry_run),
               "--json and -o - would both write to standard output; give one "
               "of them a file");
  RequireInput(!(arguments.data == "-" && arguments.at == "-"),
               "the table and --at cannot both be standard input");
  RequireInput(!arguments.cost.has_value() || arguments.task == "svm",
               "--cost belongs to --task svm");
  const ColumnNames names = CheckColumns(arguments);
  RequireProtect(arguments);
  if (IsSpread(arguments.task)) {
    SpreadRequest spread = CheckSpread(arguments, names.inputs);
    return {.input_names = names.inputs,
            .output = {},
            .private_inputs = std::move(spread.ranges),
            .unit_name = {},
            .task = std::move(spread.task),
            .threads = CheckThreads(arguments)};
  }
  RequireInput(!arguments.categories.has_value(),
               "--categories belongs to --task histogram");
  RequireInput(!arguments.bandwidth.has_value(),
               "--bandwidth belongs to --task density");
  if (arguments.protect == "rows") {
    RowsRequest rows = CheckRows(arguments, names.inputs);
    ReleaseRequest request{.input_names = names.inputs,
                           .output = {},
                           .private_inputs = std::move(rows.ranges),
                           .unit_name = {},
                           .task = std::move(rows.task),
                           .threads = CheckThreads(arguments)};
    if (HasLabels(arguments)) {
      // What does not belong to labels is refused.
      CheckLabels(arguments, CheckBudget(arguments));
      request.output = LabelOutput{names.output, CheckClasses(arguments)};
    } else {
      RefuseLabelOptions(arguments);
      request.output = NumberOutput{names.output, CheckBounds(arguments),
                                    PriorMeanOf(arguments)};
    }
    return request;
  }
  RequireInput(arguments.task != "svm",
               "--task svm needs --protect rows: a support vector machine "
               "says where the rows are that it rests on");
  if (arguments.task == "classification") {
    Classification task = CheckClassification(arguments, names.inputs.size());
    return {.input_names = names.inputs,
            .output = LabelOutput{names.output, CheckClasses(arguments)},
            .private_inputs = {},
            .unit_name = names.unit,
            .task = std::move(task),
            .threads = CheckThreads(arguments)};
  }
  RefuseLabelOptions(arguments);
  const OutputBounds bounds = CheckBounds(arguments);
  Regression task = CheckNumbers(arguments, names.inputs);
  return {.input_names = names.inputs,
          .output = NumberOutput{names.output, bounds, PriorMeanOf(arguments)},
          .private_inputs = {},
          .unit_name = names.unit,
          .task = std::move(task),
          .threads = CheckThreads(arguments)};
}

std::string ReleaseRequest::OutputName() const {
  if (const auto* number = std::get_if<NumberOutput>(&output)) {
    return number->name;
  }
  const auto* label = std::get_if<LabelOutput>(&output);
  return label != nullptr ? label->name : "";
}

}  // namespace cloak
