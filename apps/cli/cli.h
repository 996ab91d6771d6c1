#ifndef CLOAK_APPS_CLI_CLI_H_
#define CLOAK_APPS_CLI_CLI_H_

#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "cloak/privacy/randomness.h"

namespace cloak {

// Where a command reads and writes besides files.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
};

enum ExitCode {
  kDone = 0,
  kUnexpectedFailure = 1,
  kWrongInput = 2,
  kPrivacyNotKept = 3,
  kBudgetSpentInVain = 4,
};

// Runs the command in `args` (without the name of the program) and returns
// the exit code. Reports every error as a line on `streams.err` and throws
// nothing.
int RunCli(const std::vector<std::string>& args, const Streams& streams,
           const RandomnessSource& randomness);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_CLI_H_
