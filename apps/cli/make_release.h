#ifndef CLOAK_APPS_CLI_MAKE_RELEASE_H_
#define CLOAK_APPS_CLI_MAKE_RELEASE_H_

#include <functional>
#include <optional>

#include "apps/cli/arguments.h"
#include "apps/cli/cli.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_charge.h"
#include "apps/cli/release_plan.h"

namespace cloak {

// Plans a release, prices it, charges it, makes it, writes it and says so, as
// the arguments say; in a dry run, only plans and prices it. Returns what was
// written. `chosen`: of the release, which candidate it is.
std::optional<Release> MakeRelease(
    const ReleaseArguments& arguments, const ReleaseInputs& inputs,
    const std::function<std::unique_ptr<Plan>(ProgressBar&)>& make_plan,
    const Streams& streams, const RandomnessSource& randomness,
    const std::function<std::string(const Release&)>& chosen = {});

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_MAKE_RELEASE_H_
