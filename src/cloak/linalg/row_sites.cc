#include "cloak/linalg/row_sites.h"

#include <utility>

#include "cloak/base/error.h"

namespace cloak {

RowSites RowSites::EachRow(Index rows) {
  RowSites sites;
  sites.rows_ = rows;
  sites.count_ = rows;
  return sites;
}

RowSites::RowSites(std::vector<int32_t> site_of_row, Index count)
    : sites_(
          std::make_shared<const std::vector<int32_t>>(std::move(site_of_row))),
      rows_(static_cast<Index>(sites_->size())),
      count_(count) {
  for (const int32_t site : *sites_) {
    if (site < 0 || site >= count) {
      throw Error("a row is in a site that does not exist");
    }
  }
}

Vector RowSites::Sizes() const {
  if (IsEachRow()) return Vector::Ones(count_);
  Vector sizes = Vector::Zero(count_);
  for (const int32_t site : *sites_) sizes(site) += 1;
  return sizes;
}

Vector RowSites::OfRows(const Vector& of_sites) const {
  Vector of_rows(rows_);
  for (Index i = 0; i < rows_; ++i) of_rows(i) = of_sites(Of(i));
  return of_rows;
}

Matrix RowSites::OfRows(const Matrix& of_sites) const {
  Matrix of_rows(of_sites.rows(), rows_);
  for (Index i = 0; i < rows_; ++i) of_rows.col(i) = of_sites.col(Of(i));
  return of_rows;
}

}  // namespace cloak
