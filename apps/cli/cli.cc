#include "apps/cli/cli.h"

#include <exception>
#include <new>
#include <variant>

#include "apps/cli/command_line.h"
#include "apps/cli/commands.h"
#include "apps/cli/completion.h"
#include "apps/cli/ledger_commands.h"
#include "apps/cli/manual.h"
#include "apps/cli/printable.h"
#include "apps/cli/release_options.h"
#include "cloak/base/error.h"

namespace cloak {
namespace {

// Calls f; what the library says is wrong is said with the options that mend
// it.
template <typename F>
void InOptionNames(const F& f) {
  try {
    f();
  } catch (const InvalidInput& error) {
    throw InvalidInput(WithOptionNames(error.what()));
  }
}

struct Dispatcher {
  const Streams& streams;
  const RandomnessSource& randomness;

  void operator()(const ReleaseArguments& arguments) const {
    InOptionNames([&] { RunRelease(arguments, streams, randomness); });
  }
  void operator()(const SelectArguments& arguments) const {
    InOptionNames([&] { RunSelect(arguments, streams, randomness); });
  }
  void operator()(const AuditArguments& arguments) const {
    InOptionNames([&] { RunAudit(arguments, streams, randomness); });
  }
  void operator()(const CheckArguments& arguments) const {
    RunCheck(arguments, streams);
  }
  void operator()(const PredictArguments& arguments) const {
    RunPredict(arguments, streams);
  }
  void operator()(const ShowArguments& arguments) const {
    RunShow(arguments, streams);
  }
  void operator()(const InferArguments& arguments) const {
    InOptionNames([&] { RunInfer(arguments, streams); });
  }
  void operator()(const ServeArguments& arguments) const {
    RunServe(arguments, streams);
  }
  void operator()(const LedgerInitArguments& arguments) const {
    RunLedgerInit(arguments, streams);
  }
  void operator()(const LedgerTableArguments& arguments) const {
    RunLedgerAdd(arguments, streams);
  }
  void operator()(const LedgerShowArguments& arguments) const {
    RunLedgerShow(arguments, streams);
  }
  void operator()(const LedgerVerifyArguments& arguments) const {
    RunLedgerVerify(arguments, streams);
  }
  void operator()(const CompletionArguments& arguments) const {
    streams.out << CompletionScript(DescribeProgram(), arguments.shell);
  }
  void operator()(const ManualArguments& arguments) const {
    const ProgramDescription program = DescribeProgram();
    streams.out << (arguments.markdown ? MarkdownPage(program)
                                       : ManualPage(program));
  }
  void operator()(const PrintArguments& arguments) const {
    streams.out << arguments.text;
  }
};

int Report(const Streams& streams, const std::string& message, ExitCode code) {
  streams.err << "cloak: " << Printable(message) << "\n" << std::flush;
  return code;
}

}  // namespace

int RunCli(const std::vector<std::string>& args, const Streams& streams,
           const RandomnessSource& randomness) {
  try {
    std::visit(Dispatcher{streams, randomness}, ParseCommandLine(args));
    streams.out.flush();
    if (!streams.out.good()) {
      return Report(streams,
                    "cannot write to standard output; a file named with -o "
                    "was written all the same, and a release in it is spent",
                    kUnexpectedFailure);
    }
    return kDone;
  } catch (const InvalidInput& error) {
    return Report(streams, WithLedgerCommands(error.what()), kWrongInput);
  } catch (const PrivacyFailure& error) {
    return Report(streams,
                  WithLedgerCommands(error.what()) + "\nNothing was released.",
                  kPrivacyNotKept);
  } catch (const SpentInVain& error) {
    return Report(streams, error.what(), kBudgetSpentInVain);
  } catch (const std::bad_alloc&) {
    return Report(streams, "not enough memory", kUnexpectedFailure);
  } catch (const std::exception& error) {
    return Report(streams, std::string("unexpected failure: ") + error.what(),
                  kUnexpectedFailure);
  }
}

}  // namespace cloak
