#include "cloak/ledger/store.h"

#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr char kFormat[] = "1";

constexpr char kCreateHead[] =
    "CREATE TABLE cloak_ledger ("
    "id INTEGER PRIMARY KEY CHECK (id = 1), format TEXT NOT NULL, "
    "key TEXT NOT NULL, seal TEXT NOT NULL)";

constexpr char kCreateEntries[] =
    "CREATE TABLE cloak_ledger_entry ("
    "sequence BIGINT PRIMARY KEY, time TEXT NOT NULL, kind TEXT NOT NULL, "
    "dataset TEXT NOT NULL, neighbours TEXT NOT NULL, amount TEXT NOT NULL, "
    "description TEXT NOT NULL, after TEXT NOT NULL, tag TEXT NOT NULL)";

constexpr char kSelectEntries[] =
    "SELECT sequence, time, kind, dataset, neighbours, amount, description, "
    "after, tag FROM cloak_ledger_entry ORDER BY sequence";

constexpr char kInsertEntry[] =
    "INSERT INTO cloak_ledger_entry (sequence, time, kind, dataset, "
    "neighbours, amount, description, after, tag) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

LedgerEntry EntryOf(const SqlConnection::Row& row) {
  LedgerEntry entry;
  // A number that does not fit an integer is not a sequence that we wrote.
  const double sequence = ParseNumber(row[0], "a sequence in the ledger");
  RequirePrivacy(sequence >= 1 && sequence < 0x1p53,
                 "the ledger was tampered with: it has an entry ", sequence);
  entry.sequence = static_cast<int64_t>(sequence);
  entry.time = row[1];
  entry.kind = row[2];
  entry.dataset = row[3];
  entry.neighbours = row[4];
  entry.amount = row[5];
  entry.description = row[6];
  entry.after = row[7];
  entry.tag = row[8];
  return entry;
}

// The one row of the head table.
SqlConnection::Row ReadHead(SqlConnection& connection) {
  const auto rows =
      connection.Run("SELECT format, key, seal FROM cloak_ledger");
  RequirePrivacy(rows.size() == 1,
                 "the ledger was tampered with: its head is not there");
  return rows[0];
}

}  // namespace

bool HasLedger(SqlConnection& connection) {
  return connection.HasTable("cloak_ledger");
}

void CreateLedger(SqlConnection& connection, const LedgerKey& key) {
  connection.Run(kCreateHead);
  connection.Run(kCreateEntries);
  connection.Run("INSERT INTO cloak_ledger VALUES (1, $1, $2, $3)",
                 {kFormat, key.Hex(), SealOf(key, {})});
}

LedgerKey ReadKey(SqlConnection& connection) {
  const SqlConnection::Row head = ReadHead(connection);
  RequireInput(head[0] == kFormat, "the ledger '", connection.name(),
               "' has format ", head[0], ", but this program knows format ",
               kFormat, " only; use a newer one");
  return LedgerKey::FromHex(head[1]);
}

std::vector<LedgerEntry> ReadEntries(SqlConnection& connection,
                                     const LedgerKey& key) {
  const SqlConnection::Row head = ReadHead(connection);
  RequirePrivacy(head[1] == key.Hex(),
                 "the ledger was tampered with: it has another key");
  std::vector<LedgerEntry> entries;
  for (const SqlConnection::Row& row : connection.Run(kSelectEntries)) {
    entries.push_back(EntryOf(row));
  }
  RequireChain(key, entries, head[2]);
  return entries;
}

void AppendEntry(SqlConnection& connection, const LedgerKey& key,
                 LedgerEntry entry, std::vector<LedgerEntry>& entries) {
  entry.sequence = static_cast<int64_t>(entries.size()) + 1;
  entry.tag = TagOf(key, entries.empty() ? "" : entries.back().tag, entry);
  connection.Run(kInsertEntry, {Text(entry.sequence), entry.time, entry.kind,
                                entry.dataset, entry.neighbours, entry.amount,
                                entry.description, entry.after, entry.tag});
  entries.push_back(std::move(entry));
  connection.Run("UPDATE cloak_ledger SET seal = $1", {SealOf(key, entries)});
}

}  // namespace cloak
