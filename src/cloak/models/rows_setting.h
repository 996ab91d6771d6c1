#ifndef CLOAK_MODELS_ROWS_SETTING_H_
#define CLOAK_MODELS_ROWS_SETTING_H_

#include <optional>
#include <string>
#include <vector>

#include "cloak/base/progress.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/plan.h"
#include "cloak/privacy/budget.h"
#include "cloak/release/release.h"

namespace cloak {

// What every plan that protects whole rows is made from: all that is public of
// a table whose inputs are private too. None of its parts can be left out.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
struct RowsSetting {
  Index rows = 0;
  // Where the inputs lie, from public knowledge. A row outside counts as the
  // nearest inside.
  Vector lower;
  Vector upper;
  OutputBounds bounds;
  Budget budget;
  std::vector<std::string> input_names;
  std::string output_name;
  // Where f is believed to lie far from all data, from public knowledge; the
  // middle of the bounds when absent.
  std::optional<double> prior_mean = {};
  Threads threads = {};
  Progress progress = NoProgress;
  // Of labels, which are −1 and 1; none where outputs are numbers.
  std::vector<std::string> classes = {};

  // Throws InvalidInput when something does not fit or is not finite.
  void Validate() const;
  double PriorMean() const { return prior_mean.value_or(bounds.middle()); }
};

// Cells and grids of points have many for each input: throws InvalidInput when
// there are more inputs than this.
inline constexpr Index kMostRowInputs = 8;
void RequireFewInputs(const RowsSetting& setting);

// The parts of the privacy statement that do not depend on the mechanism.
PrivacyStatement StatementOf(const RowsSetting& setting);
// The parts of a release that do not depend on private cells.
ReleaseContent ContentOf(const RowsSetting& setting,
                         const PlanSummary& summary);

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_SETTING_H_
