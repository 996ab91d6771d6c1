#include "apps/cli/release_request.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "apps/cli/label_request.h"
#include "apps/cli/required.h"
#include "apps/cli/whole_number.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// LO:HI, of the option that messages name.
OutputBounds RangeOf(const std::string& text, const std::string& option) {
  const std::vector<std::string> parts = Split(text, ':');
  const std::string rule = Text(
      option,
      " must be LO:HI, two numbers from public knowledge, such as 60:180, but "
      "is '",
      text, "'");
  RequireInput(parts.size() == 2, rule);
  double lower = 0;
  double upper = 0;
  try {
    lower = ParseNumber(parts[0], "");
    upper = ParseNumber(parts[1], "");
  } catch (const InvalidInput&) {
    throw InvalidInput(rule);
  }
  RequireInput(std::isfinite(lower) && std::isfinite(upper), rule);
  RequireInput(
      lower < upper,
      Text(option, " must be LO:HI with LO below HI, but is '", text, "'"));
  return {lower, upper};
}

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
    RequireInput(!arguments.delta.has_value(),
                 Text("--method ", arguments.method,
                      " adds Laplace noise, which leaves nothing outside the "
                      "guarantee: leave --delta out"));
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
      Split(Required(arguments.inputs,
                     "--inputs is missing: the public columns to predict from, "
                     "separated by commas, such as --inputs age,weight"),
            ',');
  options.output_name =
      Required(arguments.output,
               "--output is missing: the private column to predict, such as "
               "--output height");
  std::set<std::string> seen;
  for (const std::string& name : options.input_names) {
    RequireInput(!name.empty(), Text("--inputs has an empty name in '",
                                     *arguments.inputs, "'"));
    RequireInput(seen.insert(name).second,
                 Text("--inputs names the column '", name, "' twice"));
    RequireInput(name != options.output_name,
                 Text("the column '", name,
                      "' is both an input and the output; "
                      "inputs are published, the output is private, so it "
                      "must be one or the other"));
  }
  RequireInput(arguments.noise_column != options.output_name,
               Text("the column '", options.output_name,
                    "' is both the output and --noise-column; noise variances "
                    "are public, the output is private, so it must be one or "
                    "the other"));
  if (!arguments.unit.has_value()) return;
  options.unit_name =
      Required(arguments.unit,
               "--unit is empty: name the public column that says whose row "
               "it is, such as --unit person, or leave it out when everybody "
               "has one row");
  RequireInput(options.unit_name != options.output_name,
               Text("the column '", options.unit_name,
                    "' is both the unit and the output; whose row it is is "
                    "public, the output is private, so it must be one or the "
                    "other"));
}

RegressionOptions::Method MethodOf(const std::string& name) {
  for (const RegressionOptions::Method method : RegressionMethods()) {
    if (NameOf(method) == name) return method;
  }
  throw InvalidInput(
      Text("--method ", name, " belongs to --task classification"));
}

// What has no effect on the method was a misunderstanding.
void CheckBelongs(bool given, bool belongs, const std::string& option,
                  const std::string& where) {
  RequireInput(!given || belongs, Text(option, " belongs to --method ", where));
}

void CheckReproduction(const ReleaseArguments& arguments,
                       RegressionOptions& options) {
  if (!arguments.reproduce.has_value()) {
    RequireInput(!arguments.accept_weaker,
                 "--accept-weaker belongs to --reproduce");
    return;
  }
  RequireInput(
      arguments.dry_run || arguments.accept_weaker,
      Text("--reproduce ", *arguments.reproduce,
           " adds noise by the paper's constant, more than the promise needs: "
           "a release made so tells less than it could for the same budget\n"
           "Leave it out, or say --accept-weaker if that is what you want."));
  options.published_noise = true;
}

PerInput BinsOf(const std::string& text, size_t inputs) {
  std::vector<double> counts;
  for (const std::string& part : Split(text, ',')) {
    counts.push_back(
        static_cast<double>(WholeNumber(part, "--bins", 1, 1000000)));
  }
  if (counts.size() == 1) return counts[0];
  RequireInput(counts.size() == inputs,
               Text("--bins must be one number, or one for each of the ",
                    inputs, " inputs, but has ", counts.size()));
  return counts;
}

