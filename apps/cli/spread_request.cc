#include "apps/cli/spread_request.h"

#include <algorithm>
#include <map>
#include <utility>

#include "apps/cli/quoted_names.h"
#include "apps/cli/required.h"
#include "apps/cli/whole_number.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/label_classes.h"
#include "cloak/models/rows/histogram.h"

namespace cloak {
namespace {

constexpr char kOther[] = "other";
constexpr Index kDefaultBins = 10;

// What has no effect was a misunderstanding.
void RefuseModelOptions(const ReleaseArguments& arguments) {
  RequireInput(arguments.protect == "rows", "--task ", arguments.task,
               " needs --protect rows: how rows are spread is about whole "
               "rows");
  const std::vector<std::pair<std::string, bool>> given = {
      {"--output", arguments.output.has_value()},
      {"--bounds", arguments.bounds.has_value()},
      {"--classes", arguments.classes.has_value()},
      {"--unit", arguments.unit.has_value()},
      {"--noise-column", arguments.noise_column.has_value()},
      {"--noise-variance", arguments.noise_variance.has_value()},
      {"--kernel", arguments.kernel.has_value()},
      {"--prior-mean", arguments.prior_mean.has_value()},
      {"--inducing", arguments.inducing.has_value()},
      {"--at", arguments.at.has_value()},
      {"--design", arguments.design.has_value()},
      {"--degree", arguments.degree.has_value()},
      {"--neighbours", arguments.neighbours.has_value()},
      {"--newton-steps", arguments.newton_steps.has_value()},
      {"--reproduce", arguments.reproduce.has_value()},
      {"--accept-weaker", arguments.accept_weaker}};
  for (const auto& [option, is_given] : given) {
    RequireInput(!is_given, option, " does not belong to --task ",
                 arguments.task, ", which has inputs and no output");
  }
}

CountBudget BudgetOf(const ReleaseArguments& arguments) {
  CountBudget budget;
  budget.epsilon = ParseNumber(
      Required(arguments.epsilon,
               "--epsilon is missing: how much one row may change the odds of "
               "any result, a factor of e^epsilon; 1 is a common choice"),
      "--epsilon");
  if (arguments.delta.has_value()) {
    budget.delta = ParseNumber(*arguments.delta, "--delta");
    RequireInput(budget.delta > 0 && budget.delta < 1,
                 "--delta must lie between 0 and 1, but is ", budget.delta,
                 "; leave it out where none is needed");
  }
  return budget;
}

// NAME=TEXT,… for some of the inputs, each at most once.
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
                 " names '", name,
                 "', which is not one of the --inputs it can be of");
    RequireInput(values.emplace(name, part.substr(equals + 1)).second, option,
                 " names '", name, "' twice");
  }
  return values;
}

std::map<std::string, Index> BinsOf(const ReleaseArguments& arguments,
                                    const std::vector<std::string>& numeric) {
  std::map<std::string, Index> bins;
  for (const std::string& name : numeric) bins[name] = kDefaultBins;
  if (!arguments.bins.has_value()) return bins;
  const std::string& text = *arguments.bins;
  if (text.find('=') != std::string::npos) {
    for (const auto& [name, count] : ByName(text, "--bins", numeric)) {
      bins[name] = WholeNumber(count, Text("--bins of ", name), 1, 10000);
    }
    return bins;
  }
  RequireInput(!numeric.empty(),
               "--bins belongs to inputs that are numbers, and there are none");
  const std::vector<Index> counts = CountsOf(text, "--bins", numeric.size());
  for (size_t j = 0; j < numeric.size(); ++j) {
    bins[numeric[j]] = counts.size() == 1 ? counts[0] : counts[j];
  }
  return bins;
}

HistogramAxis CategoryAxis(const std::string& name, const std::string& text) {
  HistogramAxis axis{name};
  axis.categories = SplitNames(text, '|');
  // What a table spells otherwise must be counted somewhere: an error would
  // tell of a private cell.
  std::erase(axis.categories, kOther);
  RequireInput(axis.categories.size() < CountRelease::kMostBins,
               "--categories of ", name, " has ", axis.categories.size(),
               " of them; there may be at most ", CountRelease::kMostBins,
               " bins in all, 'other' too");
  axis.categories.emplace_back(kOther);
  try {
    LabelClasses{axis.categories};  // throws when they cannot be told apart
  } catch (const InvalidInput& error) {
    throw InvalidInput(Text("--categories of ", name, ": ", error.what()));
  }
  return axis;
}

