#ifndef CLOAK_PRIVACY_CLIPPED_ROWS_H_
#define CLOAK_PRIVACY_CLIPPED_ROWS_H_

#include <functional>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/linalg/grid.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/mechanism_key.h"

namespace cloak {

// The most rows that a mechanism adds up: their sums leave the noise, at most
// 2^100, at least 2^26 standard deviations of room in 127 bits.
inline constexpr Index kMostRows = Index{1} << 40;

// Throws InvalidInput unless there are from 1 to kMostRows.
void RequireRowCount(Index rows);

// Opens private columns. Throws InvalidInput unless there are `expected` of
// them, with `rows` numbers each; both are public, and no number is read.
std::vector<const Vector*> OpenInputs(const std::vector<Secret<Vector>>& inputs,
                                      Index expected, Index rows,
                                      const MechanismKey& key);
// The same for the one column of outputs or labels.
const Vector& OpenOutputs(const Secret<Vector>& outputs, Index rows,
                          const MechanismKey& key);

// Whether row i has a cell that is not a number. Such a row is missing: it adds
// nothing to what is published.
bool RowIsMissing(const std::vector<const Vector*>& columns, Index i);

// The cell that row i is in, by the first columns, as many as there are inputs:
// a number outside counts as the nearest inside.
Index CellOf(const Grid& cells, const std::vector<const Vector*>& columns,
             Index i);

// The features of each row of X, as a row of the result: a public function, of
// one row at a time. It is called by several threads, with finite numbers
// within the ranges, and must not throw.
using FeatureMap = std::function<Matrix(const Matrix& X)>;

// Rows [begin, end) of private inputs, one column of X for each, within public
// ranges: a number outside counts as the nearest inside, and what is not a
// number, in a row that is missing, as the middle.
Matrix ClipRows(const std::vector<const Vector*>& inputs, const Vector& lower,
                const Vector& upper, Index begin, Index end);

// Throws InvalidInput unless `features` gives `expected` of them, tried on the
// middle of the ranges.
void CheckFeatures(const FeatureMap& features, Index expected,
                   const Vector& lower, const Vector& upper);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_CLIPPED_ROWS_H_
