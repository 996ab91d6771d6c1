#ifndef CLOAK_CUSTODIAN_LEDGER_CHARGE_H_
#define CLOAK_CUSTODIAN_LEDGER_CHARGE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cloak/custodian/request.h"
#include "cloak/data/table.h"
#include "cloak/ledger/ledger.h"
#include "cloak/models/plan.h"
#include "cloak/privacy/event.h"

namespace cloak {

// What one release, or one choice of hyperparameters, costs, and whom it
// protects.
struct Cost {
  Neighbours neighbours = Neighbours::kOutput;
  PrivacyEvent event;
  // One line for the ledger; public.
  std::string description;
};

// Returns the cost of a release that is to be written to `file`.
Cost CostOf(const Plan& plan, const Request& request, const std::string& file);

// What the ledger says of a cost, charged or only priced.
struct Bill {
  std::string ledger;
  std::string dataset;
  // In words.
  std::string total;
  // Epsilon at the total's delta: spent with this cost, and left after it.
  double spent = 0;
  double left = 0;
  // Absent while it is not charged.
  std::optional<int64_t> entry;
  // Why it would not be allowed; empty when it would.
  std::string refusal;
};

// Which ledger keeps count: a path or a postgresql:// URL, and the data set in
// it, which is recognised by its private columns when it is not named.
struct LedgerName {
  std::string location;
  std::optional<std::string> dataset = {};
};

// A ledger, open for one release or choice.
class LedgerCharge {
 public:
  // Opens the ledger and finds the data set, before anything takes long. The
  // table is read for a ledger (PrivateReading), or closed: then the data set
  // must be named, or be the only one.
  //
  // Throws InvalidInput when there is no such ledger or data set, and
  // PrivacyFailure when the ledger does not know a private column, or when
  // something that is used as public is a private column of the ledger's.
  LedgerCharge(const LedgerName& name, const Request& request,
               const Table& table, bool closed);

  Bill Price(const Cost& cost) const;
  // Must come before anything is drawn.
  Bill Charge(const Cost& cost);

 private:
  Bill BillOf(const Spending& spending) const;
  void RequirePublicColumns(const Request& request, const Table& table);
  template <typename Column>
  void RequirePublic(const std::string& name, const Column& column) {
    ledger_.RequirePublic(account_.name,
                          ledger_.FingerprintOf(name, Secret<Column>(column)));
  }

  Ledger ledger_;
  // Empty where the table is closed.
  std::vector<Fingerprint> columns_;
  // As it was when the ledger was opened.
  DatasetAccount account_;
};

// Charges the ledger, if there is one, and calls `spend` with what it says: the
// order that privacy hangs on. When `spend` fails, in whatever way, throws
// SpentInVain: the charge stays. `cost` is called where there is a ledger
// alone: not everything that can be made can be priced.
void ChargeThen(std::optional<LedgerCharge>& ledger,
                const std::function<Cost()>& cost,
                const std::function<void(const std::optional<Bill>&)>& spend);

}  // namespace cloak

#endif  // CLOAK_CUSTODIAN_LEDGER_CHARGE_H_
