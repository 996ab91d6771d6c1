#include "cloak/models/input_columns.h"

#include <algorithm>

#include "cloak/linalg/rounded_range.h"

namespace cloak {

std::vector<InputColumn> DescribeInputs(const std::vector<std::string>& names,
                                        const Matrix& X) {
  std::vector<InputColumn> columns;
  for (Index j = 0; j < X.cols(); ++j) {
    std::vector<double> x(X.col(j).begin(), X.col(j).end());
    const auto middle = x.begin() + static_cast<Index>(x.size() / 2);
    std::nth_element(x.begin(), middle, x.end());
    const RoundedRange range = RoundRange(X.col(j));
    columns.push_back({names[static_cast<size_t>(j)], range.lower, range.upper,
                       range.Rounded(*middle)});
  }
  return columns;
}

}  // namespace cloak
