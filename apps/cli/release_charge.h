#ifndef CLOAK_APPS_CLI_RELEASE_CHARGE_H_
#define CLOAK_APPS_CLI_RELEASE_CHARGE_H_

#include <optional>
#include <string>

#include "apps/cli/arguments.h"
#include "apps/cli/release_summary.h"
#include "cloak/data/table.h"
#include "cloak/ledger/ledger.h"
#include "cloak/models/regression.h"

namespace cloak {

// The ledger's part in one `cloak release`.
class ReleaseCharge {
 public:
  // Opens the ledger and finds the data set, before anything takes long:
  // throws when there is none, when the ledger does not know the private
  // column, or when one of the inputs is a private column of the ledger's.
  ReleaseCharge(const std::string& location, const ReleaseArguments& arguments,
                const RegressionOptions& options, const Table& table);

  // What a dry run says.
  LedgerSummary Price(const Plan& plan) const;

  // Charges the release. Must come before anything is drawn.
  LedgerSummary Charge(const Plan& plan);

 private:
  std::string Describe(const Plan& plan) const;
  LedgerSummary Summarise(const Spending& spending) const;

  Ledger ledger_;
  const ReleaseArguments& arguments_;
  const RegressionOptions& options_;
  // Empty in a dry run.
  std::vector<Fingerprint> columns_;
  // As it was when the ledger was opened.
  DatasetAccount account_;
};

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_CHARGE_H_
