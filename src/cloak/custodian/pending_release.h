#ifndef CLOAK_CUSTODIAN_PENDING_RELEASE_H_
#define CLOAK_CUSTODIAN_PENDING_RELEASE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cloak/base/progress.h"
#include "cloak/custodian/ledger_charge.h"
#include "cloak/custodian/request.h"
#include "cloak/data/table.h"
#include "cloak/models/plan.h"
#include "cloak/privacy/randomness.h"
#include "cloak/release/release.h"

namespace cloak {

// Decides the release of a table that is asked for (make_plan.h), from what is
// public of it. Throws InvalidInput when that cannot be done: it can be mended
// by asking for something else, and nothing was spent.
std::unique_ptr<Plan> PlanRelease(const Request& request, const Table& table,
                                  const Progress& progress = NoProgress);

// Calls `plan`, which decides something from what is public. Throws
// InvalidInput where it fails for numbers that are out of proportion.
void PlanSafely(const std::function<void()>& plan);

// Where a release goes.
struct Destination {
  // What the ledger calls it: the name of a file.
  std::string name;
  // Writes the bytes of a release file, whole or not at all.
  std::function<void(const std::string& bytes)> write;

  // Returns a file that is yet to be written. Throws InvalidInput unless that
  // is possible (new_file.h), so that it is known before anything is spent.
  static Destination File(const std::string& path, bool overwrite = false);
};

// A release that is decided and not made: free to look at, to price, and to
// throw away.
//
//   const Table table = ReadCsv("heights.csv", ColumnsOf(request, {}));
//   PendingRelease pending(request, table, PlanRelease(request, table));
//   pending.ChargeTo({"spent.ledger"});
//   const Release release =
//       pending.Make(Randomness::FromSystem, Destination::File("h.cloak"));
class PendingRelease {
 public:
  // `table` must outlive it, and has its private columns unless it is only to
  // be planned and priced.
  PendingRelease(Request request, const Table& table,
                 std::unique_ptr<Plan> plan);

  const Plan& plan() const { return *plan_; }

  // Lets a ledger keep count, which may have been opened before the release was
  // planned.
  void ChargeTo(LedgerCharge ledger) { ledger_.emplace(std::move(ledger)); }
  void ChargeTo(const LedgerName& ledger) {
    ChargeTo(LedgerCharge(ledger, request_, table_, /*closed=*/false));
  }

  // Returns what the ledger would say; nothing where none keeps count.
  std::optional<Bill> Price(const std::string& destination) const;

  // Charges the ledger, draws the noise and makes the release, and writes it,
  // in this order. Each call spends again. Throws what Ledger::Charge does, and
  // then has spent nothing; SpentInVain for whatever fails after the charge.
  Release Make(const RandomnessSource& randomness,
               const Destination& destination);

  // Returns what the ledger said to the last Make.
  const std::optional<Bill>& bill() const { return bill_; }

 private:
  Request request_;
  const Table& table_;
  std::unique_ptr<Plan> plan_;
  std::optional<LedgerCharge> ledger_;
  std::optional<Bill> bill_;
};

}  // namespace cloak

#endif  // CLOAK_CUSTODIAN_PENDING_RELEASE_H_
