#ifndef CLOAK_LEDGER_LEDGER_H_
#define CLOAK_LEDGER_LEDGER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloak/data/secret.h"
#include "cloak/ledger/account.h"
#include "cloak/ledger/fingerprint.h"
#include "cloak/ledger/fingerprinter.h"
#include "cloak/ledger/ledger_key.h"
#include "cloak/ledger/price.h"
#include "cloak/ledger/sql_connection.h"
#include "cloak/linalg/matrix.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/event.h"

namespace cloak {

// A charge to the data set that has these private columns.
struct ChargeRequest {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  std::vector<Fingerprint> columns;
  Neighbours neighbours = Neighbours::kOutput;
  PrivacyEvent event;
  // Names the release, in public words.
  std::string description;
};

// Says what was entered.
struct ChargeReceipt {
  int64_t sequence = 0;
  std::string head;
  Spending after;
};

// Keeps count of what is spent on each data set, and refuses what would
// overspend. It is a file (SQLite), or a PostgreSQL database that several
// custodians share; both behave alike.
//
//   Ledger ledger = Ledger::Open("spent.ledger");
//   const Fingerprint heights =
//       ledger.FingerprintOf("height", table.Private("height"));
//   ledger.Charge({{heights}, Neighbours::kOutput, plan.event(), "by age"});
//   Release release = plan.Execute(table.Private("height"), randomness);
//
// Charge comes first, always: when it returns, the charge is on the disk.
// Whatever happens afterwards can waste what was charged, but nothing is
// released that was not.
//
// Every function is one transaction. It verifies the whole chain (chain.h)
// before it believes any of it. Each throws InvalidInput when the database
// cannot be used, and PrivacyFailure when somebody tampered with it.
class Ledger {
 public:
  // `location` is a path or a postgresql:// URL.
  static Ledger Open(const std::string& location);
  // Makes the ledger when there is none.
  static Ledger OpenOrCreate(const std::string& location);

  // The location as it may be shown: without a password.
  const std::string& name() const { return connection_->name(); }

  // Returns the fingerprint of a column of numbers, or of cells as they are
  // written (fingerprinter.h).
  template <typename Column>
  Fingerprint FingerprintOf(const std::string& name,
                            const Secret<Column>& column) const {
    return Fingerprinter(key_).Of(name, column);
  }

  // A new data set with a total of its own. `description` says which table,
  // in public words. Throws InvalidInput when there is one of that name, or
  // when one of the columns belongs to another: the same values would have two
  // budgets.
  void AddDataset(const NewDataset& dataset,
                  const std::vector<Fingerprint>& columns,
                  const std::string& description);
  // Another version of its table: rows were added, corrected or removed. It
  // shares the total with those before.
  void AddVersion(const std::string& dataset,
                  const std::vector<Fingerprint>& columns,
                  const std::string& description);

  std::vector<DatasetAccount> Datasets();
  DatasetAccount Dataset(const std::string& dataset);
  // The data set that has all of these columns. A table that is not known is
  // refused, and never added in silence: a custodian who adds a row must not
  // get a fresh budget for it.
  DatasetAccount DatasetWith(const std::vector<Fingerprint>& columns);

  // Throws PrivacyFailure if this column, which is about to be used as a public
  // one beside private ones of `dataset`, has the name of a private column of
  // any version of that data set, or the values of one of any data set.
  void RequirePublic(const std::string& dataset, const Fingerprint& column);

  // Throws PrivacyFailure, with what is spent, asked and left, if the release
  // would overspend.
  ChargeReceipt Charge(const ChargeRequest& request);

  // How many entries there are, and the tag of the last one, which says
  // everything about all of them: whoever notes it elsewhere can tell later
  // that nothing was removed.
  struct Head {
    size_t entries = 0;
    std::string tag;
  };
  // Throws PrivacyFailure unless the chain is whole and, when `noted` is
  // given, has grown from what had that head.
  Head Verify(const std::optional<std::string>& noted);

 private:
  Ledger(std::unique_ptr<SqlConnection> connection, const LedgerKey& key);

  std::vector<LedgerEntry> Read();
  static std::vector<std::string> HexOf(
      const std::vector<Fingerprint>& columns);
  static LedgerEntry VersionOf(const std::string& dataset,
                               const std::vector<Fingerprint>& columns,
                               const std::string& description);

  std::unique_ptr<SqlConnection> connection_;
  LedgerKey key_;
};

}  // namespace cloak

#endif  // CLOAK_LEDGER_LEDGER_H_
