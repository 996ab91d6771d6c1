#include "apps/cli/release_charge.h"

#include <utility>

#include "apps/cli/release_plan.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/ledger/price.h"

namespace cloak {
namespace {

// A dry run does not look at the outputs, so it cannot tell whose they are.
DatasetAccount NamedDataset(Ledger& ledger, const ReleaseArguments& arguments) {
  if (arguments.dataset.has_value()) return ledger.Dataset(*arguments.dataset);
  const std::vector<DatasetAccount> datasets = ledger.Datasets();
  RequireInput(datasets.size() == 1, "the ledger '", ledger.name(), "' has ",
               datasets.size(),
               " data sets, and a dry run does not look at the outputs: "
               "name one with --dataset");
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
      "the private values are those of the data set '", account.name,
      "', but --dataset is '", arguments.dataset.value_or(""), "'");
  return account;
}

std::vector<Fingerprint> PrivateColumns(const Ledger& ledger,
                                        const ReleaseArguments& arguments,
                                        const RegressionOptions& options,
                                        const Table& table) {
  if (arguments.dry_run) return {};
  std::vector<Fingerprint> columns;
  for (const std::string& name : PrivateNames(arguments, options)) {
    columns.push_back(ledger.FingerprintOf(name, table.PrivateText(name)));
  }
  return columns;
}

}  // namespace

ReleaseCharge::ReleaseCharge(const std::string& location,
                             const ReleaseArguments& arguments,
                             const RegressionOptions& options,
                             const Table& table)
    : ledger_(Ledger::Open(location)),
      arguments_(arguments),
      options_(options),
      columns_(PrivateColumns(ledger_, arguments, options, table)),
      account_(DatasetOf(ledger_, arguments, columns_)) {
  std::vector<std::string> numbers;
  if (arguments.protect != "rows") numbers = options.input_names;
  if (arguments.noise_column) numbers.push_back(*arguments.noise_column);
  for (const std::string& name : numbers) {
    RequirePublic(name, Secret<Vector>(table.Numeric({name}).col(0)));
  }
  if (arguments.unit) {
    const std::string& name = options.unit_name;
    RequirePublic(name, Secret(table.TextColumn(name)));
  }
  if (!options.query_points) return;
  for (size_t j = 0; j < options.input_names.size(); ++j) {
    RequirePublic(
        options.input_names[j],
        Secret<Vector>(options.query_points->col(static_cast<Index>(j))));
  }
}

Cost ReleaseCharge::CostOf(const Plan& plan) const {
  const PrivacyStatement& privacy = plan.privacy();
  const bool has_output = !options_.output_name.empty();
  std::string description =
      Text(has_output ? options_.output_name : NameOf(plan.summary().task),
           has_output ? " given " : " of ", Join(options_.input_names, ", "),
           "; epsilon ", privacy.epsilon, ", delta ", privacy.delta, ", ",
           has_output ? Text("bounds ", privacy.lower, ":", privacy.upper, ", ")
                      : "",
           plan.summary().method, ", ", plan.summary().design,
           privacy.unit.empty() ? "" : Text(", unit ", privacy.unit),
           privacy.protect == Protection::kRows ? ", whole rows" : "", "; to ",
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
