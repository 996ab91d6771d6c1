#include "cloak/ledger/chain.h"

#include <algorithm>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr auto kChain = LedgerKey::Purpose::kChain;

std::string LastTag(const std::vector<LedgerEntry>& entries) {
  return entries.empty() ? "" : entries.back().tag;
}

}  // namespace

std::string TagOf(const LedgerKey& key, const std::string& previous_tag,
                  const LedgerEntry& entry) {
  return key.Hash(kChain,
                  {"entry", previous_tag, Text(entry.sequence), entry.time,
                   entry.kind, entry.dataset, entry.neighbours, entry.amount,
                   entry.description, entry.after});
}

std::string SealOf(const LedgerKey& key,
                   const std::vector<LedgerEntry>& entries) {
  return key.Hash(kChain, {"seal", Text(entries.size()), LastTag(entries)});
}

void RequireChain(const LedgerKey& key, const std::vector<LedgerEntry>& entries,
                  const std::string& seal) {
  std::string previous_tag;
  int64_t expected = 1;
  for (const LedgerEntry& entry : entries) {
    RequirePrivacy(entry.sequence == expected,
                   "the ledger was tampered with: entry ", expected,
                   " is not there (the next is ", entry.sequence, ")");
    RequirePrivacy(
        entry.tag == TagOf(key, previous_tag, entry),
        "the ledger was tampered with: entry ", expected,
        " is not what was written (it was altered, or moved from another "
        "place)");
    previous_tag = entry.tag;
    ++expected;
  }
  RequirePrivacy(seal == SealOf(key, entries),
                 "the ledger was tampered with: it does not end with "
                 "entry ",
                 entries.size(), " (entries after it were removed)");
}

void RequireHead(const std::vector<LedgerEntry>& entries,
                 const std::string& head) {
  const bool there =
      std::any_of(entries.begin(), entries.end(),
                  [&](const LedgerEntry& entry) { return entry.tag == head; });
  RequirePrivacy(
      there, "the ledger was tampered with, or is another one: none of its ",
      entries.size(), " entries has the head ", head,
      " (entries were removed, or an old copy was put back)");
}

}  // namespace cloak
