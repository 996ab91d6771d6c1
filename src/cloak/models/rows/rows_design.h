#ifndef CLOAK_MODELS_ROWS_ROWS_DESIGN_H_
#define CLOAK_MODELS_ROWS_ROWS_DESIGN_H_

#include <cmath>
#include <vector>

#include "cloak/design/bayes.h"
#include "cloak/linalg/cell_tree.h"
#include "cloak/linalg/matrix.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/rows/row_statistic.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/cell_mechanism.h"

namespace cloak {

// The design of one round of a release of whole rows: which linear functions of
// the sums of cells are published.

// The sensitivity that a design reckons with: moving an output across its
// bounds moves it by 2 half widths, and counts add a little (cell_mechanism.h).
inline const double kRowSensitivity =
    2 * std::sqrt(1 + CellMechanism::kCountShare);

Vector HalfWidths(const std::vector<OutputBounds>& bounds);

// Returns the prior of a design of the cells: a cell adds n_c (f_c + noise of a
// mean)/half_width_c to the statistic.
DesignPrior DesignForRows(const RowBelief& belief, double weight,
                          const CellTree& cells, const Vector& half_width,
                          const Threads& threads);

// Returns the features to publish with noise of `sigma` sensitivities. Throws
// Error where there are none, before a mechanism is made of them: in a round it
// depends on what was published, which of several candidates may never be
// shown, and is then passed over in silence (selected_plan.cc).
Matrix FeaturesFor(const std::vector<DesignPrior>& priors, double sigma,
                   const Threads& threads);

}  // namespace cloak

#endif  // CLOAK_MODELS_ROWS_ROWS_DESIGN_H_
