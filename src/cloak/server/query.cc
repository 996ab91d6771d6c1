#include "cloak/server/query.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cloak/base/nearest_name.h"
#include "cloak/base/text.h"
#include "cloak/data/label_classes.h"
#include "cloak/server/http_error.h"
#include "cloak/server/json_scanner.h"

namespace cloak {
namespace {

using Kind = JsonScanner::Kind;

constexpr char kQueryShape[] =
    "send {\"rows\": [[…], …]}, where a row has a number for each input, or "
    "{\"rows\": [{\"input\": …}, …]}";

[[noreturn]] void RefuseQuery(const std::string& message,
                              const std::string& hint = kQueryShape) {
  throw HttpError(400, "invalid_query", message, hint);
}

class QueryReader {
 public:
  QueryReader(std::string_view body, const ReleaseContent& content,
              Index most_rows)
      : scanner_(body), content_(content), most_rows_(most_rows) {
    for (size_t j = 0; j < content.inputs.size(); ++j) {
      const std::vector<std::string>& names = CategoriesOf(content, j);
      categories_.emplace_back();
      if (!names.empty()) categories_.back().emplace(names);
    }
  }

  Query Read() {
    Need(Kind::kObject, "the body");
    scanner_.Expect('{');
    std::vector<std::string> seen;
    if (!scanner_.Take('}')) {
      do {
        const std::string name = scanner_.String();
        scanner_.Expect(':');
        if (std::count(seen.begin(), seen.end(), name) > 0) {
          // Only a name that is known comes here a second time.
          RefuseQuery(Text("the body has two \"", name, "\""));
        }
        Member(name);
        seen.push_back(name);
      } while (scanner_.Take(','));
      scanner_.Expect('}');
    }
    scanner_.ExpectEnd();
    if (std::count(seen.begin(), seen.end(), "rows") == 0) {
      RefuseQuery("the body has no \"rows\"");
    }
    using RowMajor =
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    query_.rows = Eigen::Map<const RowMajor>(values_.data(), row_count_,
                                             static_cast<Index>(inputs()));
    return std::move(query_);
  }

 private:
  size_t inputs() const { return content_.inputs.size(); }
  std::string Where() const { return Text("row ", row_count_ + 1); }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const InputColumn& input : content_.inputs) {
      names.push_back(input.name);
    }
    return names;
  }

  void Need(Kind kind, const std::string& where) {
    const Kind found = scanner_.Peek();
    if (found == kind) return;
    RefuseQuery(Text(where, " has ", JsonScanner::Name(found), " where ",
                     JsonScanner::Name(kind), " is needed"));
  }

  void NeedMember(Kind kind, const std::string& name) {
    if (scanner_.Peek() != kind) Need(kind, Text("\"", name, "\""));
  }

  void Member(const std::string& name) {
    if (name == "rows") {
      NeedMember(Kind::kArray, name);
      return Rows();
    }
    if (name == "interval") {
      NeedMember(Kind::kNumber, name);
      const double value = scanner_.Number();
      if (!(value > 0 && value < 1)) {
        RefuseQuery("\"interval\" must lie between 0 and 1", "such as 0.95");
      }
      query_.options.interval = value;
    } else if (name == "latent") {
      NeedMember(Kind::kBoolean, name);
      query_.options.latent = scanner_.Boolean();
    } else if (name == "count") {
      NeedMember(Kind::kNumber, name);
      constexpr uint64_t kMost = 1'000'000;
      query_.count = static_cast<Index>(Whole(
          1, kMost, Text("\"count\" must be a whole number from 1 to ", kMost),
          "it is how many functions are drawn"));
    } else if (name == "seed") {
      NeedMember(Kind::kNumber, name);
      query_.seed = Whole(
          0, UINT64_MAX, "\"seed\" must be a whole number that is not negative",
          "any up to 2^64 - 1; the same one draws the same functions");
    } else {
      RefuseQuery(
          "the body has a member that is none of rows, interval, latent, "
          "count and seed");
    }
  }

  uint64_t Whole(uint64_t least, uint64_t most, const std::string& message,
                 const std::string& hint) {
    const std::optional<uint64_t> value = WholeOf(scanner_.NumberText());
    if (!value || *value < least || *value > most) RefuseQuery(message, hint);
    return *value;
  }

