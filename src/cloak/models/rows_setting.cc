#include "cloak/models/rows_setting.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/magnitudes.h"

namespace cloak {

void RowsSetting::Validate() const {
  RequireInput(rows > 0, "there must be at least one row");
  const Index inputs = lower.size();
  RequireInput(inputs > 0 && upper.size() == inputs,
               "there must be a range for each input");
  RequireInput(static_cast<Index>(input_names.size()) == inputs,
               "there must be a name for each of the ", inputs,
               " inputs, but there are ", input_names.size());
  for (Index j = 0; j < inputs; ++j) {
    const double width = upper(j) - lower(j);
    RequireInput(std::isfinite(lower(j)) && std::isfinite(width) && width > 0,
                 "the range of '", input_names[static_cast<size_t>(j)],
                 "' must be finite, and its lower end below its upper, "
                 "but it is ",
                 lower(j), " to ", upper(j));
    RequireRange(Text("the input '", input_names[static_cast<size_t>(j)], "'"),
                 lower(j), upper(j));
  }
  RequireRange("the output, by its bounds,", bounds.lower(), bounds.upper());
  RequireInput(PriorMean() >= bounds.lower() && PriorMean() <= bounds.upper(),
               "the prior mean must lie within the bounds ", bounds.lower(),
               " and ", bounds.upper(), ", but is ", PriorMean());
}

void RequireFewInputs(const RowsSetting& setting) {
  RequireInput(setting.lower.size() <= kMostRowInputs,
               "whole rows can be protected with at most ", kMostRowInputs,
               " inputs, but there are ", setting.lower.size(),
               "; leave out those that matter least");
}

PrivacyStatement StatementOf(const RowsSetting& setting) {
  PrivacyStatement privacy;
  privacy.protect = "rows";
  privacy.epsilon = setting.budget.epsilon();
  privacy.delta = setting.budget.delta();
  privacy.rows = setting.rows;
  privacy.lower = setting.bounds.lower();
  privacy.upper = setting.bounds.upper();
  return privacy;
}

ReleaseContent ContentOf(const RowsSetting& setting,
                         const PlanSummary& summary) {
  ReleaseContent content = ContentOf(summary);
  content.classes = setting.classes;
  for (Index j = 0; j < setting.lower.size(); ++j) {
    const double lower = setting.lower(j);
    const double upper = setting.upper(j);
    content.inputs.push_back({setting.input_names[static_cast<size_t>(j)],
                              lower, upper, lower + (upper - lower) / 2});
  }
  content.output = setting.output_name;
  content.offset = setting.PriorMean();
  return content;
}

}  // namespace cloak
