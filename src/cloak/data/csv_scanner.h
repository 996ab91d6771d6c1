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
  // Why the cell is not as RFC 4180 and UTF-8 want it; null when it is. Such a
  // cell is as it is written, up to the next separator.
  const char* fault = nullptr;

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
// where the first row is the header. A byte-order mark at the beginning and the
// end of the last line are not there as far as the caller can tell.
//
// A quote inside a cell that does not begin with one, text after a closing
// quote, a carriage return that ends no line and bytes that are not UTF-8 are
// faults of their cell, of which the caller decides. Throws InvalidInput for a
// quote that is never closed, which leaves no cells to speak of. Messages say
// where, never what.
class CsvScanner {
 public:
  // `bytes` outlives the scanner; `name` is what messages call the file.
  CsvScanner(std::string_view bytes, std::string name);

  bool AtEnd() const { return at_ == end_ && !row_left_; }

  // No fewer than the rows that are left, for reserving memory.
  Index MostRowsLeft() const;

  void BeginRow() {
    row_begin_ = at_;
    ++row_;
  }

  // Whether the row that begins here has no character in it.
  bool AtBlankLine() const {
    return at_ == end_ || *at_ == '\n' ||
           (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n');
  }

  // Whether nothing follows but ends of lines.
  bool OnlyBlankLinesLeft() const { return at_ >= end_of_text_; }

  // Reads a plain, finite number that fills its cell: by far the commonest
  // cell, in one pass. Otherwise stays put and returns false; Next() takes
  // what has quotes, blanks or a sign, or is no number.
  bool NextIsNumber(double& value) {
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || !std::isfinite(value)) return false;
    if (!IsSeparator(stop)) return false;
    last_ = {at_, static_cast<size_t>(stop - at_)};
    at_ = stop;
    return true;
  }
  // The characters of the number that NextIsNumber() read.
  std::string_view last_number() const { return last_; }

  CsvCell Next();
  // Throws InvalidInput, saying where, if the cell has a fault.
  void RequireSound(const CsvCell& cell) const {
    if (cell.fault != nullptr) Fail(cell.fault);
  }

  // Steps over the separator; false when it was the end of the row.
  bool MoveToNextCell() {
    row_left_ = at_ != end_;
    if (!row_left_) return false;
    if (*at_ == ',') {
      ++at_;
      return true;
    }
    if (*at_ == '\r') ++at_;
    if (at_ != end_) ++at_;
    return false;
  }

  // Rows are counted from 1 after the header.
  Index row() const { return row_; }

  // "'heights.csv', row 7 (line 8)" or "'heights.csv', header".
  std::string Where() const;

 private:
  // Whether a cell ends at this place: a comma, the end of a line or of all.
  bool IsSeparator(const char* at) const {
    if (at == end_ || *at == ',' || *at == '\n') return true;
    return *at == '\r' && at + 1 != end_ && at[1] == '\n';
  }
  CsvCell NextQuoted();
  // The cell from `begin` to the next separator.
  CsvCell Faulty(const char* begin, const char* fault);
  // The same cell, with a fault if its bytes are not UTF-8.
  CsvCell Checked(CsvCell cell) const;
  [[noreturn]] void Fail(std::string_view problem) const;

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* end_of_text_;  // before the ends of lines at the end
  const char* row_begin_;
  const char* first_invalid_;
  std::string_view last_;
  // Whether a row begins here, which may be an empty one at the very end.
  bool row_left_ = false;
  Index row_ = -1;
  std::string name_;
};

}  // namespace cloak

#endif  // CLOAK_DATA_CSV_SCANNER_H_
