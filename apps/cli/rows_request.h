#ifndef CLOAK_APPS_CLI_ROWS_REQUEST_H_
#define CLOAK_APPS_CLI_ROWS_REQUEST_H_

#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/model_request.h"
#include "cloak/models/task.h"

namespace cloak {

// What --protect rows asks for, besides the output.
struct RowsRequest {
  InputRanges ranges;
  Task task;
};

// Throws InvalidInput that says what is missing or wrong, and why it matters.
RowsRequest CheckRows(const ReleaseArguments& arguments,
                      const std::vector<std::string>& input_names);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_ROWS_REQUEST_H_
