#include "cloak/custodian/ledger_charge.h"

#include <exception>
#include <new>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/ledger/price.h"

namespace cloak {
namespace {

// Without private columns it cannot be told whose they are.
DatasetAccount NamedDataset(Ledger& ledger, const LedgerName& name) {
  if (name.dataset) return ledger.Dataset(*name.dataset);
  const std::vector<DatasetAccount> datasets = ledger.Datasets();
  RequireInput(datasets.size() == 1, "the ledger '", ledger.name(), "' has ",
               datasets.size(),
               " data sets, and a dry run does not look at the outputs: "
               "name the data set");
  return datasets[0];
}

DatasetAccount KnownDataset(Ledger& ledger, const LedgerName& name,
                            const Request& request,
                            const std::vector<Fingerprint>& columns) {
  DatasetAccount account = [&] {
    try {
      return ledger.DatasetWith(columns);
    } catch (const PrivacyFailure& error) {
      if (!request.ProtectsRows()) throw;
      throw PrivacyFailure(
          Text(error.what(),
               "\nWhere whole rows are protected the inputs are private "
               "columns too: the ledger must have been told so."));
    }
  }();
  RequireInput(!name.dataset || *name.dataset == account.name,
               "the private values are those of the data set '", account.name,
               "', but the data set named is '", name.dataset.value_or(""),
               "'");
  return account;
}

std::vector<Fingerprint> FingerprintsOf(const Ledger& ledger,
                                        const Request& request,
                                        const Table& table, bool closed) {
  std::vector<Fingerprint> columns;
  if (closed) return columns;
  for (const std::string& name : request.PrivateColumns()) {
    columns.push_back(ledger.FingerprintOf(name, table.PrivateText(name)));
  }
  return columns;
}

}  // namespace

Cost CostOf(const Plan& plan, const Request& request, const std::string& file) {
  const PrivacyStatement& privacy = plan.privacy();
  const std::string output = request.OutputName();
  std::string description = Text(
      output.empty() ? NameOf(plan.summary().task) : output,
      output.empty() ? " of " : " given ", Join(request.inputs, ", "),
      "; epsilon ", privacy.epsilon, ", delta ", privacy.delta, ", ",
      output.empty() ? ""
                     : Text("bounds ", privacy.lower, ":", privacy.upper, ", "),
      plan.summary().method, ", ", plan.summary().design,
      privacy.unit.empty() ? "" : Text(", unit ", privacy.unit),
      request.ProtectsRows() ? ", whole rows" : "", "; to ", file);
  return {plan.neighbours(), plan.event(), std::move(description)};
}

LedgerCharge::LedgerCharge(const LedgerName& name, const Request& request,
                           const Table& table, bool closed)
    : ledger_(Ledger::Open(name.location)),
      columns_(FingerprintsOf(ledger_, request, table, closed)),
      account_(closed ? NamedDataset(ledger_, name)
                      : KnownDataset(ledger_, name, request, columns_)) {
  RequirePublicColumns(request, table);
}

void LedgerCharge::RequirePublicColumns(const Request& request,
                                        const Table& table) {
  std::vector<std::string> numbers;
  if (!request.ProtectsRows()) numbers = request.inputs;
  if (!request.noise.empty()) numbers.push_back(request.noise);
  for (const std::string& name : numbers) {
    RequirePublic(name, Vector(table.Numeric({name}).col(0)));
  }
  if (!request.unit.empty()) {
    RequirePublic(request.unit, table.TextColumn(request.unit));
  }
  const Matrix* queries = QueryPointsOf(request.task);
  if (queries == nullptr) return;
  for (size_t j = 0; j < request.inputs.size(); ++j) {
    RequirePublic(request.inputs[j],
                  Vector(queries->col(static_cast<Index>(j))));
  }
}

Bill LedgerCharge::BillOf(const Spending& spending) const {
  Bill bill;
  bill.ledger = ledger_.name();
  bill.dataset = account_.name;
  bill.total = TotalText(account_);
  bill.spent = spending.spent;
  bill.left = spending.left;
  return bill;
}

Bill LedgerCharge::Price(const Cost& cost) const {
  const auto price = PriceOf(account_, cost.neighbours, cost.event);
  Bill bill = BillOf(price.after);
  if (!price.fits) bill.refusal = RefusalText(account_, cost.event);
  return bill;
}

Bill LedgerCharge::Charge(const Cost& cost) {
  const ChargeReceipt receipt =
      ledger_.Charge({columns_, cost.neighbours, cost.event, cost.description});
  Bill bill = BillOf(receipt.after);
  bill.entry = receipt.sequence;
  return bill;
}

void ChargeThen(std::optional<LedgerCharge>& ledger,
                const std::function<Cost()>& cost,
                const std::function<void(const std::optional<Bill>&)>& spend) {
  if (!ledger) {
    spend({});
    return;
  }
  const Bill bill = ledger->Charge(cost());
  const auto in_vain = [&bill](const std::string& reason) {
    return SpentInVain(
        Text(reason, "\nThe ledger had charged it before (entry ",
             bill.entry.value_or(0), "), and that stays spent."));
  };
  try {
    spend(bill);
  } catch (const std::bad_alloc&) {
    throw in_vain("not enough memory");
  } catch (const std::exception& error) {
    throw in_vain(error.what());
  }
}

}  // namespace cloak
