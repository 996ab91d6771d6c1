#include "apps/cli/model_request.h"

#include <algorithm>
#include <cmath>

#include "apps/cli/quoted_names.h"
#include "apps/cli/required.h"
#include "apps/cli/whole_number.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

double CheckEpsilon(const ReleaseArguments& arguments) {
  return ParseNumber(
      Required(arguments.epsilon,
               "--epsilon is missing: how much one row may change the odds of "
               "any result, a factor of e^epsilon; 1 is a common choice"),
      "--epsilon");
}

Budget CheckBudget(const ReleaseArguments& arguments) {
  const double epsilon = CheckEpsilon(arguments);
  const std::string& delta = Required(
      arguments.delta,
      "--delta is missing: the probability left outside the guarantee; choose "
      "it well below 1 / rows, such as 1e-5");
  return {epsilon, ParseNumber(delta, "--delta")};
}

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
  RequireInput(lower < upper, option,
               " must be LO:HI with LO below HI, but is '", text, "'");
  return {lower, upper};
}

InputRanges InputRangesOf(const std::string& text,
                          const std::vector<std::string>& names) {
  const std::string rule = Text(
      "--input-ranges must be NAME=LO:HI for each input, separated by "
      "commas, such as ",
      names[0], "=0:20, but is '", text, "'");
  const auto inputs = static_cast<Index>(names.size());
  const std::vector<std::string> parts = SplitOutsideQuotes(text, ',');
  Vector lower = Vector::Constant(inputs, 1);
  Vector upper = Vector::Zero(inputs);  // none yet
  for (const std::string& part : parts) {
    const size_t equals = FindLastOutsideQuotes(part, '=');
    RequireInput(equals != std::string::npos, rule);
    const std::string name = WithoutQuotes(part.substr(0, equals));
    const auto found = std::find(names.begin(), names.end(), name);
    RequireInput(found != names.end(), rule, ": '", name,
                 "' is not one of the inputs (", Join(names, ", "), ")");
    const Index input = found - names.begin();
    RequireInput(lower(input) > upper(input), rule, ": '", *found,
                 "' stands there twice");
    const OutputBounds range =
        RangeOf(part.substr(equals + 1), Text("--input-ranges of ", *found));
    lower(input) = range.lower();
    upper(input) = range.upper();
  }
  for (Index j = 0; j < inputs; ++j) {
    RequireInput(lower(j) <= upper(j), rule, ": '",
                 names[static_cast<size_t>(j)], "' is missing");
  }
  return {lower, upper};
}

std::vector<Index> CountsOf(const std::string& text, const std::string& option,
                            size_t inputs) {
  std::vector<Index> counts;
  for (const std::string& part : Split(text, ',')) {
    counts.push_back(WholeNumber(part, option, 1, 1000000));
  }
  RequireInput(counts.size() == 1 || counts.size() == inputs, option,
               " must be one number, or one for each of the ", inputs,
               " inputs, but has ", counts.size());
  return counts;
}

std::optional<Kernel> KernelOf(const ReleaseArguments& arguments,
                               size_t inputs) {
  if (!arguments.kernel.has_value()) return {};
  const Kernel kernel = Kernel::Parse(*arguments.kernel);
  kernel.CheckInputs(static_cast<Index>(inputs));
  return kernel;
}

std::optional<double> NoiseVarianceOf(const ReleaseArguments& arguments) {
  if (!arguments.noise_variance.has_value()) return {};
  const double variance =
      ParseNumber(*arguments.noise_variance, "--noise-variance");
  RequireInput(std::isfinite(variance) && variance > 0,
               "--noise-variance must be finite and positive, but is ",
               variance);
  return variance;
}

std::optional<double> PriorMeanOf(const ReleaseArguments& arguments) {
  if (!arguments.prior_mean.has_value()) return {};
  return ParseNumber(*arguments.prior_mean, "--prior-mean");
}

}  // namespace cloak
