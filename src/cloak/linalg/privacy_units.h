#ifndef CLOAK_LINALG_PRIVACY_UNITS_H_
#define CLOAK_LINALG_PRIVACY_UNITS_H_

#include <span>
#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// A partition of the rows 0 … rows() − 1 that says which belong to the same
// unit (a person, a household). What is promised is promised to a unit, for all
// its rows together. Public: it says who has which rows, and nothing of what is
// in their private columns.
class PrivacyUnits {
 public:
  // Every row is a unit of its own, the unit i being the row i.
  static PrivacyUnits EachRow(Index rows);

  // Rows with the same label are one unit; units are in the order of their
  // first row. Blanks around a label do not count: taking two labels for one
  // only protects more.
  //
  // Throws InvalidInput that names `what`, but no label, when a label is
  // missing: nobody knows whose row it is.
  static PrivacyUnits FromLabels(const std::vector<std::string>& labels,
                                 const std::string& what);

  // The unit of each row by its number; every number from 0 to the largest must
  // occur. Throws Error unless they do.
  static PrivacyUnits FromNumbers(const std::vector<Index>& unit_of_row);

  // The units of some of these rows, each taken once, in that order: the i-th
  // of them is the row i of the result.
  PrivacyUnits Of(const std::vector<Index>& rows) const;

  Index rows() const { return static_cast<Index>(rows_.size()); }
  Index count() const { return static_cast<Index>(begins_.size()) - 1; }

  // In ascending order, at least one.
  std::span<const Index> Rows(Index unit) const;

  Index largest() const { return largest_; }
  bool IsEachRow() const { return largest_ <= 1; }

 private:
  // `unit_of_row` has every number from 0 to count − 1.
  PrivacyUnits(const std::vector<Index>& unit_of_row, Index count);

  std::vector<Index> rows_;    // by unit
  std::vector<Index> begins_;  // where in rows_ a unit begins, and the end
  Index largest_ = 0;
};

}  // namespace cloak

#endif  // CLOAK_LINALG_PRIVACY_UNITS_H_
