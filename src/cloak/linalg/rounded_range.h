#ifndef CLOAK_LINALG_ROUNDED_RANGE_H_
#define CLOAK_LINALG_ROUNDED_RANGE_H_

#include "cloak/linalg/matrix.h"

namespace cloak {

// Where the values of a column lie, without saying any of them: the smallest
// and the largest are often of one person. Both ends are moved outwards to the
// next multiple of `step`, which is 1, 2 or 5 times a power of ten, and 1/50 to
// 1/20 of the range. A value that all of at least kLeastGroup rows share
// (microaggregate.h) is a range of its own, of no width; one that fewer share
// lies in a range of some width.
struct RoundedRange {
  double lower = 0;
  double upper = 0;
  double step = 0;

  // The multiple of `step` nearest to a value, or the end nearest to that.
  double Rounded(double value) const;
};

// The column must be finite and have a row.
RoundedRange RoundRange(const Eigen::Ref<const Vector>& column);

// The standard deviation of a column. Where it has fewer than kLeastGroup rows,
// which that would be told of, the one of an even spread over its rounded
// range.
double SpreadOf(const Eigen::Ref<const Vector>& column);

// The rounded range of each column.
struct RoundedBox {
  Vector lower;
  Vector upper;
};
RoundedBox RoundBox(const Matrix& X);

}  // namespace cloak

#endif  // CLOAK_LINALG_ROUNDED_RANGE_H_
