#ifndef CLOAK_MODELS_SETTING_H_
#define CLOAK_MODELS_SETTING_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/kernels/kernel.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/threads.h"
#include "cloak/privacy/budget.h"
#include "cloak/release/release.h"

namespace cloak {

// Where X has the few linear functions of very many inputs that a plan works
// with: these functions, and the inputs that a release takes.
struct ProjectedFrom {
  InputProjection projection;
  std::vector<InputColumn> inputs;
};

// Inputs that anybody may know. What is private is the output.
struct PublicInputs {
  Matrix X;  // one row for each row of the table
  // Whose outputs are protected all at once: those of rows with the same value
  // in the column `unit_name`. Each row's by itself when absent.
  std::optional<PrivacyUnits> units = {};
  std::string unit_name = {};
  // The noise variance of each row, where rows differ in it.
  std::optional<Vector> noise_variances = {};
  std::optional<ProjectedFrom> projected = {};
};

// Inputs that are as private as the output. Only this is public of them.
struct PrivateInputs {
  explicit PrivateInputs(Index count, Vector low = {}, Vector high = {})
      : rows(count), lower(std::move(low)), upper(std::move(high)) {}

  Index rows;
  // Where the inputs lie, from public knowledge: a row outside counts as the
  // nearest inside. Empty for a histogram, whose axes say it.
  Vector lower;
  Vector upper;
};

// An output that is a number.
struct NumberOutput {
  std::string name;
  OutputBounds bounds;
  // Where f is believed to lie far from all data, from public knowledge; the
  // middle of the bounds when absent.
  std::optional<double> prior_mean = {};
};

// An output that is one of two classes, from public knowledge like the bounds
// of a number. Labels come as −1 and 1; the second class is the positive one.
struct LabelOutput {
  std::string name;
  std::vector<std::string> classes;
};

// All that is public of a table before anything is released: what every plan is
// made from. The task (task.h) says what is to be released of it.
struct Setting {
  std::vector<std::string> input_names = {};
  // Whole rows are protected where the inputs are private, outputs otherwise.
  std::variant<PublicInputs, PrivateInputs> inputs;
  // None where the rows are counted.
  std::variant<std::monostate, NumberOutput, LabelOutput> output = {};
  Threads threads = {};
  Progress progress = NoProgress;

  // Throws InvalidInput when something does not fit or is not finite.
  void Validate() const;

  bool ProtectsRows() const;
  Index rows() const;
  // Returns the inputs, where they are public. Throws Error otherwise, as the
  // next do where there is no such thing.
  const PublicInputs& open() const;
  const Matrix& X() const { return open().X; }
  const PrivateInputs& hidden() const;
  const Vector& lower() const { return hidden().lower; }
  const Vector& upper() const { return hidden().upper; }
  // Returns who is protected together: units, or each row.
  PrivacyUnits UnitsOrRows() const;

  bool HasOutput() const {
    return !std::holds_alternative<std::monostate>(output);
  }
  bool HasLabels() const { return !classes().empty(); }
  // Returns the empty text where there is no output.
  const std::string& output_name() const;
  // Returns the bounds of the output, which for labels are −1 and 1.
  OutputBounds bounds() const;
  double PriorMean() const;
  // Returns no class where the output is a number.
  const std::vector<std::string>& classes() const;
};

using SharedSetting = std::shared_ptr<const Setting>;

// Throws InvalidInput when there are more private inputs than this: cells and
// grids of points have many for each.
inline constexpr Index kMostRowInputs = 8;
void RequireFewInputs(const Setting& setting);

// Throws InvalidInput when the kernel, where there is one, does not fit the
// inputs, or it or the noise variance is out of proportion to the bounds of the
// output.
void RequireModel(const Setting& setting, const std::optional<Kernel>& kernel,
                  const std::optional<double>& noise_variance);

// Throws InvalidInput unless the query points, where there are some, are finite
// and have as many columns as there are inputs.
void RequireQueries(const Setting& setting,
                    const std::optional<Matrix>& query_points);

// Returns the parts of the privacy statement that do not depend on the
// mechanism. A delta of 0 means that there is none.
PrivacyStatement StatementOf(const Setting& setting, double epsilon,
                             double delta);
PrivacyStatement StatementOf(const Setting& setting, const Budget& budget);

}  // namespace cloak

#endif  // CLOAK_MODELS_SETTING_H_
