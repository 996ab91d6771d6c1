#include "apps/cli/ledger_text.h"

#include <nlohmann/json.hpp>

#include "cloak/base/text.h"
#include "cloak/ledger/price.h"
#include "cloak/release/release_json.h"

namespace cloak {
namespace {

using nlohmann::ordered_json;

std::string DatasetText(const DatasetAccount& account) {
  const Spending spending = SpendingOf(account);
  std::string text =
      Text(account.name, "\n  protects  ", InWords(account.neighbours),
           "\n  total     ", TotalText(account), "\n  spent     ",
           EpsilonText(spending.spent), " in ", ReleasesText(account),
           "\n  left      ", LeftText(spending.left), "\n");
  for (const DatasetVersion& version : account.versions) {
    text += Text("  table     ", version.time, "  ", version.description, "\n");
  }
  for (const DatasetCharge& charge : account.charges) {
    text += Text("  release   ", charge.time, "  ", charge.description,
                 "\n            entry ", charge.sequence, ", ",
                 ToString(charge.event), "; then ", charge.after, "\n");
  }
  return text;
}

ordered_json DatasetJson(const DatasetAccount& account) {
  const Spending spending = SpendingOf(account);
  ordered_json versions = ordered_json::array();
  for (const DatasetVersion& version : account.versions) {
    versions.push_back(
        {{"time", version.time}, {"description", version.description}});
  }
  ordered_json releases = ordered_json::array();
  for (const DatasetCharge& charge : account.charges) {
    releases.push_back({{"entry", charge.sequence},
                        {"time", charge.time},
                        {"event", ToString(charge.event)},
                        {"description", charge.description}});
  }
  return {{"name", account.name},
          {"neighbours", ToString(account.neighbours)},
          {"epsilon", account.total.epsilon()},
          {"delta", account.total.delta()},
          {"reserved_delta", account.reserved_delta},
          {"spent_epsilon", spending.spent},
          {"left_epsilon", spending.left},
          {"tables", std::move(versions)},
          {"releases", std::move(releases)}};
}

}  // namespace

std::string LedgerText(const LedgerView& view) {
  std::string text = Text("The ledger '", view.name, "' has ",
                          view.head.entries, " entries; its chain is whole.\n");
  if (view.head.entries > 0) text += Text("head  ", view.head.tag, "\n");
  for (const DatasetAccount& account : view.datasets) {
    text += Text("\n", DatasetText(account));
  }
  return text;
}

std::string LedgerJson(const LedgerView& view) {
  ordered_json datasets = ordered_json::array();
  for (const DatasetAccount& account : view.datasets) {
    datasets.push_back(DatasetJson(account));
  }
  return JsonText({{"ledger", view.name},
                   {"entries", view.head.entries},
                   {"head", view.head.tag},
                   {"datasets", std::move(datasets)}});
}

}  // namespace cloak