InputRanges RangesOf(const ReleaseArguments& arguments,
                     const std::vector<std::string>& numeric) {
  return InputRangesOf(
      Required(arguments.input_ranges,
               Text("--input-ranges is missing: where each input lies, from "
                    "public knowledge, such as ",
                    numeric[0],
                    "=0:20\nCloak cannot read them off the data: the smallest "
                    "and the largest value each belong to somebody.")),
      numeric);
}

SpreadRequest CheckHistogram(const ReleaseArguments& arguments,
                             const std::vector<std::string>& names) {
  RequireInput(arguments.method == "optimal",
               "--task histogram has --method optimal, but not ",
               arguments.method);
  RequireInput(!arguments.bandwidth.has_value(),
               "--bandwidth belongs to --task density --method functional");
  std::map<std::string, std::string> categories;
  if (arguments.categories.has_value()) {
    categories = ByName(*arguments.categories, "--categories", names);
  }
  std::vector<std::string> numeric;
  for (const std::string& name : names) {
    if (!categories.contains(name)) numeric.push_back(name);
  }
  SpreadRequest request;
  if (!numeric.empty()) {
    request.ranges = RangesOf(arguments, numeric);
  } else {
    RequireInput(!arguments.input_ranges.has_value(),
                 "--input-ranges belongs to inputs that are numbers, and there "
                 "are none");
  }
  const std::map<std::string, Index> bins = BinsOf(arguments, numeric);
  Index next = 0;
  for (const std::string& name : names) {
    if (categories.contains(name)) {
      request.axes.push_back(CategoryAxis(name, categories.at(name)));
      continue;
    }
    request.axes.push_back(EqualBins(name, request.ranges.lower(next),
                                     request.ranges.upper(next),
                                     bins.at(name)));
    ++next;
  }
  return request;
}

SpreadRequest CheckDensity(const ReleaseArguments& arguments,
                           const std::vector<std::string>& names) {
  const bool functional = arguments.method == kFunctionalMethod;
  RequireInput(arguments.method == "optimal" || functional,
               "--task density has --method optimal or ", kFunctionalMethod,
               ", but not ", arguments.method);
  RequireInput(!arguments.categories.has_value(),
               "--categories belongs to --task histogram; a density is of "
               "numbers");
  SpreadRequest request;
  request.ranges = RangesOf(arguments, names);
  if (!functional) {
    RequireInput(!arguments.bandwidth.has_value(),
                 "--bandwidth belongs to --method functional; --method optimal "
                 "learns how smooth the density is");
    if (arguments.bins.has_value()) {
      std::vector<Index> cells =
          CountsOf(*arguments.bins, "--bins", names.size());
      if (cells.size() == 1) cells.resize(names.size(), cells[0]);
      request.cells = std::move(cells);
    }
    return request;
  }
  RequireInput(!arguments.bins.has_value(),
               "--bins belongs to --method optimal");
  request.functional.emplace();
  if (!arguments.bandwidth.has_value()) return request;
  const std::vector<std::string> parts = Split(*arguments.bandwidth, ',');
  RequireInput(parts.size() == 1 || parts.size() == names.size(),
               "--bandwidth must be one number, or one for each of the ",
               names.size(), " inputs, but has ", parts.size());
  Vector bandwidth(static_cast<Index>(names.size()));
  for (size_t j = 0; j < names.size(); ++j) {
    bandwidth(static_cast<Index>(j)) =
        ParseNumber(parts[parts.size() == 1 ? 0 : j], "--bandwidth");
  }
  request.functional->bandwidth = std::move(bandwidth);
  return request;
}

}  // namespace

SpreadRequest CheckSpread(const ReleaseArguments& arguments,
                          const std::vector<std::string>& input_names) {
  RefuseModelOptions(arguments);
  SpreadRequest request = arguments.task == "histogram"
                              ? CheckHistogram(arguments, input_names)
                              : CheckDensity(arguments, input_names);
  request.budget = BudgetOf(arguments);
  // A ledger counts in Gaussian noise, and Laplace noise dearly.
  request.budget.gaussian =
      arguments.ledger.has_value() && request.budget.delta > 0;
  RequireInput(!request.functional || request.budget.delta > 0,
               "--delta is missing: the probability left outside the "
               "guarantee; choose it well below 1 / rows, such as 1e-5");
  return request;
}

}  // namespace cloak
