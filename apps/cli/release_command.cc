#include <string>
#include <utility>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/make_release.h"
#include "apps/cli/release_plan.h"
#include "apps/cli/release_request.h"

namespace cloak {

void RunRelease(const ReleaseArguments& arguments, const Streams& streams,
                const RandomnessSource& randomness) {
  ReleaseRequest request = CheckRelease(arguments);
  if (!arguments.dry_run) {
    CheckNewOutput(arguments.file.value_or("-"), arguments.overwrite,
                   {arguments.data, arguments.at.value_or("-"),
                    arguments.ledger.value_or("-")});
  }
  const ReleaseInputs inputs =
      ReadInputs(arguments, std::move(request), streams);
  MakeRelease(
      arguments, inputs,
      [&](ProgressBar& bar) { return PlanRelease(inputs, bar); }, streams,
      randomness);
}

}  // namespace cloak
