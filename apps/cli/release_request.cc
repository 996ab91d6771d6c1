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

bool IsBinned(const std::string& method) {
  return method == "binning" || method == "integral-binning";
}

Budget CheckBudget(const ReleaseArguments& arguments) {
  const std::string& epsilon = Required(
      arguments.epsilon,
      "--epsilon is missing: how much one row may change the odds of any "
      "result, a factor of e^epsilon; 1 is a common choice");
  if (IsBinned(arguments.method)) {
    RequireInput(!arguments.delta.has_value(), "--method ", arguments.method,
                 " adds Laplace noise, which leaves nothing outside the "
                 "guarantee: leave --delta out");
    constexpr double kNotUsed = 0.5;
    return {ParseNumber(epsilon, "--epsilon"), kNotUsed};
  }
  const std::string& delta = Required(
      arguments.delta,
      "--delta is missing: the probability left outside the guarantee; choose "
      "it well below 1 / rows, such as 1e-5");
  return {ParseNumber(epsilon, "--epsilon"), ParseNumber(delta, "--delta")};
}

void CheckColumns(const ReleaseArguments& arguments,
                  RegressionOptions& options) {
  options.input_names =
      SplitNames(Required(arguments.inputs,
                          "--inputs is missing: the columns to predict from, "
                          "separated by commas, such as --inputs age,weight"),
                 ',');
  if (!IsSpread(arguments.task)) {
    options.output_name =
        Required(arguments.output,
                 "--output is missing: the private column to predict, such as "
                 "--output height");
  }
  std::set<std::string> seen;
  for (const std::string& name : options.input_names) {
    RequireInput(!name.empty(), "--inputs has an empty name in '",
                 *arguments.inputs, "'");
    RequireInput(seen.insert(name).second, "--inputs names the column '", name,
                 "' twice");
    RequireInput(name != options.output_name, "the column '", name,
                 "' is both an input and the output; it must be one or "
                 "the other");
  }
  RequireInput(arguments.noise_column != options.output_name, "the column '",
               options.output_name,
               "' is both the output and --noise-column; noise variances "
               "are public, the output is private, so it must be one or "
               "the other");
  if (!arguments.unit.has_value()) return;
  options.unit_name =
      Required(arguments.unit,
               "--unit is empty: name the public column that says whose row "
               "it is, such as --unit person, or leave it out when everybody "
               "has one row");
  RequireInput(options.unit_name != options.output_name, "the column '",
               options.unit_name,
               "' is both the unit and the output; whose row it is is "
               "public, the output is private, so it must be one or the "
               "other");
}

RegressionOptions::Method RegressionMethodOf(const std::string& name) {
  for (const RegressionOptions::Method method : RegressionMethods()) {
    if (NameOf(method) == name) return method;
  }
  throw InvalidInput(
      Text("--method ", name, " belongs to ",
           name == kVariational ? "--protect rows" : "--task classification"));
}

// What has no effect on the method was a misunderstanding.
void CheckBelongs(bool given, bool belongs, const std::string& option,
                  const std::string& where) {
  RequireInput(!given || belongs, option, " belongs to --method ", where);
}

void CheckReproduction(const ReleaseArguments& arguments,
                       RegressionOptions& options) {
  if (!arguments.reproduce.has_value()) {
    RequireInput(!arguments.accept_weaker,
                 "--accept-weaker belongs to --reproduce");
    return;
  }
  RequireInput(
      arguments.dry_run || arguments.accept_weaker, "--reproduce ",
      *arguments.reproduce,
      " adds noise by the paper's constant, more than the promise needs: "
      "a release made so tells less than it could for the same budget\n"
      "Leave it out, or say --accept-weaker if that is what you want.");
  options.published_noise = true;
}

void CheckMethodOptions(const ReleaseArguments& arguments,
                        RegressionOptions& options) {
  const RegressionOptions::Method method = options.method;
  CheckBelongs(arguments.inducing.has_value(),
               method == RegressionOptions::kSparseCloaking, "--inducing",
               "sparse-cloaking");
  CheckBelongs(arguments.degree.has_value(),
               method == RegressionOptions::kPolynomial, "--degree",
               "polynomial");
  CheckBelongs(arguments.neighbours.has_value(),
               method == RegressionOptions::kNonstationaryCloaking,
               "--neighbours", "nonstationary-cloaking");
  if (arguments.neighbours.has_value()) {
    options.neighbours = ParseNumber(*arguments.neighbours, "--neighbours");
  }
  CheckBelongs(arguments.bins.has_value(), IsBinned(arguments.method), "--bins",
               "binning and integral-binning");
  CheckBelongs(arguments.input_ranges.has_value(), IsBinned(arguments.method),
               "--input-ranges", "binning and integral-binning");
  if (arguments.bins.has_value()) {
    const std::vector<Index> counts =
        CountsOf(*arguments.bins, "--bins", options.input_names.size());
    options.bins =
        counts.size() == 1
            ? PerInput(static_cast<double>(counts[0]))
            : PerInput(std::vector<double>(counts.begin(), counts.end()));
  }
  if (arguments.input_ranges.has_value()) {
    const InputRanges ranges =
        InputRangesOf(*arguments.input_ranges, options.input_names);
    options.lower = ranges.lower;
    options.upper = ranges.upper;
  }
  if (arguments.inducing.has_value()) {
    options.inducing = WholeNumber(*arguments.inducing, "--inducing", 1, 1000);
  }
  if (arguments.degree.has_value()) {
    options.degree = WholeNumber(*arguments.degree, "--degree", 0, 5);
  }
}

