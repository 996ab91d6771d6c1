#ifndef CLOAK_APPS_CLI_SELECT_REQUEST_H_
#define CLOAK_APPS_CLI_SELECT_REQUEST_H_

#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/cli.h"
#include "apps/cli/release_request.h"

namespace cloak {

// The arguments of `cloak select`, read and checked without the table.
struct SelectRequest {
  struct Candidate {  // NOLINT(cppcoreguidelines-pro-type-member-init)
    ModelArguments model;
    // What `cloak release` would make of it.
    ReleaseRequest release;
  };
  double epsilon = 0;
  Index folds = 0;
  // At least two, with the same columns, bounds and budget.
  std::vector<Candidate> candidates;
};

// Throws InvalidInput that says what is missing or wrong, and why it matters.
SelectRequest CheckSelect(const SelectArguments& arguments,
                          const Streams& streams);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_SELECT_REQUEST_H_
