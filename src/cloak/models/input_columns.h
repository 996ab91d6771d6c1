#ifndef CLOAK_MODELS_INPUT_COLUMNS_H_
#define CLOAK_MODELS_INPUT_COLUMNS_H_

#include <vector>

#include "cloak/models/setting.h"
#include "cloak/release/release.h"

namespace cloak {

// Returns name, range and middle of each input. Of public inputs, range and
// median of the rows, both rounded (rounded_range.h); of private ones, what is
// known of them publicly.
std::vector<InputColumn> DescribeInputs(const Setting& setting);

}  // namespace cloak

#endif  // CLOAK_MODELS_INPUT_COLUMNS_H_
