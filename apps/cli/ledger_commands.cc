#include "apps/cli/ledger_commands.h"

#include <regex>
#include <utility>

namespace cloak {

std::string WithLedgerCommands(std::string message) {
  // Each advice of the library, and what the program says instead.
  static const std::pair<std::regex, const char*> advice[] = {
      {std::regex("; initialise one first"), "; 'cloak ledger init' makes one"},
      {std::regex("\nGive a table that was never released a budget\n"
                  "Add a table of which rows were added, corrected or removed "
                  "to its data set"),
       "\nIf it is a table that was never released: cloak ledger init\n"
       "If rows of a known table were added, corrected or removed: cloak "
       "ledger add"},
      {std::regex("\nAdd another version of its table to it instead"),
       "\nTo add another version of its table: cloak ledger add"},
      {std::regex("within the delta that the ledger has in reserve"),
       "within the --reserved-delta that the ledger was made with"},
      {std::regex("\nA release of epsilon (\\S+) and delta (\\S+) still fits"),
       "\nTo price a smaller release without spending, repeat it with\n"
       "  --epsilon $1 --delta $2 --dry-run"}};
  for (const auto& [said, instead] : advice) {
    message = std::regex_replace(message, said, instead);
  }
  return message;
}

}  // namespace cloak
