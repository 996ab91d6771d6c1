// Tables from strangers. The bytes are refused with InvalidInput, or every cell
// and number is what a simple reader of RFC 4180 and strtod make of them, and
// what is written again reads back the same. No message repeats a private cell.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cloak/data/csv.h"
#include "cloak/data/csv_writer.h"
#include "cloak/data/gzip.h"
#include "tests/fuzz/check.h"

namespace cloak {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr size_t kMostBytes = size_t{1} << 20;

// One character after the other, for bytes that are known to be well-formed.
Rows SimpleRows(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  while (bytes.ends_with('\n') || bytes.ends_with('\r')) bytes.remove_suffix(1);
  Rows rows = {{""}};
  bool quoted = false;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    const bool doubled =
        quoted && c == '"' && i + 1 < bytes.size() && bytes[i + 1] == '"';
    if (doubled) {
      rows.back().back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      rows.back().back() += c;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\n') {
      rows.push_back({""});
    } else if (c != '\r') {
      rows.back().back() += c;
    }
  }
  return rows;
}

double SimpleNumber(const std::string& cell) {
  // strtod also reads hexadecimal digits, which no table has.
  if (cell.find_first_of("xX") != std::string::npos) return NAN;
  return std::strtod(cell.c_str(), nullptr);
}

void CheckText(const Table& table, const Rows& rows) {
  Check(table.header() == rows[0], "the header has the names of the file");
  Check(table.rows() + 1 == static_cast<Index>(rows.size()),
        "a table has as many rows as its file");
  for (size_t j = 0; j < rows[0].size(); ++j) {
    const std::vector<std::string>& cells = table.TextColumn(rows[0][j]);
    for (size_t i = 1; i < rows.size(); ++i) {
      Check(rows[i].size() == rows[0].size(), "every row has every cell");
      Check(cells[i - 1] == rows[i][j], "a cell is what the file has");
    }
  }
}

void CheckWrittenAgain(const Table& table) {
  std::vector<CsvColumn> columns;
  for (const std::string& name : table.header()) {
    columns.emplace_back(name, table.TextColumn(name));
  }
  std::ostringstream out;
  WriteCsv(out, columns);
  const auto again = UnlessRefused(
      [&] { return ParseCsv(out.str(), "again", {.all_text = true}); });
  Check(again.has_value() && again->header() == table.header() &&
            again->rows() == table.rows(),
        "a table that was written can be read");
  for (const std::string& name : table.header()) {
    Check(again->TextColumn(name) == table.TextColumn(name),
          "cells that were written read back the same");
  }
}

void CheckNumbers(std::string_view bytes, const std::string& name,
                  const std::vector<std::string>& cells) {
  const auto table = UnlessRefused([&] {
    return ParseCsv(bytes, "numbers",
                    {.numeric = {name}, .max_bytes = kMostBytes});
  });
  if (!table) return;
  const Matrix numbers = table->Numeric({name});
  for (size_t i = 0; i < cells.size(); ++i) {
    const double number = numbers(static_cast<Index>(i), 0);
    const double expected = SimpleNumber(cells[i]);
    Check(std::isfinite(number), "a number is finite");
    Check(std::memcmp(&number, &expected, sizeof number) == 0,
          "a number is what strtod reads");
  }
}

// Long numbers stand for private cells: no rule or name has them.
void CheckSilence(const std::string& message, std::string_view bytes,
                  const std::string& header) {
  constexpr size_t kLong = 6;
  constexpr char kDigits[] = "0123456789";
  for (size_t begin = 0; begin < bytes.size();) {
    begin = bytes.find_first_of(kDigits, begin);
    if (begin == std::string_view::npos) return;
    const size_t end =
        std::min(bytes.find_first_not_of(kDigits, begin), bytes.size());
    const std::string number(bytes.substr(begin, end - begin));
    Check(number.size() < kLong || header.find(number) != std::string::npos ||
              message.find(number) == std::string::npos,
          "a message does not repeat a private cell");
    begin = end;
  }
}

// `is_table`: whether the bytes are a table whose cells are all well-formed.
void CheckSecrets(std::string_view bytes, const std::string& name,
                  const std::string& header, bool is_table) {
  for (const bool labels : {false, true}) {
    CsvOptions options = {.max_bytes = kMostBytes};
    if (labels) {
      options.labels = {name, {"no", "yes"}};
    } else {
      options.secret = {name};
    }
    try {
      const Table table = ParseCsv(bytes, "secrets", options);
    } catch (const InvalidInput& error) {
      Check(!is_table, "a private cell is no error");
      CheckSilence(error.what(), bytes, header);
    }
  }
}

void CheckTable(std::string_view bytes) {
  const auto plain = UnlessRefused([&] {
    return IsGzip(bytes) ? Gunzip(bytes, "packed", kMostBytes)
                         : std::string(bytes);
  });
  const auto table = UnlessRefused([&] {
    return ParseCsv(bytes, "table",
                    {.all_text = true, .max_bytes = kMostBytes});
  });
  if (!plain) {
    Check(!table.has_value(), "what cannot be unpacked is no table");
    return;
  }
  const Rows rows = SimpleRows(*plain);
  std::string header;
  for (const std::string& name : rows[0]) header += name + "\n";
  if (table) {
    CheckText(*table, rows);
    CheckWrittenAgain(*table);
    for (const std::string& name : table->header()) {
      CheckNumbers(bytes, name, table->TextColumn(name));
    }
  }
  CheckSecrets(bytes, rows[0][0], header, table.has_value());
}

}  // namespace
}  // namespace cloak

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cloak::CheckTable({reinterpret_cast<const char*>(data), size});
  return 0;
}
