#include "cloak/ledger/ledger.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/nearest_name.h"
#include "cloak/base/text.h"
#include "cloak/data/utf8.h"
#include "cloak/ledger/store.h"
#include "cloak/privacy/randomness.h"

namespace cloak {
namespace {

constexpr size_t kMaxNameBytes = 100;
constexpr size_t kMaxDescriptionBytes = 100'000;

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::string text(sizeof("2026-07-01T12:00:00Z"), '\0');
  text.resize(
      std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc));
  return text;
}

// Both databases must take it, and give it back as it was.
void RequireText(const std::string& text, const std::string& what,
                 size_t max_bytes) {
  const bool printable =
      std::none_of(text.begin(), text.end(),
                   [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  RequireInput(text.size() <= max_bytes && printable &&
                   FirstInvalidUtf8(text) == text.size(),
               what, " must be at most ", max_bytes,
               " bytes of UTF-8 without control characters");
}

LedgerEntry Dated(LedgerEntry entry) {
  entry.time = Now();
  return entry;
}

const DatasetAccount* FindDataset(const LedgerState& state,
                                  const std::string& name) {
  for (const DatasetAccount& account : state.datasets) {
    if (account.name == name) return &account;
  }
  return nullptr;
}

const DatasetAccount& Named(const LedgerState& state, const std::string& name,
                            const std::string& ledger) {
  const DatasetAccount* account = FindDataset(state, name);
  if (account != nullptr) return *account;
  std::vector<std::string> names;
  for (const DatasetAccount& known : state.datasets) {
    names.push_back(known.name);
  }
  const std::string nearest = NearestName(name, names);
  throw InvalidInput(
      Text("the ledger '", ledger, "' has no data set '", name, "'",
           nearest.empty() ? "" : Text("; did you mean '", nearest, "'?")));
}

const DatasetAccount& WithColumns(const LedgerState& state,
                                  const std::vector<std::string>& columns,
                                  const std::string& ledger) {
  RequireInput(!columns.empty(), "a charge must name a private column");
  std::string name;
  for (const std::string& column : columns) {
    const auto found = state.dataset_of_fingerprint.find(column);
    if (found == state.dataset_of_fingerprint.end()) {
      throw PrivacyFailure(
          Text("the ledger '", ledger,
               "' does not know these private values, so they have no budget\n"
               "Give a table that was never released a budget\n"
               "Add a table of which rows were added, corrected or removed to "
               "its data set"));
    }
    RequirePrivacy(name.empty() || name == found->second,
                   "the private columns belong to two data sets, '", name,
                   "' and '", found->second, "'");
    name = found->second;
  }
  return Named(state, name, ledger);
}

// The same values must not have two budgets.
void RequireNoOther(const LedgerState& state, const std::string& dataset,
                    const std::vector<std::string>& columns) {
  for (const std::string& column : columns) {
    const auto found = state.dataset_of_fingerprint.find(column);
    RequireInput(
        found == state.dataset_of_fingerprint.end() || found->second == dataset,
        found == state.dataset_of_fingerprint.end()
            ? ""
            : Text("the private values are those of the data set '",
                   found->second, "' already, whose budget they share"));
  }
}

}  // namespace

Ledger::Ledger(std::unique_ptr<SqlConnection> connection, const LedgerKey& key)
    : connection_(std::move(connection)), key_(key) {}

Ledger Ledger::Open(const std::string& location) {
  std::unique_ptr<SqlConnection> connection =
      ConnectSql(location, IfAbsent::kRefuse);
  SqlTransaction transaction(*connection, SqlTransaction::kReading);
  RequireInput(HasLedger(*connection), "there is no ledger in '",
               connection->name(), "'; initialise one first");
  const LedgerKey key = ReadKey(*connection);
  transaction.Commit();
  return {std::move(connection), key};
}

Ledger Ledger::OpenOrCreate(const std::string& location) {
  Randomness random = Randomness::FromSystem();
  std::unique_ptr<SqlConnection> connection =
      ConnectSql(location, IfAbsent::kCreate);
  SqlTransaction transaction(*connection, SqlTransaction::kWriting);
  if (!HasLedger(*connection)) {
    CreateLedger(*connection, LedgerKey::Generate(random));
  }
  const LedgerKey key = ReadKey(*connection);
  transaction.Commit();
  return {std::move(connection), key};
}

std::vector<std::string> Ledger::HexOf(
    const std::vector<Fingerprint>& columns) {
  std::vector<std::string> hex;
  hex.reserve(columns.size());
  for (const Fingerprint& column : columns) hex.push_back(column.hex_);
  return hex;
}

LedgerEntry Ledger::VersionOf(const std::string& dataset,
                              const std::vector<Fingerprint>& columns,
                              const std::string& description) {
  std::vector<PrivateColumn> known;
  known.reserve(columns.size());
  for (const Fingerprint& column : columns) {
    RequireText(column.name_, "the name of a private column",
                kMaxDescriptionBytes);
    known.push_back({column.name_, column.hex_});
  }
  return VersionEntry(dataset, known, description);
}

std::vector<LedgerEntry> Ledger::Read() {
  SqlTransaction transaction(*connection_, SqlTransaction::kReading);
  std::vector<LedgerEntry> entries = ReadEntries(*connection_, key_);
  transaction.Commit();
  return entries;
}

void Ledger::AddDataset(const NewDataset& dataset,
                        const std::vector<Fingerprint>& columns,
                        const std::string& description) {
  RequireInput(!dataset.name.empty(), "the name of the data set is empty");
  RequireText(dataset.name, "the name of the data set", kMaxNameBytes);
  RequireText(description, "the description of the table",
              kMaxDescriptionBytes);
  RequireInput(!columns.empty(), "a data set must have a private column");
  SqlTransaction transaction(*connection_, SqlTransaction::kWriting);
  std::vector<LedgerEntry> entries = ReadEntries(*connection_, key_);
  const LedgerState state = Replay(entries);
  RequireInput(FindDataset(state, dataset.name) == nullptr, "the ledger '",
               name(), "' has a data set '", dataset.name,
               "' already; a budget cannot be given twice, nor raised\n"
               "Add another version of its table to it instead");
  RequireNoOther(state, dataset.name, HexOf(columns));
  AppendEntry(*connection_, key_, Dated(DatasetEntry(dataset)), entries);
  AppendEntry(*connection_, key_,
              Dated(VersionOf(dataset.name, columns, description)), entries);
  // Nothing is committed that cannot be read back, or whose total no filter
  // takes.
  SpendingOf(Named(Replay(entries), dataset.name, name()));
  transaction.Commit();
}

void Ledger::AddVersion(const std::string& dataset,
                        const std::vector<Fingerprint>& columns,
                        const std::string& description) {
  RequireText(description, "the description of the table",
              kMaxDescriptionBytes);
  RequireInput(!columns.empty(), "a data set must have a private column");
  SqlTransaction transaction(*connection_, SqlTransaction::kWriting);
  std::vector<LedgerEntry> entries = ReadEntries(*connection_, key_);
  const LedgerState state = Replay(entries);
  Named(state, dataset, name());
  RequireNoOther(state, dataset, HexOf(columns));
  AppendEntry(*connection_, key_,
              Dated(VersionOf(dataset, columns, description)), entries);
  transaction.Commit();
}

std::vector<DatasetAccount> Ledger::Datasets() {
  return Replay(Read()).datasets;
}

DatasetAccount Ledger::Dataset(const std::string& dataset) {
  return Named(Replay(Read()), dataset, name());
}

DatasetAccount Ledger::DatasetWith(const std::vector<Fingerprint>& columns) {
  return WithColumns(Replay(Read()), HexOf(columns), name());
}

void Ledger::RequirePublic(const std::string& dataset,
                           const Fingerprint& column) {
  const LedgerState state = Replay(Read());
  const auto refuse = [&](const std::string& owner) {
    throw PrivacyFailure(Text("the column '", column.name_,
                              "' is private in the data set '", owner,
                              "' of the ledger '", name(),
                              "', in all versions of its table, so that it "
                              "cannot be used as a public one"));
  };
  const auto found = state.dataset_of_fingerprint.find(column.hex_);
  if (found != state.dataset_of_fingerprint.end()) refuse(found->second);
  if (Named(state, dataset, name()).private_columns.contains(column.name_)) {
    refuse(dataset);
  }
}

ChargeReceipt Ledger::Charge(const ChargeRequest& request) {
  RequireText(request.description, "the description of the release",
              kMaxDescriptionBytes);
  SqlTransaction transaction(*connection_, SqlTransaction::kWriting);
  std::vector<LedgerEntry> entries = ReadEntries(*connection_, key_);
  const LedgerState state = Replay(entries);
  const DatasetAccount& account =
      WithColumns(state, HexOf(request.columns), name());
  const Price price = PriceOf(account, request.neighbours, request.event);
  if (!price.fits) throw PrivacyFailure(RefusalText(account, request.event));
  const std::string after =
      Text(EpsilonText(price.after.spent), " of ", TotalText(account));
  AppendEntry(
      *connection_, key_,
      Dated(ChargeEntry(account, request.event, request.description, after)),
      entries);
  transaction.Commit();
  return {entries.back().sequence, entries.back().tag, price.after};
}

Ledger::Head Ledger::Verify(const std::optional<std::string>& noted) {
  const std::vector<LedgerEntry> entries = Read();
  Replay(entries);
  if (noted.has_value()) RequireHead(entries, *noted);
  return {entries.size(), entries.empty() ? "" : entries.back().tag};
}

}  // namespace cloak
