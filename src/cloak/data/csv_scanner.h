#ifndef CLOAK_DATA_CSV_SCANNER_H_
#define CLOAK_DATA_CSV_SCANNER_H_

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "cloak/linalg/matrix.h"

namespace cloak {

// One cell as it stands between separators, without enclosing quotes.
struct CsvCell {
  std::string_view raw;
  // Whether `raw` still has its quotes doubled.
  bool has_doubled_quotes = false;

  std::string Content() const;
};

// Walks over the cells of a CSV file (RFC 4180) held in memory, without
// allocating. The pattern of use is
//
//   while (!scanner.AtEnd()) {
//     scanner.BeginRow();
//     do {
//       scanner.Next();
//     } while (scanner.MoveToNextCell());
//   }
//
// where the first row is the header. A byte-order mark at the beginning and
// blank lines at the end are not there as far as the caller can tell.
//
// Throws InvalidInput for malformed quotes, a carriage return that ends no
// line, and bytes that are not UTF-8; messages say where, never what.
class CsvScanner {
 public:
  // `bytes` outlives the scanner; `name` is what messages call the file.
  CsvScanner(std::string_view bytes, std::string name);

  bool AtEnd() const { return at_ == end_; }

  // No fewer than the rows that are left, for reserving memory.
  Index MostRowsLeft() const;

  void BeginRow() {
    row_begin_ = at_;
    ++row_;
  }

  // Whether the row that begins here has no character in it.
  bool AtBlankLine() const {
    return *at_ == '\n' || (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n');
  }

  // Reads a plain, finite number that fills its cell: by far the commonest
  // cell, in one pass. Otherwise stays put and returns false; Next() takes
  // what has quotes, blanks or a sign, or is no number.
  bool NextIsNumber(double& value) {
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || !std::isfinite(value)) return false;
    if (stop != end_ && *stop != ',' && *stop != '\n' && *stop != '\r') {
      return false;
    }
    last_ = {at_, static_cast<size_t>(stop - at_)};
    at_ = stop;
    return true;
  }
  // The characters of the number that NextIsNumber() read.
  std::string_view last_number() const { return last_; }

  CsvCell Next();

  // Steps over the separator; false when it was the end of the row.
  bool MoveToNextCell() {
    if (at_ == end_) return false;
    if (*at_ == ',') {
      ++at_;
      return true;
    }
    if (*at_ == '\r') StepOverCarriageReturn();
    ++at_;
    return false;
  }

  // Rows are counted from 1 after the header.
  Index row() const { return row_; }

  // "'heights.csv', row 7 (line 8)" or "'heights.csv', header".
  std::string Where() const;

 private:
  CsvCell NextQuoted();
  void StepOverCarriageReturn();
  [[noreturn]] void Fail(std::string_view problem) const;

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* row_begin_;
  const char* first_invalid_;
  std::string_view last_;
  Index row_ = -1;
  std::string name_;
};

}  // namespace cloak

#endif  // CLOAK_DATA_CSV_SCANNER_H_
