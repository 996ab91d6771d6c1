#ifndef CLOAK_APPS_CLI_RELEASE_REQUEST_H_
#define CLOAK_APPS_CLI_RELEASE_REQUEST_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/model_request.h"
#include "cloak/linalg/threads.h"
#include "cloak/models/setting.h"
#include "cloak/models/task.h"

namespace cloak {

// The arguments of `cloak release`, read and checked without any file.
struct ReleaseRequest {
  std::vector<std::string> input_names;
  std::variant<std::monostate, NumberOutput, LabelOutput> output;
  // Where the inputs lie, if they are private; no range for a histogram.
  std::optional<InputRanges> private_inputs;
  // The column that says whose row it is; empty where there is none.
  std::string unit_name;
  // Without the query points.
  Task task;
  Threads threads;

  bool ProtectsRows() const { return private_inputs.has_value(); }
  // Returns the empty text where there is no output.
  std::string OutputName() const;
};

// Throws InvalidInput unless it is said what is private.
void RequireProtect(const ReleaseArguments& arguments);

// Throws InvalidInput that says what is missing or wrong, and why it matters.
ReleaseRequest CheckRelease(const ReleaseArguments& arguments);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_REQUEST_H_
