#ifndef CLOAK_LINALG_ROW_SITES_H_
#define CLOAK_LINALG_ROW_SITES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// Public rows gathered into sites: which of the sites 0 … count() − 1 each row
// is in. A statistic that weighs all outputs of a site alike needs one column
// for the site, however many rows it has. Copies share the table.
class RowSites {
 public:
  // Every row is a site of its own, the site i being the row i.
  static RowSites EachRow(Index rows);

  // Throws Error unless every number is from 0 to count − 1.
  RowSites(std::vector<int32_t> site_of_row, Index count);

  Index rows() const { return rows_; }
  Index count() const { return count_; }
  Index Of(Index row) const {
    return sites_ == nullptr ? row : (*sites_)[static_cast<size_t>(row)];
  }
  bool IsEachRow() const { return sites_ == nullptr; }
  // Returns how many rows each site has.
  Vector Sizes() const;

  // Returns for each row what its site has: a number, or a column.
  Vector OfRows(const Vector& of_sites) const;
  Matrix OfRows(const Matrix& of_sites) const;

 private:
  RowSites() = default;

  std::shared_ptr<const std::vector<int32_t>> sites_;  // null: each row
  Index rows_ = 0;
  Index count_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_LINALG_ROW_SITES_H_
