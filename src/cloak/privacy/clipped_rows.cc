#include "cloak/privacy/clipped_rows.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

bool RowIsMissing(const std::vector<const Vector*>& columns, Index i) {
  return std::any_of(columns.begin(), columns.end(), [i](const Vector* column) {
    return std::isnan((*column)(i));
  });
}

Index CellOf(const Cells& cells, const std::vector<const Vector*>& columns,
             Index i) {
  Index cell = 0;
  for (Index j = cells.inputs() - 1; j >= 0; --j) {
    const auto place = static_cast<size_t>(j);
    cell = cell * cells.counts()[place] +
           cells.IntervalOf(j, (*columns[place])(i));
  }
  return cell;
}

Matrix ClipRows(const std::vector<const Vector*>& inputs, const Vector& lower,
                const Vector& upper, Index begin, Index end) {
  Matrix X(end - begin, static_cast<Index>(inputs.size()));
  for (Index j = 0; j < X.cols(); ++j) {
    const Vector& column = *inputs[static_cast<size_t>(j)];
    const double middle = lower(j) + (upper(j) - lower(j)) / 2;
    for (Index i = begin; i < end; ++i) {
      const double x = column(i);
      X(i - begin, j) =
          std::isnan(x) ? middle : std::clamp(x, lower(j), upper(j));
    }
  }
  return X;
}

void CheckFeatures(const FeatureMap& features, Index expected,
                   const Vector& lower, const Vector& upper) {
  const Matrix middle = (lower + (upper - lower) / 2).transpose();
  const Matrix row = features(middle);
  RequireInput(row.rows() == 1 && row.cols() == expected, "a row must have ",
               expected, " features, but has ", row.cols());
}

}  // namespace cloak
