#ifndef CLOAK_APPS_CLI_LEDGER_TEXT_H_
#define CLOAK_APPS_CLI_LEDGER_TEXT_H_

#include <string>
#include <vector>

#include "cloak/ledger/ledger.h"

namespace cloak {

// What `cloak ledger show` prints. All of it is about releases, none about
// values.
struct LedgerView {
  std::string name;
  Ledger::Head head;
  std::vector<DatasetAccount> datasets;
};

std::string LedgerText(const LedgerView& view);
std::string LedgerJson(const LedgerView& view);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_LEDGER_TEXT_H_
