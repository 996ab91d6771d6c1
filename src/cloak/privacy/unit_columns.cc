#include "cloak/privacy/unit_columns.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cloak/base/error.h"

namespace cloak {
namespace {

std::vector<Index> AllColumns(Index count) {
  std::vector<Index> columns(static_cast<size_t>(count));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

}  // namespace

UnitColumns UnitColumns::Each(Index columns) {
  return {AllColumns(columns), PrivacyUnits::EachRow(columns)};
}

UnitColumns UnitColumns::OfRows(const PrivacyUnits& units) {
  return {AllColumns(units.rows()), units};
}

UnitColumns UnitColumns::OfKinds(const RowSites& sites,
                                 const PrivacyUnits& units) {
  RequireInput(sites.rows() == units.rows(), "the sites are of ", sites.rows(),
               " outputs, but the units are of ", units.rows());
  if (sites.IsEachRow()) return OfRows(units);
  if (units.IsEachRow()) return Each(sites.count());
  std::vector<std::vector<Index>> kinds;
  kinds.reserve(static_cast<size_t>(units.count()));
  for (Index unit = 0; unit < units.count(); ++unit) {
    std::vector<Index> kind;
    for (const Index row : units.Rows(unit)) kind.push_back(sites.Of(row));
    std::sort(kind.begin(), kind.end());
    kinds.push_back(std::move(kind));
  }
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  std::vector<Index> columns;
  std::vector<Index> unit_of_output;
  for (size_t kind = 0; kind < kinds.size(); ++kind) {
    for (const Index column : kinds[kind]) {
      columns.push_back(column);
      unit_of_output.push_back(static_cast<Index>(kind));
    }
  }
  return {std::move(columns), PrivacyUnits::FromNumbers(unit_of_output)};
}

}  // namespace cloak
