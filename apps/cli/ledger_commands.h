#ifndef CLOAK_APPS_CLI_LEDGER_COMMANDS_H_
#define CLOAK_APPS_CLI_LEDGER_COMMANDS_H_

#include <string>

namespace cloak {

// Returns the message of a ledger with the commands and options that do what it
// advises; another message as it is.
std::string WithLedgerCommands(std::string message);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_LEDGER_COMMANDS_H_
