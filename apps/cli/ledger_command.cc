#include <optional>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/ledger_text.h"
#include "apps/cli/option_values.h"
#include "apps/cli/printable.h"
#include "apps/cli/quoted_names.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/ledger/ledger.h"

namespace cloak {
namespace {

constexpr char kWhichLedger[] =
    "which ledger? the path of its file, or a postgresql:// URL";

// A table that a ledger is told of.
struct PrivateTable {
  Table table;
  std::vector<std::string> columns;
};

PrivateTable ReadPrivate(const LedgerTableArguments& arguments,
                         const Streams& streams) {
  RequireInput(!arguments.ledger.empty(), kWhichLedger);
  RequireInput(!arguments.data.empty(),
               "which table? cloak ledger LEDGER DATA.csv …");
  CsvOptions csv;
  csv.secret_text = SplitNames(
      Required(arguments.private_columns,
               "--private is missing: the private columns of the table, "
               "separated by commas, such as --private height"),
      ',');
  return {ReadTable(arguments.data, csv, streams), csv.secret_text};
}

const std::string& DatasetName(const LedgerTableArguments& arguments) {
  return Required(arguments.dataset,
                  "--dataset is missing: the name of the data set in the "
                  "ledger");
}

std::vector<Fingerprint> Fingerprints(const Ledger& ledger,
                                      const PrivateTable& data) {
  std::vector<Fingerprint> fingerprints;
  for (const std::string& column : data.columns) {
    fingerprints.push_back(
        ledger.FingerprintOf(column, data.table.PrivateText(column)));
  }
  return fingerprints;
}

std::string DescribeTable(const PrivateTable& data) {
  return Text(data.table.rows(), " rows, private: ", Join(data.columns, ", "));
}

Neighbours NeighboursOf(const std::string& protect) {
  for (const Neighbours neighbours :
       {Neighbours::kOutput, Neighbours::kUnit, Neighbours::kRow}) {
    if (protect == ToString(neighbours) + "s") return neighbours;
  }
  throw InvalidInput(Text("there is no --protect ", protect));
}

void Show(Ledger& ledger, const std::optional<std::string>& dataset, bool json,
          const Streams& streams) {
  LedgerView view;
  view.name = ledger.name();
  view.head = ledger.Verify(std::nullopt);
  if (dataset.has_value()) {
    view.datasets = {ledger.Dataset(*dataset)};
  } else {
    view.datasets = ledger.Datasets();
  }
  streams.out << (json ? LedgerJson(view) : Printable(LedgerText(view)));
}

}  // namespace

void RunLedgerInit(const LedgerInitArguments& arguments,
                   const Streams& streams) {
  const std::string& name = DatasetName(arguments);
  const std::string& epsilon =
      Required(arguments.epsilon,
               "--epsilon is missing: the total that all releases of the data "
               "set may spend together");
  const std::string& delta = Required(
      arguments.delta,
      "--delta is missing: the probability left outside the guarantee by all "
      "releases together; choose it well below 1 / rows, such as 1e-5");
  const std::string& protect = Required(
      arguments.protect,
      "--protect is missing: whom the budget protects\n"
      "--protect outputs counts each row's outputs, --protect units all those "
      "of one person (releases with --unit).\n"
      "--protect rows counts whole rows, inputs too: only releases with "
      "--protect rows can be charged.");
  NewDataset dataset{
      name, NeighboursOf(protect),
      Budget(ParseNumber(epsilon, "--epsilon"), ParseNumber(delta, "--delta"))};
  if (arguments.reserved_delta.has_value()) {
    dataset.reserved_delta =
        ParseNumber(*arguments.reserved_delta, "--reserved-delta");
  }
  const PrivateTable data = ReadPrivate(arguments, streams);
  Ledger ledger = Ledger::OpenOrCreate(arguments.ledger);
  ledger.AddDataset(dataset, Fingerprints(ledger, data), DescribeTable(data));
  Show(ledger, name, arguments.json, streams);
}

void RunLedgerAdd(const LedgerTableArguments& arguments,
                  const Streams& streams) {
  const std::string& name = DatasetName(arguments);
  const PrivateTable data = ReadPrivate(arguments, streams);
  Ledger ledger = Ledger::Open(arguments.ledger);
  ledger.AddVersion(name, Fingerprints(ledger, data), DescribeTable(data));
  Show(ledger, name, arguments.json, streams);
}

void RunLedgerShow(const LedgerShowArguments& arguments,
                   const Streams& streams) {
  RequireInput(!arguments.ledger.empty(), kWhichLedger);
  Ledger ledger = Ledger::Open(arguments.ledger);
  Show(ledger, arguments.dataset, arguments.json, streams);
}

void RunLedgerVerify(const LedgerVerifyArguments& arguments,
                     const Streams& streams) {
  RequireInput(!arguments.ledger.empty(), kWhichLedger);
  Ledger ledger = Ledger::Open(arguments.ledger);
  LedgerView view;
  view.name = ledger.name();
  view.head = ledger.Verify(arguments.head);
  streams.out << (arguments.json ? LedgerJson(view)
                                 : Printable(LedgerText(view)));
}

}  // namespace cloak
