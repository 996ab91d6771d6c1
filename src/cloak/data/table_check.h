#ifndef CLOAK_DATA_TABLE_CHECK_H_
#define CLOAK_DATA_TABLE_CHECK_H_

#include <string>
#include <string_view>
#include <vector>

#include "cloak/data/missing_values.h"
#include "cloak/linalg/matrix.h"

namespace cloak {

// A cell that is not what the rest of its column is.
struct MalformedCell {
  Index row = 0;   // counted from 1 after the header
  Index line = 0;  // of the file, on which its row begins
  std::string content;
  std::string fault;  // such as "is not a number"
};

// Describes the cells of one column.
struct ColumnCheck {
  std::string name;
  // Whether more than half of the cells that have a value are numbers.
  bool is_numeric = false;
  Index values = 0;
  std::vector<Index> missing_rows;
  std::vector<MalformedCell> malformed;
};

struct TableCheck {
  Index rows = 0;
  std::vector<ColumnCheck> columns;
};

// Returns what the custodian wants to know of a table before a release of it:
// which cells are missing or malformed. Nothing here is protected: it tells of
// private cells, and is for whoever has the table anyway. Throws InvalidInput
// for bytes that are no table, as ParseCsv does.
TableCheck CheckTable(std::string_view bytes, const std::string& name,
                      const MissingValues& missing);

}  // namespace cloak

#endif  // CLOAK_DATA_TABLE_CHECK_H_
