#include <string>
#include <utility>

#include "apps/cli/commands.h"
#include "apps/cli/deliver_release.h"
#include "apps/cli/files.h"
#include "apps/cli/release_request.h"
#include "cloak/base/error.h"

namespace cloak {

void RunRelease(const ReleaseArguments& arguments, const Streams& streams,
                const RandomnessSource& randomness) {
  RequireInput(!arguments.data.empty(),
               "release needs the table: cloak release DATA.csv …");
  RequireInput(arguments.dry_run || arguments.file.has_value(),
               "-o FILE.cloak is missing: the file to write; or --dry-run to "
               "see the price first");
  RequireInput(!(arguments.data == "-" && arguments.at == "-"),
               "the table and --at cannot both be standard input");
  Request request = RequestOf(arguments);
  CheckDestination(arguments, {arguments.at.value_or("-")});
  const Table table = ReadTables(arguments, streams, request);
  DeliverRelease(
      arguments, request, table,
      [&](const Progress& progress) {
        return PlanRelease(request, table, progress);
      },
      streams, randomness);
}

}  // namespace cloak
