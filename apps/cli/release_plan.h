#ifndef CLOAK_APPS_CLI_RELEASE_PLAN_H_
#define CLOAK_APPS_CLI_RELEASE_PLAN_H_

#include <memory>

#include "apps/cli/arguments.h"
#include "apps/cli/cli.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_request.h"
#include "cloak/data/table.h"
#include "cloak/models/regression.h"

namespace cloak {

// What a release is planned from.
struct ReleaseInputs {
  ReleaseRequest request;  // with the query points and the units
  Table table;             // without what is private in a dry run
};

// Reads the files that the arguments name. What is private is read straight
// into a Secret, or, in a dry run, not at all.
ReleaseInputs ReadInputs(const ReleaseArguments& arguments,
                         ReleaseRequest request, const Streams& streams);

// Plans the release: decides it and does not make it.
std::unique_ptr<Plan> PlanRelease(const ReleaseInputs& inputs,
                                  ProgressBar& bar);

// The parts of that for --protect rows.
RowsSetting RowsSettingOf(const ReleaseInputs& inputs,
                          const Progress& progress);
std::unique_ptr<Plan> PlanRows(const RowsSetting& setting,
                               const RowsRequest& request);

// The names of the private columns that a release uses.
std::vector<std::string> PrivateNames(const ReleaseArguments& arguments,
                                      const RegressionOptions& options);

// What the plan is executed on.
PrivateRows PrivatePart(const ReleaseInputs& inputs);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_PLAN_H_
