#ifndef CLOAK_LEDGER_ACCOUNT_H_
#define CLOAK_LEDGER_ACCOUNT_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cloak/ledger/chain.h"
#include "cloak/privacy/budget.h"
#include "cloak/privacy/event.h"

namespace cloak {

// One table whose private columns the ledger knows. All of them are public
// facts: a ledger shows them to custodians.
struct DatasetVersion {
  std::string time;
  std::string description;
};

// One release.
struct DatasetCharge {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  int64_t sequence = 0;
  std::string time;
  PrivacyEvent event;
  std::string description;
  std::string after;
};

// A data set: a name, a total that all releases of all its versions share, and
// what was spent of it. Neighbours are part of it: what is spent on outputs
// and what is spent on rows cannot be added up.
struct NewDataset {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  std::string name;
  Neighbours neighbours = Neighbours::kOutput;
  Budget total;
  // The part of the total's delta that is kept for releases which are not
  // Gaussian (privacy_filter.h); fixed in advance.
  double reserved_delta = 0;
};
struct DatasetAccount : NewDataset {
  // The names of all columns that are private in some version.
  std::set<std::string> private_columns;
  std::vector<DatasetVersion> versions;
  std::vector<DatasetCharge> charges;
};

// The state of a ledger that its entries lead to.
struct LedgerState {
  std::vector<DatasetAccount> datasets;
  // From the fingerprint of a column to its data set. It never leaves the
  // ledger.
  std::map<std::string, std::string> dataset_of_fingerprint;
};

// Throws PrivacyFailure when an entry cannot be understood. A ledger that is
// only half understood must not allow anything.
LedgerState Replay(const std::vector<LedgerEntry>& entries);

struct PrivateColumn {
  std::string name;  // may be empty
  std::string fingerprint;
};

// Entries as Replay reads them, without time, number and tag. The columns are
// the private ones of one table.
LedgerEntry DatasetEntry(const NewDataset& dataset);
LedgerEntry VersionEntry(const std::string& dataset,
                         const std::vector<PrivateColumn>& columns,
                         const std::string& description);
LedgerEntry ChargeEntry(const DatasetAccount& account,
                        const PrivacyEvent& event,
                        const std::string& description,
                        const std::string& after);

}  // namespace cloak

#endif  // CLOAK_LEDGER_ACCOUNT_H_
