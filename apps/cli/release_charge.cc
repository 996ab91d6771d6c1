#include "apps/cli/release_charge.h"

#include <utility>

#include "apps/cli/label_request.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/ledger/price.h"

namespace cloak {
namespace {

// A dry run does not look at the outputs, so it cannot tell whose they are.
DatasetAccount NamedDataset(Ledger& ledger, const ReleaseArguments& arguments) {
  if (arguments.dataset.has_value()) return ledger.Dataset(*arguments.dataset);
  const std::vector<DatasetAccount> datasets = ledger.Datasets();
  RequireInput(datasets.size() == 1,
               Text("the ledger '", ledger.name(), "' has ", datasets.size(),
                    " data sets, and a dry run does not look at the outputs: "
                    "name one with --dataset"));
  return datasets[0];
}

DatasetAccount DatasetOf(Ledger& ledger, const ReleaseArguments& arguments,
                         const std::vector<Fingerprint>& columns) {
  if (arguments.dry_run) return NamedDataset(ledger, arguments);
  DatasetAccount account = [&] {
    try {
      return ledger.DatasetWith(columns);
    } catch (const PrivacyFailure& error) {
      if (arguments.protect != "rows") throw;
      throw PrivacyFailure(
          Text(error.what(),
               "\nWith --protect rows the inputs are private columns too: the "
               "ledger must have been told so (--private)."));
    }
  }();
  RequireInput(
      !arguments.dataset.has_value() || arguments.dataset == account.name,
      Text("the private values are those of the data set '", account.name,
           "', but --dataset is '", arguments.dataset.value_or(""), "'"));
  return account;
}

// The labels as the numbers that stand in the table, by which the ledger knows
// the column.
Secret<Vector> AsWritten(const Secret<Vector>& labels,
                         const ReleaseArguments& arguments) {
  std::vector<double> numbers;
  for (const std::string& name : Split(arguments.classes.value_or(""), ',')) {
    try {
      numbers.push_back(ParseNumber(name, ""));
    } catch (const InvalidInput&) {
      throw InvalidInput(
          Text("a ledger knows private columns by their numbers, and the class "
               "'",
               name, "' is none; write the labels as 0 and 1"));
    }
  }
  return labels.Map(
      [](const Vector& y, double first, double second) -> Vector {
        return (y.array() > 0)
            .select(Vector::Constant(y.size(), second),
                    Vector::Constant(y.size(), first));
      },
      numbers.at(0), numbers.at(1));
}

bool IsCategorical(const ReleaseArguments& arguments,
                   const std::string& input) {
  for (const std::string& part :
       Split(arguments.categories.value_or(""), ',')) {
    if (part.substr(0, part.rfind('=')) == input) return true;
  }
  return false;
}

std::vector<Fingerprint> PrivateColumns(const Ledger& ledger,
                                        const ReleaseArguments& arguments,
                                        const RegressionOptions& options,
                                        const Table& table) {
  if (arguments.dry_run) return {};
  std::vector<Fingerprint> columns;
  if (!options.output_name.empty()) {
    const Secret<Vector>& outputs = table.Private(options.output_name);
    columns.push_back(ledger.FingerprintOf(
        HasLabels(arguments) ? AsWritten(outputs, arguments) : outputs));
  }
  if (arguments.protect == "rows") {
    for (const std::string& input : options.input_names) {
      // Of categories, only places are known, not what is written.
      if (IsCategorical(arguments, input)) continue;
      columns.push_back(ledger.FingerprintOf(table.Private(input)));
    }
  }
  RequireInput(!columns.empty(),
               "a ledger knows a table by its private columns of numbers, and "
               "all inputs here are categories; count by a number too");
  return columns;
}

}  // namespace

std::string StaysCharged(const std::exception& error,
                         const std::optional<LedgerSummary>& charged) {
  if (!charged.has_value()) return error.what();
  return Text(error.what(), "\nThe ledger had charged it before (entry ",
              charged->entry.value_or(0), "), and that stays spent.");
}

ReleaseCharge::ReleaseCharge(const std::string& location,
                             const ReleaseArguments& arguments,
                             const RegressionOptions& options,
                             const Table& table)
    : ledger_(Ledger::Open(location)),
      arguments_(arguments),
      options_(options),
      columns_(PrivateColumns(ledger_, arguments, options, table)),
      account_(DatasetOf(ledger_, arguments, columns_)) {
  std::vector<std::string> public_columns;
  if (arguments.protect != "rows") public_columns = options.input_names;
  if (arguments.noise_column) {
    public_columns.push_back(*arguments.noise_column);
  }
  for (const std::string& input : public_columns) {
    const Vector values = table.Numeric({input}).col(0);
    ledger_.RequirePublic(input, ledger_.FingerprintOf(Secret<Vector>(values)));
  }
}

Cost ReleaseCharge::CostOf(const Plan& plan) const {
  const PrivacyStatement& privacy = plan.privacy();
  const bool has_output = !options_.output_name.empty();
  std::string description =
      Text(has_output ? options_.output_name : plan.summary().task,
           has_output ? " given " : " of ", Join(options_.input_names, ", "),
           "; epsilon ", privacy.epsilon, ", delta ", privacy.delta, ", ",
           has_output ? Text("bounds ", privacy.lower, ":", privacy.upper, ", ")
                      : "",
           plan.summary().method, ", ", plan.summary().design,
           privacy.unit.empty() ? "" : Text(", unit ", privacy.unit),
           privacy.protect == "rows" ? ", whole rows" : "", "; to ",
           arguments_.file.value_or("-"));
  return {plan.neighbours(), plan.event(), std::move(description)};
}

LedgerSummary ReleaseCharge::Summarise(const Spending& spending) const {
  LedgerSummary summary;
  summary.ledger = ledger_.name();
  summary.dataset = account_.name;
  summary.total = TotalText(account_);
  summary.spent = spending.spent;
  summary.left = spending.left;
  return summary;
}

LedgerSummary ReleaseCharge::Price(const Cost& cost) const {
  const auto price = PriceOf(account_, cost.neighbours, cost.event);
  LedgerSummary summary = Summarise(price.after);
  if (!price.fits) summary.refusal = RefusalText(account_, cost.event);
  return summary;
}

LedgerSummary ReleaseCharge::Charge(const Cost& cost) {
  const ChargeReceipt receipt =
      ledger_.Charge({columns_, cost.neighbours, cost.event, cost.description});
  LedgerSummary summary = Summarise(receipt.after);
  summary.entry = receipt.sequence;
  return summary;
}

}  // namespace cloak
