#include "cloak/models/plan.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/input_columns.h"
#include "cloak/models/magnitudes.h"

namespace cloak {

std::string NameOf(PlanDesign design) {
  switch (design) {
    case PlanDesign::kBayes:
      return "bayes";
    case PlanDesign::kVolume:
      return "volume";
    case PlanDesign::kTrace:
      return "trace";
  }
  throw Error("an unknown design");
}

PlanDesign DesignNamed(const std::string& name) {
  for (const PlanDesign design :
       {PlanDesign::kBayes, PlanDesign::kVolume, PlanDesign::kTrace}) {
    if (NameOf(design) == name) return design;
  }
  throw InvalidInput(Text("there is no design '", name, "'"));
}

Release Plan::ExecuteObserved(const PrivateRows& rows, Randomness& randomness,
                              const ReleaseObserver& /*observer*/) const {
  return Execute(rows, randomness);
}

Neighbours Plan::neighbours() const {
  if (privacy().protect == "rows") return Neighbours::kRow;
  return privacy().unit.empty() ? Neighbours::kOutput : Neighbours::kUnit;
}

void PlanSetting::Validate() const {
  RequireInput(X.rows() > 0 && X.cols() > 0 && X.allFinite(),
               "the inputs must be a finite table with at least one row "
               "and one column, but are ",
               X.rows(), " x ", X.cols());
  RequireInput(static_cast<Index>(input_names.size()) == X.cols(),
               "there must be a name for each of the ", X.cols(),
               " inputs, but there are ", input_names.size());
  RequireInputs(input_names, X);
  RequireRange("the output, by its bounds,", bounds.lower(), bounds.upper());
  RequireInput(PriorMean() >= bounds.lower() && PriorMean() <= bounds.upper(),
               "the prior mean must lie within the bounds ", bounds.lower(),
               " and ", bounds.upper(), ", but is ", PriorMean());
  if (!units) return;
  RequireInput(units->rows() == X.rows(),
               "there must be a unit for each of the ", X.rows(),
               " rows, but there are ", units->rows());
  RequireInput(!unit_name.empty() && unit_name != output_name,
               "the units must have the name of a public column, to say what "
               "is protected");
}

PrivacyUnits PlanSetting::UnitsOrRows() const {
  return units.value_or(PrivacyUnits::EachRow(X.rows()));
}

PrivacyStatement StatementOf(const PlanSetting& setting) {
  PrivacyStatement privacy;
  privacy.epsilon = setting.budget.epsilon();
  privacy.delta = setting.budget.delta();
  privacy.rows = setting.X.rows();
  if (setting.units) {
    privacy.unit = setting.unit_name;
    privacy.units = setting.units->count();
  }
  privacy.lower = setting.bounds.lower();
  privacy.upper = setting.bounds.upper();
  return privacy;
}

ReleaseContent ContentOf(const PlanSummary& summary) {
  ReleaseContent content;
  content.task = summary.task;
  content.method = summary.method;
  content.design = summary.design;
  content.certified_gap = summary.certified_gap;
  content.privacy = summary.privacy;
  return content;
}

ReleaseContent ContentOf(const PlanSetting& setting,
                         const PlanSummary& summary) {
  ReleaseContent content = ContentOf(summary);
  content.classes = setting.classes;
  content.inputs = DescribeInputs(setting.input_names, setting.X);
  content.output = setting.output_name;
  content.offset = setting.PriorMean();
  return content;
}

}  // namespace cloak
