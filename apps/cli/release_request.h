#ifndef CLOAK_APPS_CLI_RELEASE_REQUEST_H_
#define CLOAK_APPS_CLI_RELEASE_REQUEST_H_

#include <optional>

#include "apps/cli/arguments.h"
#include "apps/cli/rows_request.h"
#include "apps/cli/spread_request.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/classification.h"
#include "cloak/models/regression.h"
#include "cloak/privacy/budget.h"

namespace cloak {

// The arguments of `cloak release`, read and checked without any file.
// None of its parts can be left out: bounds and budget have no default.
struct ReleaseRequest {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  OutputBounds bounds;
  Budget budget;
  RegressionOptions options;  // without the query points and the units
  // With the task classification: what `options` does not have.
  std::optional<ClassificationOptions> labels;
  // With --protect rows: what `options` does not have.
  std::optional<RowsRequest> rows;
  // With the tasks histogram and density: all there is, but for the names of
  // the inputs.
  std::optional<SpreadRequest> spread;
  Threads threads;
};

// Throws InvalidInput that says what is missing or wrong, and why it matters.
// Throws InvalidInput unless it is said what is private.
void RequireProtect(const ReleaseArguments& arguments);

ReleaseRequest CheckRelease(const ReleaseArguments& arguments);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_REQUEST_H_
