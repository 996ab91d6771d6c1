#ifndef CLOAK_APPS_CLI_ROWS_REQUEST_H_
#define CLOAK_APPS_CLI_ROWS_REQUEST_H_

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/model_request.h"
#include "cloak/models/rows_optimal.h"
#include "cloak/models/svm.h"
#include "cloak/models/variational.h"

namespace cloak {

inline constexpr char kVariational[] = "variational";

// What --protect rows asks for.
struct RowsRequest {
  InputRanges ranges = {};
  std::optional<double> prior_mean = {};
  RowsOptions optimal = {};
  // With --method variational.
  std::optional<VariationalOptions> variational = {};
  // With --task svm.
  std::optional<SvmOptions> svm = {};
};

// Throws InvalidInput that says what is missing or wrong, and why it matters.
RowsRequest CheckRows(const ReleaseArguments& arguments,
                      const std::vector<std::string>& input_names);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_ROWS_REQUEST_H_
