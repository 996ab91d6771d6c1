#ifndef CLOAK_PRIVACY_INTEGER_WEIGHTS_H_
#define CLOAK_PRIVACY_INTEGER_WEIGHTS_H_

#include "cloak/linalg/matrix.h"
#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/row_sites.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/integer128.h"
#include "cloak/privacy/unit_columns.h"
#include "cloak/privacy/unit_sensitivity.h"

namespace cloak {

template <typename T>
class Scratch;

// The public weights R of a linear statistic as integers,
//   P = round(R 2^(a-e)),  |P_ki| <= 2^a,  a = kWeightBits,
// where 2^e is a power of two, above the largest norm of a column of R and at
// most twice it, or more where the norms of the columns of one unit sum to more
// than 2^kUnitBits times that: they sum to at most 2^(a + kUnitBits) in P, up
// to rounding, so that its sensitivity fits 128 bits.
struct IntegerWeights {
  static constexpr int kWeightBits = 30;
  static constexpr int kUnitBits = 13;

  IntegerMatrix P = {};  // r x N, column by column
  int exponent = 0;      // e

  // The statistic that is really released, P 2^(e-a), exactly. Throws
  // InvalidInput when that is too large for double precision.
  Matrix Exact() const;
  // The weight that a 1 in P stands for: 2^(e-a).
  double step() const;
};

// Throws PrivacyFailure if R has an entry that is not finite or is zero
// altogether; InvalidInput if it is empty, has more than 2^40 columns, or not
// those that units add to.
IntegerWeights QuantizeWeights(const Matrix& R, const UnitColumns& units);
// Each column is one output; as many as `units` has rows.
IntegerWeights QuantizeWeights(const Matrix& R, const PrivacyUnits& units);

// Adds P q to t, exactly, where q are the outputs as integers
// (quantized_output.h), as many as P has columns. Neither memory accesses nor
// the number of operations depend on the outputs.
void AddExactProduct(const IntegerMatrix& P, const Vector& outputs,
                     const OutputBounds& bounds, Scratch<Int128>& t);

// Adds Σ_s P_s Σ q_i over the outputs i of each site s to t, exactly, in the
// same way. `sites` are of as many rows as there are outputs, at most 2^40, and
// P has a column for each site.
void AddExactProduct(const IntegerMatrix& P, const RowSites& sites,
                     const Vector& outputs, const OutputBounds& bounds,
                     Scratch<Int128>& t);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_INTEGER_WEIGHTS_H_
