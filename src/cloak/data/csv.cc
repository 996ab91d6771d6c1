#include "cloak/data/csv.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/nearest_name.h"
#include "cloak/base/special_values.h"
#include "cloak/base/text.h"
#include "cloak/data/cell_text.h"
#include "cloak/data/csv_scanner.h"
#include "cloak/data/file_bytes.h"
#include "cloak/data/gzip.h"
#include "cloak/data/label_classes.h"
#include "cloak/data/missing_values.h"

namespace cloak {
namespace {

// A file without a header begins with a row of data, perhaps one that another
// separator cuts. Its cells are not names, and may be private, so messages do
// not repeat them.
bool LooksLikeData(const std::vector<std::string>& header) {
  return std::any_of(header.begin(), header.end(), [](const auto& name) {
    const std::string_view text = WithoutBlanks(name);
    return text.find_first_of(";\t|\"") != std::string_view::npos ||
           (!text.empty() &&
            std::string_view("0123456789+-.").find(text.front()) !=
                std::string_view::npos);
  });
}

constexpr char kMaybeNoHeader[] =
    "its first row holds numbers or separators that are not commas: give the "
    "file a header, and commas between cells";

std::vector<std::string> ReadHeader(CsvScanner& scanner) {
  std::vector<std::string> header;
  scanner.BeginRow();
  do {
    const CsvCell name = scanner.Next();
    scanner.RequireSound(name);
    header.push_back(name.Content());
  } while (scanner.MoveToNextCell());
  std::map<std::string_view, size_t> places;
  for (size_t j = 0; j < header.size(); ++j) {
    RequireInput(!header[j].empty(), scanner.Where(),
                 " has no name for column ", j + 1, " of ", header.size(),
                 "; name every column");
    const auto [earlier, is_new] = places.try_emplace(header[j], j);
    if (is_new) continue;
    throw InvalidInput(Text(scanner.Where(), " has the same name for columns ",
                            earlier->second + 1, " and ", j + 1, "; ",
                            LooksLikeData(header)
                                ? kMaybeNoHeader
                                : "rename one '" + header[j] + "'"));
  }
  return header;
}

size_t FindColumn(const std::string& wanted, const std::string& file,
                  const std::vector<std::string>& header) {
  const auto found = std::find(header.begin(), header.end(), wanted);
  if (found != header.end()) return found - header.begin();
  std::string message = Text("no column '", wanted, "' in '", file, "'; ");
  if (LooksLikeData(header)) throw InvalidInput(message + kMaybeNoHeader);
  const std::string nearest = NearestName(wanted, header);
  if (!nearest.empty()) message += "did you mean '" + nearest + "'? ";
  constexpr size_t kMostNames = 20;
  const size_t listed = std::min(header.size(), kMostNames);
  message += "It has: " + Join({header.begin(), header.begin() + listed}, ", ");
  if (listed < header.size()) {
    message += Text(" and ", header.size() - listed, " more");
  }
  throw InvalidInput(message);
}

// A little of a public cell, to recognise it by.
std::string Excerpt(std::string_view text) {
  constexpr size_t kMostBytes = 40;
  if (text.size() <= kMostBytes) return Text("'", text, "'");
  size_t end = kMostBytes;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;  // Between characters.
  return Text("'", text.substr(0, end), "…'");
}

// Says what becomes of one column of the file.
struct Column {
  Vector* number = nullptr;
  std::vector<std::string>* text = nullptr;  // secret too, if the column is
  bool is_secret = false;
  const LabelClasses* classes = nullptr;
  // The category that cells belong to which are none of the classes.
  std::optional<size_t> other = {};
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name,
         const CsvOptions& options)
      : name_(name),
        missing_(options.missing_values),
        refuse_missing_(options.refuse_missing),
        quote_cells_(options.quote_cells && options.secret.empty() &&
                     options.secret_text.empty() && !options.labels &&
                     options.categories.empty()),
        scanner_(bytes, name) {
    RequireInput(!scanner_.OnlyBlankLinesLeft(), "'", name,
                 "' is empty; a CSV file "
                 "begins with the names of its "
                 "columns");
    header_ = ReadHeader(scanner_);
    columns_.resize(header_.size());
    PlaceSecrets(options);
    PlaceNumbers(options);
    PlaceText(options);
    // A private column that stands alone in its file writes a missing value so.
    blank_is_missing_ = columns_.size() == 1 && columns_[0].is_secret;
  }

