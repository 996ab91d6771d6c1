#ifndef CLOAK_DATA_LABEL_CLASSES_H_
#define CLOAK_DATA_LABEL_CLASSES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cloak {

// The classes that labels can have, by names that are given from public
// knowledge. A label that is written like a name belongs to its class, and so
// does another spelling of the same number: 1, 1.0, +1.
class LabelClasses {
 public:
  // Throws InvalidInput unless there are two or more that can be told apart,
  // each of 1 to 200 bytes of UTF-8.
  explicit LabelClasses(const std::vector<std::string>& names);

  // The place of its class; nothing for a label of none. Blanks around the
  // label do not count.
  std::optional<size_t> Find(std::string_view label) const;

 private:
  struct Class {
    std::string name;
    std::optional<double> number = {};
  };
  std::vector<Class> classes_;
};

}  // namespace cloak

#endif  // CLOAK_DATA_LABEL_CLASSES_H_
