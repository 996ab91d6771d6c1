#include "cloak/data/label_classes.h"

#include <cmath>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/cell_text.h"
#include "cloak/data/utf8.h"

namespace cloak {
namespace {

// A release has the names, and allows no longer ones.
constexpr size_t kLongestName = 200;

}  // namespace

LabelClasses::LabelClasses(const std::vector<std::string>& names) {
  RequireInput(names.size() >= 2, "there must be 2 classes, but there are ",
               names.size());
  for (const std::string& name : names) {
    const std::string_view text = WithoutBlanks(name);
    RequireInput(!text.empty(), "a class has an empty name");
    RequireInput(name.size() <= kLongestName,
                 "the name of a class may have at most ", kLongestName,
                 " bytes, but one has ", name.size());
    RequireInput(FirstInvalidUtf8(name) == name.size(),
                 "the name of a class must be UTF-8, but is not");
    std::optional<double> number = CellNumber(text);
    if (number.has_value() && std::isnan(*number)) number.reset();
    for (const Class& other : classes_) {
      RequireInput(text != other.name && (!number || number != other.number),
                   "the classes '", other.name, "' and '", text,
                   "' are the same");
    }
    classes_.push_back({std::string(text), number});
  }
}

std::optional<size_t> LabelClasses::Find(std::string_view label) const {
  const std::string_view text = WithoutBlanks(label);
  for (size_t k = 0; k < classes_.size(); ++k) {
    const Class& c = classes_[k];
    if (text == c.name || (c.number && CellNumber(text) == c.number)) return k;
  }
  return {};
}

}  // namespace cloak