// a=0:20,b=10:90, each of the inputs once.
void CheckRanges(const std::string& text, RegressionOptions& options) {
  const std::string rule = Text(
      "--input-ranges must be NAME=LO:HI for each input, separated by "
      "commas, such as ",
      options.input_names[0], "=0:20, but is '", text, "'");
  const auto inputs = static_cast<Index>(options.input_names.size());
  const std::vector<std::string> parts = Split(text, ',');
  RequireInput(static_cast<Index>(parts.size()) == inputs, rule);
  Vector lower = Vector::Constant(inputs, 1);
  Vector upper = Vector::Zero(inputs);  // none yet
  for (const std::string& part : parts) {
    const size_t equals = part.rfind('=');
    RequireInput(equals != std::string::npos, rule);
    const auto found =
        std::find(options.input_names.begin(), options.input_names.end(),
                  part.substr(0, equals));
    RequireInput(found != options.input_names.end(), rule);
    const Index input = found - options.input_names.begin();
    RequireInput(lower(input) > upper(input), rule);  // not given twice
    const OutputBounds range =
        RangeOf(part.substr(equals + 1), Text("--input-ranges of ", *found));
    lower(input) = range.lower();
    upper(input) = range.upper();
  }
  options.lower = lower;
  options.upper = upper;
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
    options.bins = BinsOf(*arguments.bins, options.input_names.size());
  }
  if (arguments.input_ranges.has_value()) {
    CheckRanges(*arguments.input_ranges, options);
  }
  if (arguments.inducing.has_value()) {
    options.inducing = WholeNumber(*arguments.inducing, "--inducing", 1, 1000);
  }
  if (arguments.degree.has_value()) {
    options.degree = WholeNumber(*arguments.degree, "--degree", 0, 5);
  }
}

void CheckProtect(const ReleaseArguments& arguments) {
  RequireInput(arguments.protect != "rows",
               "--protect rows is not available yet in this version; it "
               "protects outputs only, with the inputs public");
  RequireInput(
      arguments.protect == "outputs",
      Text("--protect must be outputs, but is '", arguments.protect, "'"));
}

void CheckModel(const ReleaseArguments& arguments, RegressionOptions& options) {
  options.method = MethodOf(arguments.method);
  if (arguments.design.has_value())
    options.design = DesignNamed(*arguments.design);
  if (arguments.kernel.has_value()) {
    options.kernel = Kernel::Parse(*arguments.kernel);
    options.kernel->CheckInputs(static_cast<Index>(options.input_names.size()));
  }
  if (arguments.noise_variance.has_value()) {
    const double variance =
        ParseNumber(*arguments.noise_variance, "--noise-variance");
    RequireInput(std::isfinite(variance) && variance > 0,
                 Text("--noise-variance must be finite and positive, but is ",
                      variance));
    options.noise_variance = variance;
  }
  if (arguments.prior_mean.has_value()) {
    options.prior_mean = ParseNumber(*arguments.prior_mean, "--prior-mean");
  }
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
  RequireInput(
      count >= 1 && count <= 1024 && count == std::floor(count),
      Text("--threads must be a whole number from 1 to 1024, but is ", count));
  return Threads(static_cast<int>(count));
}

// Labels are −1 and 1. `options` has the columns.
ReleaseRequest CheckClassification(const ReleaseArguments& arguments,
                                   RegressionOptions options) {
  ClassificationOptions labels = CheckLabels(arguments);
  const Budget budget = CheckBudget(arguments);
  CheckProtect(arguments);
  CheckReproduction(arguments, options);
  labels.published_noise = options.published_noise;
  CheckMethod(labels);
  if (labels.kernel) {
    labels.kernel->CheckInputs(static_cast<Index>(options.input_names.size()));
  }
  return {OutputBounds(-1, 1), budget, std::move(options), std::move(labels),
          CheckThreads(arguments)};
}

}  // namespace

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
  RegressionOptions options;
  CheckColumns(arguments, options);
  if (arguments.task == "classification") {
    return CheckClassification(arguments, std::move(options));
  }
  RefuseLabelOptions(arguments);
  const OutputBounds bounds = CheckBounds(arguments);
  const Budget budget = CheckBudget(arguments);
  CheckProtect(arguments);
  CheckModel(arguments, options);
  return {bounds, budget, std::move(options), {}, CheckThreads(arguments)};
}

}  // namespace cloak
