#include "cloak/data/table_check.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/cell_text.h"
#include "cloak/data/csv.h"
#include "cloak/data/csv_scanner.h"
#include "cloak/data/gzip.h"

namespace cloak {
namespace {

// The table, without its cells: refuses what is no table. A blank line is an
// empty cell where there is but one column, as in a release of it.
Table Outline(std::string_view bytes, const std::string& name) {
  CsvScanner scanner(bytes, name);
  if (scanner.OnlyBlankLinesLeft()) return ParseCsv(bytes, name, {});
  scanner.BeginRow();
  const std::string first = scanner.Next().Content();
  if (scanner.MoveToNextCell()) return ParseCsv(bytes, name, {});
  return ParseCsv(bytes, name, {.secret = {first}});
}

// Calls use(row, line, column, cell) for each cell below the header.
template <typename Use>
void ForCells(std::string_view bytes, const std::string& name, bool one_column,
              const Use& use) {
  CsvScanner scanner(bytes, name);
  Index line = 1;
  const char* counted = bytes.data();
  for (Index row = 0;
       !scanner.AtEnd() && (one_column || !scanner.OnlyBlankLinesLeft());
       ++row) {
    scanner.BeginRow();
    const CsvCell first = scanner.Next();
    line += std::count(counted, first.raw.data(), '\n');
    counted = first.raw.data();
    if (row > 0) use(row, line, size_t{0}, first);
    for (size_t j = 1; scanner.MoveToNextCell(); ++j) {
      const CsvCell cell = scanner.Next();
      if (row > 0) use(row, line, j, cell);
    }
  }
}

// Why a cell of a column of numbers is none that is taken as it is; empty when
// it is one.
std::string FaultOfNumber(std::string_view text) {
  const std::optional<double> value = CellNumber(text);
  if (!value.has_value()) return "is not a number";
  return std::isfinite(*value) ? "" : "is beyond the range of numbers";
}

TableCheck CheckPlainTable(std::string_view bytes, const std::string& name,
                           const MissingValues& missing) {
  const Table table = Outline(bytes, name);
  const bool one_column = table.header().size() == 1;
  TableCheck check;
  check.rows = table.rows();
  check.columns.resize(table.header().size());
  std::vector<Index> numbers(check.columns.size());
  ForCells(bytes, name, one_column,
           [&](Index, Index, size_t j, const CsvCell& cell) {
             const std::string content = cell.Content();
             if (missing.Contains(content)) return;
             ++check.columns[j].values;
             if (CellNumber(WithoutBlanks(content)).has_value()) ++numbers[j];
           });
  for (size_t j = 0; j < check.columns.size(); ++j) {
    check.columns[j].name = table.header()[j];
    check.columns[j].is_numeric = 2 * numbers[j] > check.columns[j].values;
    check.columns[j].values = 0;
  }
  ForCells(
      bytes, name, one_column,
      [&](Index row, Index line, size_t j, const CsvCell& cell) {
        ColumnCheck& column = check.columns[j];
        const std::string content = cell.Content();
        if (missing.Contains(content)) {
          column.missing_rows.push_back(row);
          return;
        }
        std::string fault = cell.fault != nullptr ? cell.fault : "";
        if (fault.empty() && column.is_numeric) {
          fault = FaultOfNumber(WithoutBlanks(content));
        }
        if (fault.empty()) {
          ++column.values;
        } else {
          column.malformed.push_back({row, line, content, std::move(fault)});
        }
      });
  return check;
}

}  // namespace

TableCheck CheckTable(std::string_view bytes, const std::string& name,
                      const MissingValues& missing) {
  const CsvOptions defaults;
  if (!IsGzip(bytes)) return CheckPlainTable(bytes, name, missing);
  return CheckPlainTable(Gunzip(bytes, name, defaults.max_bytes), name,
                         missing);
}

}  // namespace cloak