  // JSON has one kind of numbers: 1, 1.0 and 1e0 are the same.
  static std::optional<uint64_t> WholeOf(std::string_view digits) {
    const char* const end = digits.data() + digits.size();
    uint64_t whole = 0;
    const auto exact = std::from_chars(digits.data(), end, whole);
    if (exact.ec == std::errc() && exact.ptr == end) return whole;
    double number = 0;
    const auto rounded = std::from_chars(digits.data(), end, number);
    // From here on a double may have been rounded.
    constexpr double kInexact = 0x1p53;
    if (rounded.ec != std::errc() || rounded.ptr != end || number < 0 ||
        number >= kInexact || number != std::floor(number)) {
      return std::nullopt;
    }
    return static_cast<uint64_t>(number);
  }

  void Rows() {
    scanner_.Expect('[');
    if (scanner_.Take(']')) return;
    do {
      if (row_count_ >= most_rows_) {
        throw HttpError(413, "too_many_rows",
                        Text("the body has more than ", most_rows_,
                             " rows, the most this answers at once"),
                        "send them in several requests");
      }
      if (scanner_.Take('[')) {
        ListedRow();
      } else if (scanner_.Take('{')) {
        NamedRow();
      } else {
        RefuseQuery(Text("\"rows\" has ", JsonScanner::Name(scanner_.Peek()),
                         " where a row is needed"));
      }
      ++row_count_;
    } while (scanner_.Take(','));
    scanner_.Expect(']');
  }

  void ListedRow() {
    size_t cells = 0;
    if (!scanner_.Take(']')) {
      do {
        // Cells beyond the last input are read to be counted.
        const double value = Cell(std::min(cells, inputs() - 1));
        if (cells++ < inputs()) values_.push_back(value);
      } while (scanner_.Take(','));
      scanner_.Expect(']');
    }
    if (cells == inputs()) return;
    RefuseQuery(Text(
        Where(), " has ", cells, " numbers, but the release has ", inputs(),
        inputs() == 1 ? " input: " : " inputs: ", Join(Names(), ", ")));
  }

  void NamedRow() {
    std::vector<bool> filled(inputs());
    const size_t first = values_.size();
    values_.resize(first + inputs());
    if (!scanner_.Take('}')) {
      do {
        const size_t column = Column(scanner_.String());
        scanner_.Expect(':');
        if (filled[column]) {
          RefuseQuery(
              Text(Where(), " has '", content_.inputs[column].name, "' twice"));
        }
        filled[column] = true;
        values_[first + column] = Cell(column);
      } while (scanner_.Take(','));
      scanner_.Expect('}');
    }
    for (size_t j = 0; j < inputs(); ++j) {
      if (filled[j]) continue;
      RefuseQuery(
          Text(Where(), " has no input '", content_.inputs[j].name, "'"));
    }
  }

  size_t Column(const std::string& name) const {
    for (size_t j = 0; j < inputs(); ++j) {
      if (content_.inputs[j].name == name) return j;
    }
    const std::string nearest = NearestName(name, Names());
    RefuseQuery(
        Text(Where(), " names an input that the release does not have"),
        Text(nearest.empty() ? "" : Text("did you mean '", nearest, "'? "),
             "Its inputs are: ", Join(Names(), ", ")));
  }

  double Cell(size_t column) {
    const Kind kind = scanner_.Peek();
    if (categories_[column]) {
      return Category(column, kind);
    }
    if (kind != Kind::kNumber) {
      RefuseQuery(Text(Where(), " has ", JsonScanner::Name(kind),
                       " where a number is needed"));
    }
    const double value = scanner_.Number();
    if (!std::isfinite(value)) {
      RefuseQuery(Text(Where(), " has a number that is too large for '",
                       content_.inputs[column].name, "'"),
                  "every input must be a finite number");
    }
    return value;
  }

  // Returns the place of a category; what is none of them belongs to the last.
  // A number is a name too, as it is in a table.
  double Category(size_t column, Kind kind) {
    if (kind != Kind::kText && kind != Kind::kNumber) {
      RefuseQuery(Text(Where(), " has ", JsonScanner::Name(kind),
                       " where a category of '", content_.inputs[column].name,
                       "' is needed"));
    }
    const std::string label = kind == Kind::kText
                                  ? scanner_.String()
                                  : std::string(scanner_.NumberText());
    const LabelClasses& classes = *categories_[column];
    const size_t last = CategoriesOf(content_, column).size() - 1;
    return static_cast<double>(classes.Find(label).value_or(last));
  }

  JsonScanner scanner_;
  const ReleaseContent& content_;
  // There is one for each input, absent where it is a number.
  std::vector<std::optional<LabelClasses>> categories_;
  Index most_rows_;
  Index row_count_ = 0;
  std::vector<double> values_;  // row by row
  Query query_;
};

}  // namespace

Query ParseQuery(std::string_view body, const ReleaseContent& content,
                 Index most_rows) {
  return QueryReader(body, content, most_rows).Read();
}

}  // namespace cloak
