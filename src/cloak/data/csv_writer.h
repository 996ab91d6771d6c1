#ifndef CLOAK_DATA_CSV_WRITER_H_
#define CLOAK_DATA_CSV_WRITER_H_

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cloak/linalg/matrix.h"

namespace cloak {

// A column to be written. It refers to its cells, which outlive it.
class CsvColumn {
 public:
  CsvColumn(std::string name, const std::vector<std::string>& cells)
      : name_(std::move(name)), cells_(std::span<const std::string>(cells)) {}
  CsvColumn(std::string name, const Vector& cells)
      : name_(std::move(name)),
        cells_(std::span(cells.data(), static_cast<size_t>(cells.size()))) {}
  CsvColumn(std::string name, std::vector<std::string>&& cells) = delete;
  CsvColumn(std::string name, Vector&& cells) = delete;

  const std::string& name() const { return name_; }
  size_t rows() const;
  // Appends the cell of that row to `line`, in quotes where CSV needs them;
  // numbers are the shortest that read back the same.
  void AppendCell(size_t row, std::string& line) const;

 private:
  std::string name_;
  std::variant<std::span<const std::string>, std::span<const double>> cells_;
};

// `text` as a cell of a CSV file: in quotes, which are doubled inside, when it
// could be taken for anything else.
std::string CsvField(std::string_view text);

// Writes a header and the columns side by side, so that ReadCsv gives back
// what they hold. For example, the query as it was and what is predicted:
//
//   std::vector<CsvColumn> columns;
//   for (const std::string& name : query.header()) {
//     columns.emplace_back(name, query.TextColumn(name));
//   }
//   columns.emplace_back("mean", prediction.mean);
//   WriteCsv(std::cout, columns);
//
// Throws InvalidInput when columns differ in length or share a name, or one
// has none. Whether the stream took it all is for the caller to ask it.
void WriteCsv(std::ostream& out, const std::vector<CsvColumn>& columns);

}  // namespace cloak

#endif  // CLOAK_DATA_CSV_WRITER_H_
