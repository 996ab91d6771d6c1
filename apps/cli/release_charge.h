#ifndef CLOAK_APPS_CLI_RELEASE_CHARGE_H_
#define CLOAK_APPS_CLI_RELEASE_CHARGE_H_

#include <exception>
#include <new>
#include <optional>
#include <string>

#include "apps/cli/arguments.h"
#include "apps/cli/release_summary.h"
#include "cloak/base/error.h"
#include "cloak/data/table.h"
#include "cloak/ledger/ledger.h"
#include "cloak/models/regression.h"

namespace cloak {

// What `error` says when the ledger had been charged before.
std::string StaysCharged(const std::exception& error,
                         const std::optional<LedgerSummary>& charged);

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
  // column, or when one of the inputs is a private column of the ledger's.
  ReleaseCharge(const std::string& location, const ReleaseArguments& arguments,
                const RegressionOptions& options, const Table& table);

  // Of a release.
  Cost CostOf(const Plan& plan) const;

  // What a dry run says.
  LedgerSummary Price(const Cost& cost) const;

  // Must come before anything is drawn.
  LedgerSummary Charge(const Cost& cost);

 private:
  LedgerSummary Summarise(const Spending& spending) const;

  Ledger ledger_;
  const ReleaseArguments& arguments_;
  const RegressionOptions& options_;
  // Empty in a dry run.
  std::vector<Fingerprint> columns_;
  // As it was when the ledger was opened.
  DatasetAccount account_;
};

// Runs f, after `charged` was: when it fails, the charge stays, and the message
// says so.
template <typename F>
auto AfterCharge(const std::optional<LedgerSummary>& charged, F f) {
  try {
    return f();
  } catch (const InvalidInput& error) {
    throw InvalidInput(StaysCharged(error, charged));
  } catch (const PrivacyFailure& error) {
    throw PrivacyFailure(StaysCharged(error, charged));
  } catch (const std::bad_alloc&) {
    throw Error(StaysCharged(Error("not enough memory"), charged));
  } catch (const std::exception& error) {
    throw Error(StaysCharged(error, charged));
  }
}

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_RELEASE_CHARGE_H_
