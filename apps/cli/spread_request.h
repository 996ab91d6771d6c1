#ifndef CLOAK_APPS_CLI_SPREAD_REQUEST_H_
#define CLOAK_APPS_CLI_SPREAD_REQUEST_H_

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/model_request.h"
#include "cloak/models/rows/count_release.h"
#include "cloak/models/rows/functional_density.h"
#include "cloak/release/release.h"

namespace cloak {

inline constexpr char kFunctionalMethod[] = "functional";

// The tasks that tell how rows are spread, and have no output.
inline bool IsSpread(const std::string& task) {
  return task == "histogram" || task == "density";
}

// What --task histogram or density asks for.
struct SpreadRequest {
  CountBudget budget = {};
  // Of a histogram; empty for a density.
  std::vector<HistogramAxis> axes = {};
  InputRanges ranges = {};
  std::optional<std::vector<Index>> cells = {};
  // With --method functional.
  std::optional<FunctionalDensityOptions> functional = {};
};

// Throws InvalidInput that says what is missing or wrong, and why it matters.
SpreadRequest CheckSpread(const ReleaseArguments& arguments,
                          const std::vector<std::string>& input_names);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_SPREAD_REQUEST_H_
