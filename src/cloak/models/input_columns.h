#ifndef CLOAK_MODELS_INPUT_COLUMNS_H_
#define CLOAK_MODELS_INPUT_COLUMNS_H_

#include <string>
#include <vector>

#include "cloak/linalg/matrix.h"
#include "cloak/release/release.h"

namespace cloak {

// Range and median of each column of public inputs, both rounded
// (rounded_range.h).
std::vector<InputColumn> DescribeInputs(const std::vector<std::string>& names,
                                        const Matrix& X);

}  // namespace cloak

#endif  // CLOAK_MODELS_INPUT_COLUMNS_H_
