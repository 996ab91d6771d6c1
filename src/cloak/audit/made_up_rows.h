#ifndef CLOAK_AUDIT_MADE_UP_ROWS_H_
#define CLOAK_AUDIT_MADE_UP_ROWS_H_

#include "cloak/linalg/matrix.h"
#include "cloak/models/observed_release.h"
#include "cloak/privacy/budget.h"

namespace cloak {

// A table that is nobody's. Where inputs are public, it has none of its own.
struct MadeUpRows {
  Matrix inputs = {};  // a row for each row of the table
  Vector outputs = {};

  PrivateRows AsPrivate() const;
};

// Outputs that follow a wave along one input, once over its range, and scatter
// a little around it, so that rounds find something to learn. `labels`: the
// signs of that, −1 and 1.
Vector MadeUpOutputs(const Vector& input, const OutputBounds& bounds,
                     bool labels);

}  // namespace cloak

#endif  // CLOAK_AUDIT_MADE_UP_ROWS_H_
