#include "cloak/data/csv_scanner.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/utf8.h"

namespace cloak {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

constexpr std::array<bool, 256> EndsPlainCell() {
  std::array<bool, 256> ends = {};
  for (const char c : {',', '\n', '\r', '"'}) ends[c] = true;
  return ends;
}
constexpr std::array<bool, 256> kEndsPlainCell = EndsPlainCell();

constexpr char kNotUtf8[] = "has bytes that are not UTF-8";

std::string_view WithoutEndOfTheLastLine(std::string_view bytes) {
  if (bytes.ends_with('\n')) bytes.remove_suffix(1);
  if (bytes.ends_with('\r')) bytes.remove_suffix(1);
  return bytes;
}

}  // namespace

std::string CsvCell::Content() const {
  if (!has_doubled_quotes) return std::string(raw);
  std::string content;
  for (size_t i = 0; i < raw.size(); ++i) {
    content += raw[i];
    if (raw[i] == '"') ++i;
  }
  return content;
}

CsvScanner::CsvScanner(std::string_view bytes, std::string name)
    : name_(std::move(name)) {
  const std::string_view kept = WithoutEndOfTheLastLine(bytes);
  begin_ = kept.data();
  end_of_text_ = kept.data() + (kept.find_last_not_of("\r\n") + 1);
  end_ = kept.data() + kept.size();
  at_ = begin_ + (kept.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  row_begin_ = at_;
  first_invalid_ = begin_ + FirstInvalidUtf8(kept);
}

Index CsvScanner::MostRowsLeft() const {
  return std::count(at_, end_, '\n') + 1;
}

CsvCell CsvScanner::Next() {
  if (at_ != end_ && *at_ == '"') return NextQuoted();
  const char* cell = at_;
  while (at_ != end_ && !kEndsPlainCell[static_cast<unsigned char>(*at_)]) {
    ++at_;
  }
  if (at_ != end_ && *at_ == '"') {
    return Faulty(cell,
                  "has a quote inside a cell that does not begin with "
                  "one");
  }
  if (!IsSeparator(at_)) {
    return Faulty(cell, "has a carriage return that ends no line");
  }
  return Checked({{cell, static_cast<size_t>(at_ - cell)}});
}

CsvCell CsvScanner::NextQuoted() {
  const char* quote = at_;
  const char* cell = ++at_;
  CsvCell found;
  for (;;) {
    at_ = static_cast<const char*>(std::memchr(at_, '"', end_ - at_));
    if (at_ == nullptr) Fail("has a quote that is never closed");
    if (at_ + 1 == end_ || at_[1] != '"') break;
    found.has_doubled_quotes = true;
    at_ += 2;
  }
  found.raw = {cell, static_cast<size_t>(at_ - cell)};
  ++at_;
  if (!IsSeparator(at_)) {
    return Faulty(quote, "has text after a closing quote");
  }
  return Checked(found);
}

CsvCell CsvScanner::Faulty(const char* begin, const char* fault) {
  while (!IsSeparator(at_)) ++at_;
  return {{begin, static_cast<size_t>(at_ - begin)}, false, fault};
}

CsvCell CsvScanner::Checked(CsvCell cell) const {
  // Nothing before the first such byte of the file needs another look.
  if (at_ > first_invalid_ && FirstInvalidUtf8(cell.raw) != cell.raw.size()) {
    cell.fault = kNotUtf8;
  }
  return cell;
}

std::string CsvScanner::Where() const {
  if (row_ < 1) return Text("'", name_, "', header");
  return Text("'", name_, "', row ", row_, " (line ",
              std::count(begin_, row_begin_, '\n') + 1, ")");
}

void CsvScanner::Fail(std::string_view problem) const {
  throw InvalidInput(
      Text(Where(), " ", problem,
           "; save the file as UTF-8 CSV, where a cell that holds a comma, a "
           "quote or a line break stands in quotes and its quotes are "
           "doubled"));
}

}  // namespace cloak
