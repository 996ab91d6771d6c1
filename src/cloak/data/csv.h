#ifndef CLOAK_DATA_CSV_H_
#define CLOAK_DATA_CSV_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cloak/data/table.h"

namespace cloak {

// Names the columns to keep; the others are passed over. A column may be both
// numeric and text. One that is secret is never either.
struct CsvOptions {
  std::vector<std::string> numeric = {};
  std::vector<std::string> text = {};
  // Keep every column that is not secret as text too, so that it can be
  // written again as it was.
  bool all_text = false;
  std::vector<std::string> secret = {};
  // Private columns whose cells are kept, as secrets, as they are written;
  // whatever they hold, it is no error. They may be secret in another way too.
  std::vector<std::string> secret_text = {};
  // A secret column of labels of two classes, read as −1 and 1
  // (label_classes.h), or as missing where it is none of them.
  struct Labels {
    std::string column;
    std::vector<std::string> classes;
  };
  std::optional<Labels> labels = {};
  // Secret columns of categories, read as the place of each. Whatever is none
  // of the classes, also nothing at all, is of the last: there is no error that
  // would tell of a cell.
  std::vector<Labels> categories = {};
  // Cells that stand for a missing value in a secret column of numbers, besides
  // the usual ones (missing_values.h).
  std::vector<std::string> missing_values = {};
  // Throw InvalidInput, saying where, for a secret cell that is missing or
  // malformed, instead of reading it as missing. Whoever sees whether reading
  // failed then learns something of a private cell.
  bool refuse_missing = false;
  // Whether messages may quote a malformed cell of a public column. Not where
  // the table has a private column: a quote or a separator that is missing or
  // not the usual one puts private cells into public ones. (With private
  // columns of any kind, they never do.)
  bool quote_cells = true;
  // The most a file may hold, decompressed.
  size_t max_bytes = size_t{16} << 30;
};

// Reads CSV as RFC 4180 has it, in UTF-8, with a header; lines may end in LF or
// CRLF, blank lines at the end are ignored, and gzip is recognised by its first
// bytes. Numbers are written as in C, whatever the locale; blanks around them
// and a leading + are allowed.
//
// Throws InvalidInput, saying where and how to mend it, for whatever else: a
// quote that is never closed, rows with more or fewer cells than the header,
// names that are missing, empty or given twice, and public cells asked for as
// numbers that are empty, not numbers, or not finite. Nothing is guessed or
// left out.
//
// A secret cell is never an error, whatever it holds: which rows have a value
// is as private as the values are. One that is no number is missing, which is
// not a number (NaN) in the column; one beyond the range of a double is
// infinite, with its sign, so that it is clipped like any other large number.

// "-" is standard input.
Table ReadCsv(const std::filesystem::path& path, const CsvOptions& options);

// Reads what a file holds; `name` is what messages call it.
Table ParseCsv(std::string_view bytes, const std::string& name,
               const CsvOptions& options);

}  // namespace cloak

#endif  // CLOAK_DATA_CSV_H_
