#include "cloak/data/csv_writer.h"

#include <array>
#include <charconv>
#include <set>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

void AppendField(std::string_view text, std::string& line) {
  // A byte-order mark at the beginning of a file would not be read as text.
  if (text.find_first_of(",\"\r\n") == std::string_view::npos &&
      !text.starts_with("\xef\xbb\xbf")) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

void AppendNumber(double value, std::string& line) {
  std::array<char, 32> digits = {};
  line.append(digits.data(),
              std::to_chars(digits.begin(), digits.end(), value).ptr);
}

void Check(const std::vector<CsvColumn>& columns) {
  std::set<std::string_view> names;
  for (const CsvColumn& column : columns) {
    RequireInput(!column.name().empty(),
                 "a column of a CSV file must have a name, but one has none");
    RequireInput(names.insert(column.name()).second,
                 "a CSV file cannot have two columns named '", column.name(),
                 "'; rename one");
    RequireInput(column.rows() == columns.front().rows(), "column '",
                 column.name(), "' has ", column.rows(), " rows, but column '",
                 columns.front().name(), "' has ", columns.front().rows());
  }
}

}  // namespace

size_t CsvColumn::rows() const {
  return std::visit([](const auto& cells) { return cells.size(); }, cells_);
}

void CsvColumn::AppendCell(size_t row, std::string& line) const {
  if (const auto* numbers = std::get_if<std::span<const double>>(&cells_)) {
    AppendNumber((*numbers)[row], line);
  } else {
    AppendField(std::get<std::span<const std::string>>(cells_)[row], line);
  }
}

std::string CsvField(std::string_view text) {
  std::string field;
  AppendField(text, field);
  return field;
}

void WriteCsv(std::ostream& out, const std::vector<CsvColumn>& columns) {
  constexpr size_t kFlushAt = 1 << 16;
  Check(columns);
  if (columns.empty()) return;
  std::string lines;
  const auto append_row = [&](const auto& append_cell) {
    const size_t begin = lines.size();
    for (const CsvColumn& column : columns) {
      if (&column != &columns.front()) lines += ',';
      append_cell(column);
    }
    // A line with nothing in it would be a blank line, not an empty cell.
    if (lines.size() == begin) lines += "\"\"";
    lines += '\n';
  };
  append_row(
      [&](const CsvColumn& column) { AppendField(column.name(), lines); });
  for (size_t row = 0; row < columns.front().rows(); ++row) {
    append_row([&](const CsvColumn& column) { column.AppendCell(row, lines); });
    if (lines.size() < kFlushAt) continue;
    out << lines;
    lines.clear();
  }
  out << lines;
}

}  // namespace cloak