void CheckModel(const ReleaseArguments& arguments, RegressionOptions& options) {
  options.method = RegressionMethodOf(arguments.method);
  if (arguments.design.has_value())
    options.design = DesignNamed(*arguments.design);
  options.kernel = KernelOf(arguments, options.input_names.size());
  options.noise_variance = NoiseVarianceOf(arguments);
  options.prior_mean = PriorMeanOf(arguments);
  CheckMethodOptions(arguments, options);
  CheckReproduction(arguments, options);
  // The columns that the plan will find in the table, so that what is missing
  // is said before a file is read.
  CheckMethod(options, {.queries = arguments.at.has_value(),
                        .row_noise = arguments.noise_column.has_value()});
}

Threads CheckThreads(const ReleaseArguments& arguments) {
  if (!arguments.threads.has_value()) return Threads();
  const double count = ParseNumber(*arguments.threads, "--threads");
  RequireInput(count >= 1 && count <= 1024 && count == std::floor(count),
               "--threads must be a whole number from 1 to 1024, but is ",
               count);
  return Threads(static_cast<int>(count));
}

// Labels are −1 and 1. `options` has the columns.
ReleaseRequest CheckClassification(const ReleaseArguments& arguments,
                                   RegressionOptions options) {
  ClassificationOptions labels = CheckLabels(arguments);
  const Budget budget = CheckBudget(arguments);
  CheckReproduction(arguments, options);
  labels.published_noise = options.published_noise;
  CheckMethod(labels);
  if (labels.kernel) {
    labels.kernel->CheckInputs(static_cast<Index>(options.input_names.size()));
  }
  return {.bounds = OutputBounds(-1, 1),
          .budget = budget,
          .options = std::move(options),
          .labels = std::move(labels),
          .rows = {},
          .spread = {},
          .threads = CheckThreads(arguments)};
}

// Whole rows. `options` has the columns, and no more: the rest is in the
// request for rows.
ReleaseRequest CheckRowsRelease(const ReleaseArguments& arguments,
                                RegressionOptions options) {
  RowsRequest rows = CheckRows(arguments, options.input_names);
  const Budget budget = CheckBudget(arguments);
  const Threads threads = CheckThreads(arguments);
  if (HasLabels(arguments)) {
    ClassificationOptions labels = CheckLabels(arguments);
    return {.bounds = OutputBounds(-1, 1),
            .budget = budget,
            .options = std::move(options),
            .labels = std::move(labels),
            .rows = std::move(rows),
            .spread = {},
            .threads = threads};
  }
  RefuseLabelOptions(arguments);
  return {.bounds = CheckBounds(arguments),
          .budget = budget,
          .options = std::move(options),
          .labels = {},
          .rows = std::move(rows),
          .spread = {},
          .threads = threads};
}

// How rows are spread. `options` has the inputs.
ReleaseRequest CheckSpreadRelease(const ReleaseArguments& arguments,
                                  RegressionOptions options) {
  SpreadRequest spread = CheckSpread(arguments, options.input_names);
  // The budget is in the request itself, where delta may be 0.
  constexpr double kNotUsed = 0.5;
  const Budget budget(spread.budget.epsilon, kNotUsed);
  return {.bounds = OutputBounds(0, 1),
          .budget = budget,
          .options = std::move(options),
          .labels = {},
          .rows = {},
          .spread = std::move(spread),
          .threads = CheckThreads(arguments)};
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
  RegressionOptions options;
  CheckColumns(arguments, options);
  RequireProtect(arguments);
  if (IsSpread(arguments.task)) {
    return CheckSpreadRelease(arguments, std::move(options));
  }
  RequireInput(!arguments.categories.has_value(),
               "--categories belongs to --task histogram");
  RequireInput(!arguments.bandwidth.has_value(),
               "--bandwidth belongs to --task density");
  if (arguments.protect == "rows") {
    return CheckRowsRelease(arguments, std::move(options));
  }
  RequireInput(arguments.task != "svm",
               "--task svm needs --protect rows: a support vector machine "
               "says where the rows are that it rests on");
  if (arguments.task == "classification") {
    return CheckClassification(arguments, std::move(options));
  }
  RefuseLabelOptions(arguments);
  const OutputBounds bounds = CheckBounds(arguments);
  const Budget budget = CheckBudget(arguments);
  CheckModel(arguments, options);
  return {.bounds = bounds,
          .budget = budget,
          .options = std::move(options),
          .labels = {},
          .rows = {},
          .spread = {},
          .threads = CheckThreads(arguments)};
}

}  // namespace cloak
