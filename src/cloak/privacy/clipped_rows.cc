#include "cloak/privacy/clipped_rows.h"

#include <algorithm>
#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

void RequireRowCount(Index rows) {
  RequireInput(rows >= 1 && rows <= kMostRows,
               "there must be from 1 to 2^40 rows, but there are ", rows);
}

std::vector<const Vector*> OpenInputs(const std::vector<Secret<Vector>>& inputs,
                                      Index expected, Index rows,
                                      const MechanismKey& key) {
  const auto count = static_cast<Index>(inputs.size());
  RequireInput(count == expected, "there must be ", expected,
               " inputs, but there are ", count);
  std::vector<const Vector*> columns;
  for (const Secret<Vector>& input : inputs) {
    columns.push_back(&input.Open(key));
    RequireInput(columns.back()->size() == rows, "there must be ", rows,
                 " rows, but an input has ", columns.back()->size());
  }
  return columns;
}

const Vector& OpenOutputs(const Secret<Vector>& outputs, Index rows,
                          const MechanismKey& key) {
  const Vector& y = outputs.Open(key);
  RequireInput(y.size() == rows, "there must be ", rows,
               " rows, but the output has ", y.size());
  return y;
}

bool RowIsMissing(const std::vector<const Vector*>& columns, Index i) {
  return std::any_of(columns.begin(), columns.end(), [i](const Vector* column) {
    return std::isnan((*column)(i));
  });
}

Index CellOf(const Grid& cells, const std::vector<const Vector*>& columns,
             Index i) {
  return cells.CellOf(
      [&](Index j) { return (*columns[static_cast<size_t>(j)])(i); });
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