  Table Read() && {
    const Index most = scanner_.MostRowsLeft();
    Reserve(most);
    Index rows = 0;
    for (; !AtEnd(); ++rows) {
      if (rows >= most) throw Error("a file has more rows than lines");
      ReadRow(rows);
    }
    RequireInput(rows > 0, "'", name_, "' has a header but no rows");
    for (auto& [column, values] : kept_.numeric)
      values.conservativeResize(rows);
    for (auto& [column, values] : kept_.secret) values.conservativeResize(rows);
    return Table(name_, rows, std::move(header_), std::move(kept_));
  }

 private:
  // Nodes of a map stay where they are, so columns_ can point into kept_.
  void PlaceSecrets(const CsvOptions& options) {
    for (const std::string& name : options.secret) {
      Column& column = columns_[FindColumn(name, name_, header_)];
      column.is_secret = true;
      column.number = &kept_.secret[name];
    }
    for (const std::string& name : options.secret_text) {
      Column& column = columns_[FindColumn(name, name_, header_)];
      column.is_secret = true;
      column.text = &kept_.secret_text[name];
    }
    classes_.reserve(options.categories.size() + 1);  // pointed to
    for (const CsvOptions::Labels& labels : options.categories) {
      PlaceLabels(labels).other = labels.classes.size() - 1;
    }
    if (!options.labels) return;
    RequireInput(options.labels->classes.size() == 2,
                 "there must be 2 classes of labels, but there are ",
                 options.labels->classes.size());
    PlaceLabels(*options.labels);
  }
  Column& PlaceLabels(const CsvOptions::Labels& labels) {
    Column& column = columns_[FindColumn(labels.column, name_, header_)];
    column.is_secret = true;
    column.number = &kept_.secret[labels.column];
    column.classes = &classes_.emplace_back(labels.classes);
    return column;
  }
  void PlaceNumbers(const CsvOptions& options) {
    for (const std::string& name : options.numeric) {
      Column& column = PublicColumn(name);
      column.number = &kept_.numeric[name];
    }
  }
  void PlaceText(const CsvOptions& options) {
    for (const std::string& name : options.text) {
      Column& column = PublicColumn(name);
      column.text = &kept_.text[name];
    }
    if (!options.all_text) return;
    for (size_t j = 0; j < header_.size(); ++j) {
      if (!columns_[j].is_secret) columns_[j].text = &kept_.text[header_[j]];
    }
  }
  Column& PublicColumn(const std::string& name) {
    Column& column = columns_[FindColumn(name, name_, header_)];
    RequireInput(!column.is_secret, "column '", name, "' of '", name_,
                 "' is asked for both as private and as public; decide "
                 "which it is");
    return column;
  }

  void Reserve(Index rows) {
    for (const Column& column : columns_) {
      if (column.number != nullptr) column.number->resize(rows);
      if (column.text != nullptr) column.text->reserve(rows);
    }
  }

  bool AtEnd() const {
    return scanner_.AtEnd() ||
           (!blank_is_missing_ && scanner_.OnlyBlankLinesLeft());
  }

  void ReadRow(Index row) {
    scanner_.BeginRow();
    const size_t last = columns_.size() - 1;
    if (!blank_is_missing_ && scanner_.AtBlankLine()) {
      throw InvalidInput(Text(scanner_.Where(), " is a blank line; remove it"));
    }
    for (size_t j = 0; j <= last; ++j) {
      ReadCell(row, j);
      if (scanner_.MoveToNextCell() != (j < last)) RefuseRagged(j + 1);
    }
  }

