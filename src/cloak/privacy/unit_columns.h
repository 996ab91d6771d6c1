#ifndef CLOAK_PRIVACY_UNIT_COLUMNS_H_
#define CLOAK_PRIVACY_UNIT_COLUMNS_H_

#include <vector>

#include "cloak/linalg/privacy_units.h"
#include "cloak/linalg/row_sites.h"

namespace cloak {

// Which columns of a statistic the outputs of a unit add to, for one unit of
// each kind: units with as many outputs in every site are alike. What the
// outputs of a unit can move is the same for all units of a kind.
struct UnitColumns {
  // The column of each output of these units.
  std::vector<Index> columns;
  // Which of these outputs are of one unit.
  PrivacyUnits units;

  // Every column is that of one output, which is a unit of its own.
  static UnitColumns Each(Index columns);
  // One column for each row, as the units have them.
  static UnitColumns OfRows(const PrivacyUnits& units);
  // One unit of each kind, of units of rows that are gathered into sites. Where
  // each row is a unit, every site is a column, with or without rows. Throws
  // InvalidInput unless both are of the same rows.
  static UnitColumns OfKinds(const RowSites& sites, const PrivacyUnits& units);
};

}  // namespace cloak

#endif  // CLOAK_PRIVACY_UNIT_COLUMNS_H_
