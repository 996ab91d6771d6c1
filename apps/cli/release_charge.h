#ifndef CLOAK_APPS_CLI_RELEASE_CHARGE_H_
#define CLOAK_APPS_CLI_RELEASE_CHARGE_H_

#include <exception>
#include <new>
#include <optional>
#include <string>

#include "apps/cli/arguments.h"
#include "apps/cli/release_summary.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/table.h"
#include "cloak/ledger/ledger.h"
#include "cloak/models/regression.h"

namespace cloak {

// What one `cloak release` or `cloak select` costs, and whom it protects.
struct Cost {
  Neighbours neighbours = Neighbours::kOutput;
  PrivacyEvent event;
  // One line for the ledger; public.
  std::string description;
};

// The ledger's part in it.
class ReleaseCharge {
 public:
  // Opens the ledger and finds the data set, before anything takes long:
  // throws when there is none, when the ledger does not know the private
  // column, or when something that is used as public is a private column of the
  // ledger's.
  ReleaseCharge(const std::string& location, const ReleaseArguments& arguments,
                const RegressionOptions& options, const Table& table);

  // Of a release.
  Cost CostOf(const Plan& plan) const;

  // What a dry run says.
  LedgerSummary Price(const Cost& cost) const;

  // Must come before anything is drawn.
  LedgerSummary Charge(const Cost& cost);

 private:
  template <typename Column>
  void RequirePublic(const std::string& name, const Secret<Column>& column) {
    ledger_.RequirePublic(account_.name, ledger_.FingerprintOf(name, column));
  }
  LedgerSummary Summarise(const Spending& spending) const;

  Ledger ledger_;
  const ReleaseArguments& arguments_;
  const RegressionOptions& options_;
  // Empty in a dry run.
  std::vector<Fingerprint> columns_;
  // As it was when the ledger was opened.
  DatasetAccount account_;
};

// Runs f after the ledger, if there is one, was charged. When f fails then, in
// whatever way, throws SpentInVain: the charge stays.
template <typename F>
auto AfterCharge(const std::optional<LedgerSummary>& charged, F f) {
  if (!charged.has_value()) return f();
  const auto in_vain = [&charged](const std::string& reason) {
    return SpentInVain(
        Text(reason, "\nThe ledger had charged it before (entry ",
             charged->entry.value_or(0), "), and that stays spent."));
  };
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw in_vain("not enough memory");
  } catch (const std::exception& error) {
    throw in_vain(error.what());
  }
}

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_CHARGE_H_