  void ReadCell(Index row, size_t j) {
    const Column& column = columns_[j];
    if (column.number != nullptr && column.classes == nullptr &&
        scanner_.NextIsNumber((*column.number)(row))) {
      if (column.is_secret && missing_.has_more() &&
          missing_.Contains(scanner_.last_number())) {
        (*column.number)(row) = MissingNumber(j);
      }
      if (column.text != nullptr) {
        column.text->emplace_back(scanner_.last_number());
      }
      return;
    }
    const CsvCell cell = scanner_.Next();
    // Cells that nobody asked for may be private too.
    const bool is_public = !column.is_secret &&
                           (column.number != nullptr || column.text != nullptr);
    if (is_public) scanner_.RequireSound(cell);
    if (column.text != nullptr) column.text->push_back(cell.Content());
    if (column.number == nullptr) return;
    double& number = (*column.number)(row);
    if (column.classes != nullptr) {
      number = Label(cell, j);
    } else {
      number =
          column.is_secret ? PrivateNumber(cell, j) : PublicNumber(cell, j);
    }
  }

  std::string WhereInColumn(size_t j) const {
    return Text(scanner_.Where(), ", column '", header_[j], "'");
  }

  // A private cell that has no value, in column j.
  double MissingNumber(size_t j) const {
    if (!refuse_missing_) return kNan;
    throw InvalidInput(Text("missing value in ", WhereInColumn(j),
                            ", and missing private cells are to be refused"));
  }

  double Label(const CsvCell& cell, size_t j) const {
    const std::optional<size_t> place =
        columns_[j].classes->Find(cell.Content());
    if (columns_[j].other) {
      return static_cast<double>(place.value_or(*columns_[j].other));
    }
    if (place.has_value()) return *place == 0 ? -1 : 1;
    if (!refuse_missing_) return kNan;
    // The label itself is private: the message says where it is, not what.
    throw InvalidInput(
        Text("the label in ", WhereInColumn(j),
             " is none of the 2 classes that were named, and missing private "
             "cells are to be refused; name the classes as the table spells "
             "them"));
  }

  double PrivateNumber(const CsvCell& cell, size_t j) const {
    const std::string_view text = WithoutBlanks(cell.raw);
    if (missing_.Contains(text)) return MissingNumber(j);
    const std::optional<double> value = CellNumber(text);
    if (!refuse_missing_ || (value.has_value() && std::isfinite(*value))) {
      return value.value_or(kNan);
    }
    throw InvalidInput(
        Text("the value in ", WhereInColumn(j),
             " is not a finite number, and malformed private cells are to be "
             "refused"));
  }

  double PublicNumber(const CsvCell& cell, size_t j) const {
    const std::string_view text = WithoutBlanks(cell.raw);
    if (text.empty()) {
      throw InvalidInput(Text("missing value in ", WhereInColumn(j),
                              "; Cloak does not guess public values: fill the "
                              "cell, or leave the row out"));
    }
    const std::optional<double> value = CellNumber(text);
    if (value.has_value() && std::isfinite(*value)) return *value;
    const std::string rule = value.has_value()
                                 ? "must be finite and in the range of a double"
                                 : "must be a number";
    throw InvalidInput(
        Text("the value in ", WhereInColumn(j), " ", rule,
             quote_cells_ ? ", but is " + Excerpt(text) : ", but is not",
             "; correct the cell, or leave the row out"));
  }

  // `count` cells have been read, and there are more exactly when that is as
  // many as the header has.
  [[noreturn]] void RefuseRagged(size_t count) {
    const std::string where = scanner_.Where();
    if (count == columns_.size()) {
      do {
        scanner_.Next();
        ++count;
      } while (scanner_.MoveToNextCell());
    }
    throw InvalidInput(Text(where, " has ", count,
                            " cells, but the header has ", columns_.size(),
                            "; give every row the same number"));
  }

  std::string name_;
  MissingValues missing_;
  bool refuse_missing_;
  bool quote_cells_;
  bool blank_is_missing_ = false;
  CsvScanner scanner_;
  std::vector<std::string> header_;
  std::vector<Column> columns_;
  std::vector<LabelClasses> classes_;
  Table::Columns kept_;
};

}  // namespace

Table ParseCsv(std::string_view bytes, const std::string& name,
               const CsvOptions& options) {
  if (IsGzip(bytes)) {
    const std::string plain = Gunzip(bytes, name, options.max_bytes);
    return Reader(plain, name, options).Read();
  }
  return Reader(bytes, name, options).Read();
}

Table ReadCsv(const std::filesystem::path& path, const CsvOptions& options) {
  return ParseCsv(ReadFileBytes(path, options.max_bytes), FileTitle(path),
                  options);
}

}  // namespace cloak
