#include "cloak/models/input_columns.h"

#include <algorithm>

#include "cloak/linalg/rounded_range.h"

namespace cloak {

namespace {

std::vector<InputColumn> DescribePublic(const std::vector<std::string>& names,
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

std::vector<InputColumn> DescribePrivate(const std::vector<std::string>& names,
                                         const PrivateInputs& inputs) {
  std::vector<InputColumn> columns;
  for (Index j = 0; j < inputs.lower.size(); ++j) {
    const double lower = inputs.lower(j);
    const double upper = inputs.upper(j);
    columns.push_back({names[static_cast<size_t>(j)], lower, upper,
                       lower + (upper - lower) / 2});
  }
  return columns;
}

}  // namespace

std::vector<InputColumn> DescribeInputs(const Setting& setting) {
  if (setting.ProtectsRows()) {
    return DescribePrivate(setting.input_names, setting.hidden());
  }
  if (setting.open().projected) return setting.open().projected->inputs;
  return DescribePublic(setting.input_names, setting.X());
}

}  // namespace cloak
