#ifndef CLOAK_APPS_CLI_MAKE_RELEASE_H_
#define CLOAK_APPS_CLI_MAKE_RELEASE_H_

#include <functional>
#include <optional>

#include "apps/cli/arguments.h"
#include "apps/cli/cli.h"
#include "apps/cli/progress_bar.h"
#include "apps/cli/release_charge.h"
#include "apps/cli/release_plan.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {

// What f plans, from public things alone: what fails there can be mended by
// other options, and spends nothing.
template <typename F>
auto Planning(F f) {
  try {
    return f();
  } catch (const InvalidInput&) {
    throw;
  } catch (const PrivacyFailure&) {
    throw;
  } catch (const Error& error) {
    throw InvalidInput(
        Text("no release can be planned with these options: ", error.what(),
             "\nNumbers that are out of proportion are too much for double "
             "precision: variances should be about the square of what varies, "
             "lengthscales about as long as the inputs differ. Leave --kernel "
             "and --noise-variance out to have them learned. Nothing was "
             "spent."));
  }
}

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
