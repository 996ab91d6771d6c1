#ifndef CLOAK_PRIVACY_CLIPPED_ROWS_H_
#define CLOAK_PRIVACY_CLIPPED_ROWS_H_

#include <functional>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// The features of each row of X, as a row of the result: a public function, of
// one row at a time. It is called by several threads, with finite numbers
// within the ranges, and must not throw.
using FeatureMap = std::function<Matrix(const Matrix& X)>;

// Rows [begin, end) of private inputs, one column of X for each, within public
// ranges: a number outside counts as the nearest inside, and what is not a
// number as the middle.
Matrix ClipRows(const std::vector<const Vector*>& inputs, const Vector& lower,
                const Vector& upper, Index begin, Index end);

// Throws InvalidInput unless `features` gives `expected` of them, tried on the
// middle of the ranges.
void CheckFeatures(const FeatureMap& features, Index expected,
                   const Vector& lower, const Vector& upper);

}  // namespace cloak

#endif  // CLOAK_PRIVACY_CLIPPED_ROWS_H_
