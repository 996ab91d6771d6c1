#include "cloak/data/missing_values.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "cloak/base/error.h"
#include "cloak/data/cell_text.h"

namespace cloak {
namespace {

constexpr std::string_view kUsualWords[] = {"",    "na",   "n/a",
                                            "nan", "null", "."};

std::string InLowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

}  // namespace

MissingValues::MissingValues(const std::vector<std::string>& more) {
  for (const std::string& word : more) {
    const std::string_view text = WithoutBlanks(word);
    RequireInput(!text.empty(),
                 "a value that stands for a missing one is empty; an empty "
                 "cell is missing anyway");
    more_.emplace_back(text);
  }
}

bool MissingValues::Contains(std::string_view cell) const {
  const std::string_view text = WithoutBlanks(cell);
  const std::string lower = InLowerCase(text.substr(0, 4));
  if (text.size() < 5 &&
      std::find(std::begin(kUsualWords), std::end(kUsualWords), lower) !=
          std::end(kUsualWords)) {
    return true;
  }
  if (more_.empty()) return false;
  const std::optional<double> number = CellNumber(text);
  return std::any_of(more_.begin(), more_.end(), [&](const std::string& word) {
    return text == word || (number.has_value() && number == CellNumber(word));
  });
}

}  // namespace cloak
