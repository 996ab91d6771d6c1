#include "cloak/ledger/account.h"

#include <algorithm>
#include <string_view>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr char kDataset[] = "dataset";
constexpr char kVersion[] = "version";
constexpr char kCharge[] = "charge";

// "epsilon=1 delta=1e-05 reserved_delta=0".
constexpr std::string_view kEpsilon = "epsilon=";
constexpr std::string_view kDelta = "delta=";
constexpr std::string_view kReserved = "reserved_delta=";

double Field(const std::string& text, std::string_view name) {
  RequireInput(text.starts_with(name), "'", text, "' is not ", name);
  return ParseNumber(text.substr(name.size()), name);
}

// The name of a column as one word, which may stand after a colon: what is no
// letter or digit becomes % and two hexadecimal digits.
constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string AsWord(const std::string& name) {
  std::string word;
  for (const unsigned char c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                       (c >= 'a' && c <= 'z') || c == '_';
    if (plain) {
      word += static_cast<char>(c);
    } else {
      word += {'%', kHexDigits[c / 16], kHexDigits[c % 16]};
    }
  }
  return word;
}

std::string FromWord(std::string_view word) {
  const auto digit = [&word](size_t i) {
    const size_t value =
        i < word.size() ? kHexDigits.find(word[i]) : std::string_view::npos;
    RequireInput(value != std::string_view::npos, "'", word,
                 "' is not the name of a column");
    return value;
  };
  std::string name;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '%') {
      name += static_cast<char>(16 * digit(i + 1) + digit(i + 2));
      i += 2;
    } else {
      name += word[i];
    }
  }
  return name;
}

DatasetAccount ParseDataset(const LedgerEntry& entry) {
  const std::vector<std::string> parts = Split(entry.amount, ' ');
  RequireInput(parts.size() == 3, "'", entry.amount, "' is not a budget");
  return {{entry.dataset, ParseNeighbours(entry.neighbours),
           Budget(Field(parts[0], kEpsilon), Field(parts[1], kDelta)),
           Field(parts[2], kReserved)},
          {},
          {},
          {}};
}

DatasetAccount& FindForCharge(LedgerState& state, const std::string& name) {
  const auto found = std::find_if(
      state.datasets.begin(), state.datasets.end(),
      [&](const DatasetAccount& account) { return account.name == name; });
  RequireInput(found != state.datasets.end(), "there is no data set '", name,
               "'");
  return *found;
}

void Apply(const LedgerEntry& entry, LedgerState& state) {
  if (entry.kind == kDataset) {
    state.datasets.push_back(ParseDataset(entry));
    return;
  }
  DatasetAccount& account = FindForCharge(state, entry.dataset);
  if (entry.kind == kVersion) {
    for (const std::string& column : Split(entry.amount, ' ')) {
      const size_t colon = column.find(':');
      state.dataset_of_fingerprint[column.substr(0, colon)] = entry.dataset;
      if (colon != std::string::npos) {
        account.private_columns.insert(
            FromWord(std::string_view(column).substr(colon + 1)));
      }
    }
    account.versions.push_back({entry.time, entry.description});
    return;
  }
  RequireInput(entry.kind == kCharge, "'", entry.kind,
               "' is not a kind of entry");
  RequireInput(ParseNeighbours(entry.neighbours) == account.neighbours,
               "its neighbours are not those of its data set");
  account.charges.push_back({entry.sequence, entry.time,
                             ParseEvent(entry.amount), entry.description,
                             entry.after});
}

}  // namespace

LedgerState Replay(const std::vector<LedgerEntry>& entries) {
  LedgerState state;
  for (const LedgerEntry& entry : entries) {
    try {
      Apply(entry, state);
    } catch (const InvalidInput& error) {
      throw PrivacyFailure(Text("entry ", entry.sequence,
                                " of the ledger cannot be understood: ",
                                error.what(), "; is this program too old?"));
    }
  }
  return state;
}

LedgerEntry DatasetEntry(const NewDataset& dataset) {
  LedgerEntry entry;
  entry.kind = kDataset;
  entry.dataset = dataset.name;
  entry.neighbours = ToString(dataset.neighbours);
  entry.amount =
      Text(kEpsilon, dataset.total.epsilon(), " ", kDelta,
           dataset.total.delta(), " ", kReserved, dataset.reserved_delta);
  return entry;
}

LedgerEntry VersionEntry(const std::string& dataset,
                         const std::vector<PrivateColumn>& columns,
                         const std::string& description) {
  LedgerEntry entry;
  entry.kind = kVersion;
  entry.dataset = dataset;
  // "fingerprint:name", or without a name the fingerprint alone.
  std::vector<std::string> words;
  words.reserve(columns.size());
  for (const PrivateColumn& column : columns) {
    words.push_back(column.name.empty()
                        ? column.fingerprint
                        : Text(column.fingerprint, ":", AsWord(column.name)));
  }
  entry.amount = Join(words, " ");
  entry.description = description;
  return entry;
}

LedgerEntry ChargeEntry(const DatasetAccount& account,
                        const PrivacyEvent& event,
                        const std::string& description,
                        const std::string& after) {
  LedgerEntry entry;
  entry.kind = kCharge;
  entry.dataset = account.name;
  entry.neighbours = ToString(account.neighbours);
  entry.amount = ToString(event);
  entry.description = description;
  entry.after = after;
  return entry;
}

}  // namespace cloak
