#include "cloak/linalg/privacy_units.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

std::string_view WithoutBlanks(std::string_view label) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const size_t begin = label.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return label.substr(begin, label.find_last_not_of(kBlanks) + 1 - begin);
}

}  // namespace

PrivacyUnits::PrivacyUnits(const std::vector<Index>& unit_of_row, Index count)
    : rows_(unit_of_row.size()), begins_(static_cast<size_t>(count) + 1) {
  for (const Index unit : unit_of_row) ++begins_[static_cast<size_t>(unit) + 1];
  if (count > 0) largest_ = *std::max_element(begins_.begin(), begins_.end());
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<Index> next(begins_.begin(), begins_.end() - 1);
  for (size_t row = 0; row < unit_of_row.size(); ++row) {
    Index& place = next[static_cast<size_t>(unit_of_row[row])];
    rows_[static_cast<size_t>(place++)] = static_cast<Index>(row);
  }
}

PrivacyUnits PrivacyUnits::EachRow(Index rows) {
  std::vector<Index> unit_of_row(static_cast<size_t>(rows));
  std::iota(unit_of_row.begin(), unit_of_row.end(), Index{0});
  return {unit_of_row, rows};
}

PrivacyUnits PrivacyUnits::FromLabels(const std::vector<std::string>& labels,
                                      const std::string& what) {
  std::unordered_map<std::string_view, Index> units;
  std::vector<Index> unit_of_row;
  unit_of_row.reserve(labels.size());
  for (const std::string& text : labels) {
    const std::string_view label = WithoutBlanks(text);
    if (label.empty()) {
      throw InvalidInput(
          Text("missing value in ", what, ", row ", unit_of_row.size() + 1,
               ": it is not known whose row that is; Cloak does not guess: "
               "remove the row or fill the cell"));
    }
    const auto next = static_cast<Index>(units.size());
    unit_of_row.push_back(units.try_emplace(label, next).first->second);
  }
  return {unit_of_row, static_cast<Index>(units.size())};
}

PrivacyUnits PrivacyUnits::FromNumbers(const std::vector<Index>& unit_of_row) {
  Index count = 0;
  for (const Index unit : unit_of_row) {
    if (unit < 0) throw Error("the number of a unit is negative");
    count = std::max(count, unit + 1);
  }
  if (count > static_cast<Index>(unit_of_row.size())) {
    throw Error("there are fewer rows than units");
  }
  PrivacyUnits units(unit_of_row, count);
  for (Index unit = 0; unit < count; ++unit) {
    if (units.Rows(unit).empty()) throw Error("a unit has no rows");
  }
  return units;
}

PrivacyUnits PrivacyUnits::Of(const std::vector<Index>& rows) const {
  constexpr Index kNone = -1;
  std::vector<Index> old_unit_of_row(rows_.size());
  for (Index unit = 0; unit < count(); ++unit) {
    for (const Index row : Rows(unit)) {
      old_unit_of_row[static_cast<size_t>(row)] = unit;
    }
  }
  std::vector<Index> numbers(static_cast<size_t>(count()), kNone);
  std::vector<Index> unit_of_row;
  unit_of_row.reserve(rows.size());
  Index found = 0;
  for (const Index row : rows) {
    Index& number =
        numbers[static_cast<size_t>(old_unit_of_row[static_cast<size_t>(row)])];
    if (number == kNone) number = found++;
    unit_of_row.push_back(number);
  }
  return {unit_of_row, found};
}

std::span<const Index> PrivacyUnits::Rows(Index unit) const {
  const auto begin = static_cast<size_t>(begins_[static_cast<size_t>(unit)]);
  const auto end = static_cast<size_t>(begins_[static_cast<size_t>(unit) + 1]);
  return std::span(rows_).subspan(begin, end - begin);
}

}  // namespace cloak
