// The second program to read: a release that a ledger counts, from C++, in the
// order that privacy hangs on. What `cloak release --ledger` does.
//
//   custodian SURVEY.csv LEDGER FILE.cloak
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "cloak/base/error.h"
#include "cloak/custodian/pending_release.h"
#include "cloak/custodian/request.h"
#include "cloak/data/csv.h"
#include "cloak/ledger/ledger.h"

namespace {

// Enters the table in a ledger, with a total that all its releases share. This
// is done once, and the total is never raised.
void Begin(const std::string& ledger_file, const cloak::Table& table) {
  cloak::Ledger ledger = cloak::Ledger::OpenOrCreate(ledger_file);
  ledger.AddDataset(
      {.name = "survey", .total = cloak::Budget(2, 1e-3)},
      {ledger.FingerprintOf("height", table.PrivateText("height"))},
      "simulated survey, private: height");
}

void ReleaseHeights(const std::string& survey, const std::string& ledger_file,
                    const std::string& release_file) {
  // Which columns take which part, what is private, and what is asked for.
  const cloak::Request request{
      .inputs = {"age"},
      .output = cloak::NumberOutput{"height", cloak::OutputBounds(60, 200)},
      .task = cloak::Regression{.budget = cloak::Budget(1, 1e-3)}};
  // Private columns are read into Secrets, which only a mechanism opens.
  const cloak::Table table =
      cloak::ReadCsv(survey, cloak::ColumnsOf(request, {.for_ledger = true}));
  if (!std::filesystem::exists(ledger_file)) Begin(ledger_file, table);

  // Decided, and not made: all of this is free. Whether the file can be written
  // is known before anything is spent.
  cloak::PendingRelease pending(request, table,
                                cloak::PlanRelease(request, table));
  pending.ChargeTo(cloak::LedgerName{ledger_file});
  const auto destination = cloak::Destination::File(release_file);
  const std::optional<cloak::Bill> price = pending.Price(release_file);
  std::cout << "Expected error of the curve: "
            << pending.plan().summary().expected_sd << " cm\n";
  if (price->refusal.empty()) {
    std::cout << "Would leave epsilon " << price->left << " of " << price->total
              << "\n";
  }

  // Charges the ledger, draws the noise, writes the file. A charge stays,
  // whatever happens after it.
  pending.Make(cloak::Randomness::FromSystem, destination);
  std::cout << "Charged as entry " << *pending.bill()->entry << ", written to "
            << release_file << "\n";
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) {
    throw cloak::InvalidInput("usage: custodian SURVEY.csv LEDGER FILE.cloak");
  }
  ReleaseHeights(argv[1], argv[2], argv[3]);
} catch (const cloak::Error& error) {
  std::cerr << "custodian: " << error.what() << "\n";
  return 2;
}
