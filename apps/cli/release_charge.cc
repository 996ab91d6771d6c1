#include "apps/cli/release_charge.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/ledger/price.h"

namespace cloak {
namespace {

// A dry run does not look at the outputs, so it cannot tell whose they are.
std::string NamedDataset(Ledger& ledger, const ReleaseArguments& arguments) {
  if (arguments.dataset.has_value()) {
    return ledger.Dataset(*arguments.dataset).name;
  }
  const std::vector<DatasetAccount> datasets = ledger.Datasets();
  RequireInput(datasets.size() == 1,
               Text("the ledger '", ledger.name(), "' has ", datasets.size(),
                    " data sets, and a dry run does not look at the outputs: "
                    "name one with --dataset"));
  return datasets[0].name;
}

}  // namespace

ReleaseCharge::ReleaseCharge(const std::string& location,
                             const ReleaseArguments& arguments,
                             const RegressionOptions& options,
                             const Table& table)
    : ledger_(Ledger::Open(location)),
      arguments_(arguments),
      options_(options) {
  for (const std::string& input : options.input_names) {
    const Vector values = table.Numeric({input}).col(0);
    ledger_.RequirePublic(input, ledger_.FingerprintOf(Secret<Vector>(values)));
  }
  if (arguments.dry_run) {
    dataset_ = NamedDataset(ledger_, arguments);
    return;
  }
  columns_ = {ledger_.FingerprintOf(table.Private(options.output_name))};
  dataset_ = ledger_.DatasetWith(columns_).name;
  RequireInput(
      !arguments.dataset.has_value() || arguments.dataset == dataset_,
      Text("the private values are those of the data set '", dataset_,
           "', but --dataset is '", arguments.dataset.value_or(""), "'"));
}

std::string ReleaseCharge::Describe(const RegressionPlan& plan) const {
  const PrivacyStatement& privacy = plan.privacy();
  return Text(options_.output_name, " given ", Join(options_.input_names, ", "),
              "; epsilon ", privacy.epsilon, ", delta ", privacy.delta,
              ", bounds ", privacy.lower, ":", privacy.upper, ", ",
              plan.method(), ", ", plan.design(), "; to ",
              arguments_.file.value_or("-"));
}

LedgerSummary ReleaseCharge::Summarise(const DatasetAccount& account) const {
  const Spending spending = SpendingOf(account);
  LedgerSummary summary;
  summary.ledger = ledger_.name();
  summary.dataset = account.name;
  summary.total = TotalText(account);
  summary.spent = spending.spent;
  summary.left = spending.left;
  return summary;
}

LedgerSummary ReleaseCharge::Price(const RegressionPlan& plan) {
  DatasetAccount account = ledger_.Dataset(dataset_);
  const bool allowed = Fits(account, Neighbours::kOutput, plan.event());
  if (allowed) account.charges.push_back({0, "", plan.event(), "", ""});
  LedgerSummary summary = Summarise(account);
  if (!allowed) summary.refusal = RefusalText(account, plan.event());
  return summary;
}

LedgerSummary ReleaseCharge::Charge(const RegressionPlan& plan) {
  const ChargeReceipt receipt = ledger_.Charge(
      {columns_, Neighbours::kOutput, plan.event(), Describe(plan)});
  LedgerSummary summary = Summarise(ledger_.Dataset(receipt.dataset));
  summary.entry = receipt.sequence;
  return summary;
}

}  // namespace cloak
