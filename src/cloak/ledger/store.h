#ifndef CLOAK_LEDGER_STORE_H_
#define CLOAK_LEDGER_STORE_H_

#include <vector>

#include "cloak/ledger/chain.h"
#include "cloak/ledger/ledger_key.h"
#include "cloak/ledger/sql_connection.h"

namespace cloak {

// The tables of a ledger. All functions are called within a transaction.

bool HasLedger(SqlConnection& connection);

// Makes the tables, with this key and no entries.
void CreateLedger(SqlConnection& connection, const LedgerKey& key);

// Throws InvalidInput when the tables are of a version that this program does
// not know.
LedgerKey ReadKey(SqlConnection& connection);

// All entries, after the chain was verified: throws PrivacyFailure when
// somebody tampered with it.
std::vector<LedgerEntry> ReadEntries(SqlConnection& connection,
                                     const LedgerKey& key);

// Gives `entry` its number and its tag, and adds it to the table and to
// `entries`, which are what ReadEntries gave in this transaction.
void AppendEntry(SqlConnection& connection, const LedgerKey& key,
                 LedgerEntry entry, std::vector<LedgerEntry>& entries);

}  // namespace cloak

#endif  // CLOAK_LEDGER_STORE_H_
