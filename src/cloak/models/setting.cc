#include "cloak/models/setting.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/models/magnitudes.h"

namespace cloak {
namespace {

const NumberOutput* NumberOf(const Setting& setting) {
  return std::get_if<NumberOutput>(&setting.output);
}

const LabelOutput* LabelOf(const Setting& setting) {
  return std::get_if<LabelOutput>(&setting.output);
}

void ValidatePublic(const Setting& setting, const PublicInputs& inputs) {
  const Matrix& X = inputs.X;
  RequireInput(X.rows() > 0 && X.cols() > 0 && X.allFinite(),
               "the inputs must be a finite table with at least one row and "
               "one column, but are ",
               X.rows(), " x ", X.cols());
  RequireInput(static_cast<Index>(setting.input_names.size()) == X.cols(),
               "there must be a name for each of the ", X.cols(),
               " inputs, but there are ", setting.input_names.size());
  RequireInputs(setting.input_names, X);
  if (inputs.units) {
    RequireInput(inputs.units->rows() == X.rows(),
                 "there must be a unit for each of the ", X.rows(),
                 " rows, but there are ", inputs.units->rows());
    RequireInput(
        !inputs.unit_name.empty() && inputs.unit_name != setting.output_name(),
        "the units must have the name of a public column, to say what is "
        "protected");
  }
  if (!inputs.noise_variances) return;
  const Vector& noise = *inputs.noise_variances;
  RequireInput(noise.size() == X.rows(),
               "there must be a noise variance for each of the ", X.rows(),
               " rows, but there are ", noise.size());
  for (Index i = 0; i < noise.size(); ++i) {
    RequireInput(std::isfinite(noise(i)) && noise(i) > 0,
                 "the noise variance of every row must be finite and positive, "
                 "but that of row ",
                 i + 1, " is ", noise(i));
    RequireNoiseVariance(noise(i), setting.bounds());
  }
}

void ValidatePrivate(const Setting& setting, const PrivateInputs& hidden) {
  RequireInput(hidden.rows > 0, "there must be at least one row");
  const Index inputs = hidden.lower.size();
  RequireInput(inputs > 0 && hidden.upper.size() == inputs,
               "there must be a range for each input");
  RequireInput(static_cast<Index>(setting.input_names.size()) == inputs,
               "there must be a name for each of the ", inputs,
               " inputs, but there are ", setting.input_names.size());
  for (Index j = 0; j < inputs; ++j) {
    const std::string& name = setting.input_names[static_cast<size_t>(j)];
    const double width = hidden.upper(j) - hidden.lower(j);
    RequireInput(
        std::isfinite(hidden.lower(j)) && std::isfinite(width) && width > 0,
        "the range of '", name,
        "' must be finite, and its lower end below its upper, but it is ",
        hidden.lower(j), " to ", hidden.upper(j));
    RequireRange(Text("the input '", name, "'"), hidden.lower(j),
                 hidden.upper(j));
  }
}

}  // namespace

bool Setting::ProtectsRows() const {
  return std::holds_alternative<PrivateInputs>(inputs);
}

Index Setting::rows() const {
  return ProtectsRows() ? hidden().rows : X().rows();
}

const PublicInputs& Setting::open() const {
  const auto* found = std::get_if<PublicInputs>(&inputs);
  if (found == nullptr) throw Error("the inputs are private");
  return *found;
}

const PrivateInputs& Setting::hidden() const {
  const auto* found = std::get_if<PrivateInputs>(&inputs);
  if (found == nullptr) throw Error("the inputs are public");
  return *found;
}

PrivacyUnits Setting::UnitsOrRows() const {
  const auto* found = std::get_if<PublicInputs>(&inputs);
  return found != nullptr && found->units ? *found->units
                                          : PrivacyUnits::EachRow(rows());
}

const std::string& Setting::output_name() const {
  static const std::string none;
  return std::visit(
      [](const auto& column) -> const std::string& {
        if constexpr (requires { column.name; }) {
          return column.name;
        } else {
          return none;
        }
      },
      output);
}

OutputBounds Setting::bounds() const {
  if (LabelOf(*this) != nullptr) return {-1, 1};
  if (NumberOf(*this) == nullptr) throw Error("there is no output");
  return NumberOf(*this)->bounds;
}

double Setting::PriorMean() const {
  const NumberOutput* number = NumberOf(*this);
  return number != nullptr && number->prior_mean ? *number->prior_mean
                                                 : bounds().middle();
}

const std::vector<std::string>& Setting::classes() const {
  static const std::vector<std::string> none;
  return LabelOf(*this) != nullptr ? LabelOf(*this)->classes : none;
}

void Setting::Validate() const {
  if (ProtectsRows()) {
    ValidatePrivate(*this, hidden());
  } else {
    ValidatePublic(*this, open());
  }
  if (const LabelOutput* label = LabelOf(*this)) {
    const std::vector<std::string>& names = label->classes;
    RequireInput(names.size() == 2, "there must be 2 classes, but there are ",
                 names.size(),
                 "; of more, release each against the rest, and share the "
                 "budget between them");
    RequireInput(names[0] != names[1],
                 "the classes must have two different names, but are '",
                 names[0], "' and '", names[1], "'");
  }
  if (NumberOf(*this) == nullptr) return;
  RequireRange("the output, by its bounds,", bounds().lower(),
               bounds().upper());
  RequireInput(
      PriorMean() >= bounds().lower() && PriorMean() <= bounds().upper(),
      "the prior mean must lie within the bounds ", bounds().lower(), " and ",
      bounds().upper(), ", but is ", PriorMean());
}

void RequireFewInputs(const Setting& setting) {
  RequireInput(setting.lower().size() <= kMostRowInputs,
               "whole rows can be protected with at most ", kMostRowInputs,
               " inputs, but there are ", setting.lower().size(),
               "; leave out those that matter least");
}

void RequireModel(const Setting& setting, const std::optional<Kernel>& kernel,
                  const std::optional<double>& noise_variance) {
  if (noise_variance) RequireNoiseVariance(*noise_variance, setting.bounds());
  if (!kernel) return;
  kernel->CheckInputs(static_cast<Index>(setting.input_names.size()));
  const double variance =
      setting.ProtectsRows()
          ? kernel->VarianceBound(setting.lower(), setting.upper())
          : kernel->Variances(setting.X()).maxCoeff();
  RequireKernel(*kernel, variance, setting.bounds());
}

void RequireQueries(const Setting& setting,
                    const std::optional<Matrix>& query_points) {
  if (!query_points) return;
  const Matrix& Xs = *query_points;
  RequireInput(
      Xs.rows() > 0 && Xs.cols() == setting.X().cols() && Xs.allFinite(),
      "the query points must be finite, at least one, with ",
      setting.X().cols(), " inputs, but are ", Xs.rows(), " x ", Xs.cols());
  RequireInputs(setting.input_names, Xs);
}

PrivacyStatement StatementOf(const Setting& setting, double epsilon,
                             double delta) {
  PrivacyStatement privacy;
  privacy.epsilon = epsilon;
  privacy.delta = delta;
  privacy.rows = setting.rows();
  if (setting.ProtectsRows()) {
    privacy.protect = Protection::kRows;
  } else if (setting.open().units) {
    privacy.unit = setting.open().unit_name;
    privacy.units = setting.open().units->count();
  }
  if (!setting.HasOutput()) {
    // A row adds 0 or 1 to a count.
    privacy.upper = 1;
    return privacy;
  }
  privacy.lower = setting.bounds().lower();
  privacy.upper = setting.bounds().upper();
  return privacy;
}

PrivacyStatement StatementOf(const Setting& setting, const Budget& budget) {
  return StatementOf(setting, budget.epsilon(), budget.delta());
}

}  // namespace cloak
