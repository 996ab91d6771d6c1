#ifndef CLOAK_APPS_CLI_DELIVER_RELEASE_H_
#define CLOAK_APPS_CLI_DELIVER_RELEASE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/arguments.h"
#include "apps/cli/cli.h"
#include "cloak/base/progress.h"
#include "cloak/custodian/ledger_charge.h"
#include "cloak/custodian/pending_release.h"

namespace cloak {

// Throws InvalidInput unless what the arguments say can be written, and is none
// of the files that are read: the table, the ledger, and `read`.
void CheckDestination(const ReleaseArguments& arguments,
                      const std::vector<std::string>& read);

// Opens the ledger that the arguments name, if they do.
std::optional<LedgerCharge> LedgerOf(const ReleaseArguments& arguments,
                                     const Request& request,
                                     const Table& table);

// Plans a release, prices it, charges it, makes it, writes it and says so, as
// the arguments say; in a dry run, only plans and prices it. Returns what was
// written. `chosen` says of the release which candidate it is.
std::optional<Release> DeliverRelease(
    const ReleaseArguments& arguments, const Request& request,
    const Table& table,
    const std::function<std::unique_ptr<Plan>(const Progress&)>& plan,
    const Streams& streams, const RandomnessSource& randomness,
    const std::function<std::string(const Release&)>& chosen = {});

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_DELIVER_RELEASE_H_
