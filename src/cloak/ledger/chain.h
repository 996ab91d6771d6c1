#ifndef CLOAK_LEDGER_CHAIN_H_
#define CLOAK_LEDGER_CHAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cloak/ledger/ledger_key.h"

namespace cloak {

// One line of a ledger. Everything a ledger knows is in such lines, budgets
// too, so that everything is in the chain. They are only ever added to.
struct LedgerEntry {
  // 1, 2, 3, …
  int64_t sequence = 0;
  // In UTC, such as 2026-07-01T12:00:00Z.
  std::string time;
  // "dataset", "version" or "charge" (account.h).
  std::string kind;
  std::string dataset;
  std::string neighbours;
  // By kind: a total budget, fingerprints, or an event.
  std::string amount;
  std::string description;
  // Says in words what the charge left; nothing is computed from it.
  std::string after;
  // The keyed hash of all the above and of the tag before it.
  std::string tag;
};

// The chain: whoever does not have the key cannot alter, remove, insert or
// exchange entries without breaking it. The seal, a keyed hash of how many
// there are and of the last tag, gives away that the last ones were cut off.
//
// Somebody who has the key can write another chain, and somebody who has an
// old copy of the whole ledger can put it back; either is seen when the last
// tag, the head, was noted elsewhere (RequireHead).

std::string TagOf(const LedgerKey& key, const std::string& previous_tag,
                  const LedgerEntry& entry);
std::string SealOf(const LedgerKey& key,
                   const std::vector<LedgerEntry>& entries);

// Throws PrivacyFailure, with the first entry that does not fit, unless the
// entries are a chain with this key and seal.
void RequireChain(const LedgerKey& key, const std::vector<LedgerEntry>& entries,
                  const std::string& seal);

// Throws PrivacyFailure unless one of the entries has this tag: what was noted
// as the head is still there, and with it everything before.
void RequireHead(const std::vector<LedgerEntry>& entries,
                 const std::string& head);

}  // namespace cloak

#endif  // CLOAK_LEDGER_CHAIN_H_
