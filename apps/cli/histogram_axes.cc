#include <algorithm>
#include <map>
#include <utility>

#include "apps/cli/option_values.h"
#include "apps/cli/quoted_names.h"
#include "apps/cli/release_request.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/label_classes.h"
#include "cloak/models/rows/histogram.h"

namespace cloak {
namespace {

constexpr char kOther[] = "other";
constexpr Index kDefaultBins = 10;
constexpr Index kMostBinsOfOne = 10000;

// Returns how many bins each of the inputs that are numbers has.
std::map<std::string, Index> BinsByName(
    const ReleaseArguments& arguments,
    const std::vector<std::string>& numeric) {
  std::map<std::string, Index> bins;
  for (const std::string& name : numeric) bins[name] = kDefaultBins;
  if (!arguments.bins.has_value()) return bins;
  const std::string& text = *arguments.bins;
  if (text.find('=') != std::string::npos) {
    for (const auto& [name, count] : ByName(text, "--bins", numeric)) {
      bins[name] =
          WholeNumber(count, Text("--bins of ", name), 1, kMostBinsOfOne);
    }
    return bins;
  }
  RequireInput(!numeric.empty(),
               "--bins belongs to inputs that are numbers, and there are none");
  const std::vector<Index> counts =
      CountsOfEach(text, "--bins", numeric.size());
  for (size_t j = 0; j < numeric.size(); ++j) bins[numeric[j]] = counts[j];
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

}  // namespace

std::vector<HistogramAxis> AxesOf(const ReleaseArguments& arguments,
                                  const std::vector<std::string>& inputs) {
  std::map<std::string, std::string> categories;
  if (arguments.categories.has_value()) {
    categories = ByName(*arguments.categories, "--categories", inputs);
  }
  std::vector<std::string> numeric;
  for (const std::string& name : inputs) {
    if (!categories.contains(name)) numeric.push_back(name);
  }
  InputRanges ranges;
  if (!numeric.empty()) {
    ranges = PrivateRangesOf(arguments, numeric);
  } else {
    RequireInput(!arguments.input_ranges.has_value(),
                 "--input-ranges belongs to inputs that are numbers, and there "
                 "are none");
  }
  const std::map<std::string, Index> bins = BinsByName(arguments, numeric);
  std::vector<HistogramAxis> axes;
  Index next = 0;
  for (const std::string& name : inputs) {
    if (categories.contains(name)) {
      axes.push_back(CategoryAxis(name, categories.at(name)));
      continue;
    }
    axes.push_back(
        EqualBins(name, ranges.lower(next), ranges.upper(next), bins.at(name)));
    ++next;
  }
  return axes;
}

}  // namespace cloak
