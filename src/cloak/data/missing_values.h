#ifndef CLOAK_DATA_MISSING_VALUES_H_
#define CLOAK_DATA_MISSING_VALUES_H_

#include <string>
#include <string_view>
#include <vector>

namespace cloak {

// How tables write that a cell has no value: nothing at all, NA, N/A, NaN,
// null, a dot, in capitals or not, and whatever else the custodian names, such
// as -999.
class MissingValues {
 public:
  // `more`: what else stands for a missing value. Throws InvalidInput when one
  // of them is empty.
  explicit MissingValues(const std::vector<std::string>& more = {});

  // Whether the custodian named any.
  bool has_more() const { return !more_.empty(); }
  // Whether the text of a cell stands for a missing value. Blanks around it do
  // not count, and -999 is also -999.0.
  bool Contains(std::string_view cell) const;

 private:
  std::vector<std::string> more_;
};

}  // namespace cloak

#endif  // CLOAK_DATA_MISSING_VALUES_H_
