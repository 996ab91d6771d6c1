#include "cloak/models/input_columns.h"

#include <algorithm>

namespace cloak {

std::vector<InputColumn> DescribeInputs(const std::vector<std::string>& names,
                                        const Matrix& X) {
  std::vector<InputColumn> columns;
  for (Index j = 0; j < X.cols(); ++j) {
    std::vector<double> x(X.col(j).begin(), X.col(j).end());
    const auto middle = x.begin() + static_cast<Index>(x.size() / 2);
    std::nth_element(x.begin(), middle, x.end());
    columns.push_back({names[static_cast<size_t>(j)], X.col(j).minCoeff(),
                       X.col(j).maxCoeff(), *middle});
  }
  return columns;
}

}  // namespace cloak
