#include "apps/cli/option_values.h"

#include <algorithm>
#include <cmath>

#include "apps/cli/quoted_names.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr Index kMostThreads = 1024;

}  // namespace

std::optional<double> NumberOf(const std::optional<std::string>& text,
                               const std::string& option) {
  if (!text.has_value()) return {};
  return ParseNumber(*text, option);
}

std::optional<double> PositiveOf(const std::optional<std::string>& text,
                                 const std::string& option) {
  const std::optional<double> number = NumberOf(text, option);
  RequireInput(!number || (std::isfinite(*number) && *number > 0), option,
               " must be finite and positive, but is ", number.value_or(0));
  return number;
}

std::optional<Kernel> KernelOf(const std::optional<std::string>& text,
                               size_t inputs) {
  if (!text.has_value()) return {};
  const Kernel kernel = Kernel::Parse(*text);
  kernel.CheckInputs(static_cast<Index>(inputs));
  return kernel;
}

Threads ThreadsOf(const std::optional<std::string>& text) {
  if (!text.has_value()) return {};
  return Threads(
      static_cast<int>(WholeNumber(*text, "--threads", 1, kMostThreads)));
}

Index WholeNumber(const std::string& text, const std::string& option,
                  Index lowest, Index highest) {
  const double number = ParseNumber(text, option);
  RequireInput(number >= static_cast<double>(lowest) &&
                   number <= static_cast<double>(highest) &&
                   number == std::floor(number),
               option, " must be a whole number from ", lowest, " to ", highest,
               ", but is ", text);
  return static_cast<Index>(number);
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

std::vector<Index> CountsOfEach(const std::string& text,
                                const std::string& option, size_t inputs) {
  std::vector<Index> counts = CountsOf(text, option, inputs);
  if (counts.size() == 1) counts.resize(inputs, counts[0]);
  return counts;
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

std::map<std::string, std::string> ByName(
    const std::string& text, const std::string& option,
    const std::vector<std::string>& names) {
  std::map<std::string, std::string> values;
  for (const std::string& part : SplitOutsideQuotes(text, ',')) {
    const size_t equals = FindLastOutsideQuotes(part, '=');
    RequireInput(equals != std::string::npos && equals + 1 < part.size(),
                 option, " must be NAME=…, separated by commas, but has '",
                 part, "'");
    const std::string name = WithoutQuotes(part.substr(0, equals));
    RequireInput(std::count(names.begin(), names.end(), name) == 1, option,
                 ": '", name, "' is not one of the inputs (", Join(names, ", "),
                 ") it can be of");
    RequireInput(values.emplace(name, part.substr(equals + 1)).second, option,
                 ": '", name, "' stands there twice");
  }
  return values;
}

InputRanges InputRangesOf(const std::string& text,
                          const std::vector<std::string>& inputs) {
  const std::string rule = Text(
      "--input-ranges must be NAME=LO:HI for each input, separated by "
      "commas, such as ",
      inputs[0], "=0:20, but is '", text, "'");
  std::map<std::string, std::string> values;
  try {
    values = ByName(text, "--input-ranges", inputs);
  } catch (const InvalidInput& error) {
    throw InvalidInput(Text(rule, "\n", error.what()));
  }
  const auto count = static_cast<Index>(inputs.size());
  InputRanges ranges{Vector(count), Vector(count)};
  for (Index j = 0; j < count; ++j) {
    const std::string& name = inputs[static_cast<size_t>(j)];
    RequireInput(values.contains(name), rule, ": '", name, "' is missing");
    const OutputBounds range =
        RangeOf(values.at(name), Text("--input-ranges of ", name));
    ranges.lower(j) = range.lower();
    ranges.upper(j) = range.upper();
  }
  return ranges;
}

}  // namespace cloak
