#include "apps/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "apps/cli/help_formatter.h"
#include "apps/cli/help_text.h"
#include "apps/cli/option.h"
#include "apps/cli/release_options.h"
#include "apps/cli/version.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// The one definition of the command line.
struct Definition {
  CLI::App app{kProgramText, kProgram};
  ReleaseArguments release;
  SelectArguments select;
  AuditArguments audit;
  CheckArguments check;
  PredictArguments predict;
  ShowArguments show;
  InferArguments infer;
  ServeArguments serve;
  LedgerInitArguments ledger_init;
  LedgerTableArguments ledger_add;
  LedgerShowArguments ledger_show;
  LedgerVerifyArguments ledger_verify;
  CompletionArguments completion;
  ManualArguments manual_arguments;

  Definition() {
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", Text(kProgram, " ", VersionText()),
                         "Print the version and exit");
    app.footer(kProgramFooter);
    app.require_subcommand(0, 1);
    DefineCheck();
    DefineRelease();
    DefineSelect();
    DefinePredict();
    DefineShow();
    DefineInfer();
    DefineServe();
    DefineLedger();
    DefineAudit();
    DefineCompletion();
    CLI::App* manual = app.add_subcommand(
        "manual", "Write this program's manual page (roff) to standard output");
    manual->group("Commands")->footer(kManualFooter);
    AddFlag(manual, "--markdown", manual_arguments.markdown,
            "Write the commands and their options in Markdown instead");
  }

  // Which of the ledger's commands was given.
  Arguments Ledger(const CLI::App& ledger) const;

 private:
  CLI::App* AddCommand(const std::string& name, const std::string& text,
                       const std::string& footer) {
    return AddCommand(&app, name, text, footer);
  }
  static CLI::App* AddCommand(CLI::App* parent, const std::string& name,
                              const std::string& text,
                              const std::string& footer) {
    CLI::App* command = parent->add_subcommand(name, text);
    command->group("Commands")->footer(footer);
    return command;
  }

  void DefineCheck();
  void DefineRelease();
  void DefineSelect();
  void DefinePredict();
  void DefineShow();
  void DefineInfer();
  void DefineServe();
  void DefineLedger();
  static void DefineLedgerTable(CLI::App* command, LedgerTableArguments& table);
  void DefineAudit();
  void DefineCompletion();
};

void Definition::DefineCheck() {
  CLI::App* command = AddCommand(
      "check",
      "Show the custodian which cells of a table are missing or malformed; "
      "what it prints is private",
      kCheckFooter);
  Add(command, "DATA.csv", check.data, "DATA.csv", kTableText);
  AddMissingValues(command, check.missing_values);
}

void Definition::DefineRelease() {
  CLI::App* command = AddCommand(
      "release",
      "Release a private column once, as a function of public columns, to a "
      "file that can be published",
      kReleaseFooter);
  Add(command, "DATA.csv", release.data, "DATA.csv", kTableText);
  AddReleaseOptions(command, kRelease, release);
}

void Definition::DefineSelect() {
  CLI::App* command = AddCommand(
      "select",
      "Choose the hyperparameters of a release privately, by how well each "
      "candidate predicts rows that are held out",
      kSelectFooter);
  Add(command, "DATA.csv", select.data, "DATA.csv", kTableText);
  AddReleaseOptions(command, kSelect, select);
}

void Definition::DefinePredict() {
  CLI::App* command = AddCommand(
      "predict",
      "Predict from a release: the query columns as they are, then mean, sd, "
      "lower and upper; of classes, probability, class, mean and sd",
      kPredictFooter);
  Add(command, "FILE.cloak", predict.release, "FILE.cloak",
      "Release file; - is standard input");
  Add(command, "QUERIES.csv", predict.queries, "QUERIES.csv",
      "Table that has the input columns; - is standard input");
  Add(command, "-o", predict.file, "OUT.csv",
      "File to write (default: standard output, also called -)");
  Add(command, "--interval", predict.interval, "P",
      "Probability between lower and upper (default: 0.95)");
  AddFlag(command, "--latent", predict.latent,
          "Predict the function itself, not a new observation around it");
}

void Definition::DefineShow() {
  CLI::App* command = AddCommand(
      "show",
      "Say what a release holds and what its privacy guarantee means, in words",
      kShowFooter);
  Add(command, "FILE.cloak", show.release, "FILE.cloak",
      "Release file; - is standard input");
  AddFlag(command, "--json", show.json, "Print it as JSON");
  Add(command, "--html", show.html, "PAGE.html",
      "Write a self-contained page with plots");
}

void Definition::DefineInfer() {
  CLI::App* command = AddCommand(
      "infer",
      "Conclude anew from what a release published, with another kernel, noise "
      "or prior mean: needs nothing private, and costs nothing",
      kInferFooter);
  Add(command, "FILE.cloak", infer.release, "FILE.cloak",
      "Release file; - is standard input");
  Add(command, "--kernel", infer.kernel, "EXPR",
      "Covariance function (default: as it was, learned or given)");
  Add(command, "--noise-variance", infer.noise_variance, "V",
      "Variance of an observation around the function (default: as it was)");
  Add(command, "--prior-mean", infer.prior_mean, "Y",
      "Where the function lies far from all data (default: as it was)");
  Add(command, "--threads", infer.threads, "N",
      "Threads to use (default: all cores); results do not depend on it");
  AddFlag(command, "--quiet", infer.quiet, "Print no summary");
  Add(command, "-o", infer.file, "NEW.cloak", "Release file to write");
  AddFlag(command, "--overwrite", infer.overwrite,
          "Replace the file if there is one");
}

void Definition::DefineServe() {
  CLI::App* command = AddCommand(
      "serve",
      "Answer questions about releases over HTTP, for programs and for people",
      kServeFooter);
  Add(command, "FILE.cloak", serve.sources, "FILE.cloak",
      "Release files, or directories of them: files that appear or change "
      "there are served without a restart");
  Add(command, "--port", serve.port, "N",
      "Port to listen on; 0 takes a free one (default: 8080)");
  Add(command, "--address", serve.address, "ADDRESS",
      "Address to listen on; 0.0.0.0 is all of this machine's (default: "
      "127.0.0.1, which only this machine can reach)");
  Add(command, "--tls-cert", serve.tls_certificate, "CERT.pem",
      "Certificate, with its chain: speaks HTTPS");
  Add(command, "--tls-key", serve.tls_key, "KEY.pem", "Key of the certificate");
  Add(command, "--token-file", serve.token_file, "TOKENS.txt",
      "File with a token on each line, one of which each request must bring");
  Add(command, "--timeout", serve.timeout, "SECONDS",
      "For a whole request to arrive, for its answer to be taken, and for a "
      "connection to be idle (default: 30)");
  Add(command, "--max-body", serve.max_body, "BYTES",
      "The longest body of a request (default: 4194304)");
  Add(command, "--log-file", serve.log_file, "LOG",
      "File to add the log to, instead of standard output; opened again on "
      "SIGHUP");
  AddFlag(command, "--log-queries", serve.log_queries,
          "Log what is asked as well, which may be private to who asks");
  AddFlag(command, "--quiet", serve.quiet, "Log no requests");
}

void Definition::DefineLedger() {
  CLI::App* ledger = AddCommand(
      "ledger",
      "Keep count of what is spent on each data set, and refuse what would "
      "overspend: init, add, show, verify",
      kLedgerFooter);
  ledger->require_subcommand(0, 1);

  CLI::App* init_command = AddCommand(
      ledger, "init",
      "Enter a data set with a total budget, making the ledger if there is "
      "none",
      kLedgerInitFooter);
  DefineLedgerTable(init_command, ledger_init);
  Add(init_command, "--epsilon", ledger_init.epsilon, "E",
      "Total that all releases of the data set may spend together");
  Add(init_command, "--delta", ledger_init.delta, "D",
      "Total probability left outside the guarantee: well below 1 / rows");
  Add(init_command, "--reserved-delta", ledger_init.reserved_delta, "D",
      "Part of it kept for releases whose noise is not Gaussian (default: 0)");
  Add(init_command, "--protect", ledger_init.protect, "outputs|units|rows",
      "What the budget protects: outputs, all outputs of one unit, "
      "or whole rows");

  CLI::App* add_command = AddCommand(
      ledger, "add",
      "Enter another version of a data set's table (rows added, corrected or "
      "removed), which shares its budget",
      kLedgerAddFooter);
  DefineLedgerTable(add_command, ledger_add);

  CLI::App* show_command = AddCommand(
      ledger, "show", "Say what was spent on each data set and what is left",
      kLedgerShowFooter);
  Add(show_command, "LEDGER", ledger_show.ledger, "LEDGER", kLedgerText);
  Add(show_command, "--dataset", ledger_show.dataset, "NAME",
      "Only this data set (default: all)");
  AddFlag(show_command, "--json", ledger_show.json, "Print it as JSON");

  CLI::App* verify_command =
      AddCommand(ledger, "verify",
                 "Check that no entry was altered, removed, added or moved",
                 kLedgerVerifyFooter);
  Add(verify_command, "LEDGER", ledger_verify.ledger, "LEDGER", kLedgerText);
  Add(verify_command, "--head", ledger_verify.head, "HASH",
      "Head that was noted earlier: check that the ledger has grown from it");
  AddFlag(verify_command, "--json", ledger_verify.json, "Print it as JSON");
}

void Definition::DefineLedgerTable(CLI::App* command,
                                   LedgerTableArguments& table) {
  Add(command, "LEDGER", table.ledger, "LEDGER", kLedgerText);
  Add(command, "DATA.csv", table.data, "DATA.csv", kTableText);
  Add(command, "--dataset", table.dataset, "NAME",
      "Name of the data set in the ledger");
  Add(command, "--private", table.private_columns, "NAMES",
      "Private columns, separated by commas; the ledger keeps a keyed "
      "fingerprint of each, and nothing of its values");
  AddFlag(command, "--json", table.json, "Print the result as JSON");
}

void Definition::DefineAudit() {
  CLI::App* command = AddCommand(
      "audit",
      "Try to refute the privacy claim of a release that is planned, by "
      "attacking it on made-up rows; or check what a release file states",
      kAuditFooter);
  Add(command, "DATA.csv", audit.data, "DATA.csv",
      "Table as for release, whose outputs are not read; without further "
      "options, a release file. - is standard input");
  AddReleaseOptions(command, kAudit, audit);
}

void Definition::DefineCompletion() {
  CLI::App* command = AddCommand(
      "completion", "Write a completion script for a shell", kCompletionFooter);
  Add(command, "SHELL", completion.shell, "bash|zsh|fish", "bash, zsh or fish");
}

Arguments Definition::Ledger(const CLI::App& ledger) const {
  RequireInput(!ledger.get_subcommands().empty(),
               "which command of the ledger? init, add, show or verify\n"
               "Run 'cloak ledger --help' for what each does.");
  const std::string& name = ledger.get_subcommands().front()->get_name();
  if (name == "init") return ledger_init;
  if (name == "add") return ledger_add;
  if (name == "show") return ledger_show;
  return ledger_verify;
}

// Returns where an option of a command that is about a release belongs.
std::string BelongsOf(const std::string& command, const std::string& name) {
  const std::map<std::string, unsigned> commands = {
      {"release", kRelease}, {"select", kSelect}, {"audit", kAudit}};
  const auto found = commands.find(command);
  if (found == commands.end()) return "";
  for (const ReleaseOption& option : ReleaseOptions()) {
    if (option.name == name && (option.commands & found->second) != 0) {
      return PlacesText(option);
    }
  }
  return "";
}

OptionDescription Describe(const CLI::Option& option,
                           const std::string& command) {
  OptionDescription description;
  for (const std::string& name : option.get_snames()) {
    description.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    description.names.push_back("--" + name);
  }
  if (option.get_items_expected_max() > 0) {
    description.value = option.get_type_name();
  }
  description.text = option.get_description();
  if (!description.names.empty()) {
    description.belongs = BelongsOf(command, description.names.back());
  }
  return description;
}

// "ledger init" is a command like any other; what completes "ledger" is one
// of the four.
CommandDescription Describe(const CLI::App& app,
                            const std::string& parent = "") {
  CommandDescription description;
  description.name =
      parent.empty() ? app.get_name() : Text(parent, " ", app.get_name());
  description.text = app.get_description();
  description.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? description.arguments : description.options)
        .push_back(Describe(*option, description.name));
  }
  return description;
}

// CLI11 quotes what it does not expect, and that may be the URL of a ledger,
// with a password in it.
std::string WithoutUrls(const std::string& message) {
  std::vector<std::string> words = Split(message, ' ');
  for (std::string& word : words) {
    const size_t begin = word.find("postgres");
    if (begin == std::string::npos || word.find("://") == std::string::npos) {
      continue;
    }
    word = Text(word.substr(0, begin), "postgresql://…");
  }
  return Join(words, " ");
}

// CLI11's message as one of ours, and where to read on.
[[noreturn]] void ThrowUsageError(const CLI::App& app,
                                  const CLI::ParseError& error) {
  std::string command = kProgram;
  for (const CLI::App* used = &app; !used->get_subcommands().empty();) {
    used = used->get_subcommands().front();
    command += " " + used->get_name();
  }
  std::string message = WithoutUrls(error.what());
  // "--method: must be …" reads better as a sentence.
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
    message.erase(message.find(':'), 1);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr &&
      app.get_subcommands().empty()) {
    message = Text("there is no such command or option (",
                   message.substr(message.rfind(": ") + 2), ")");
  }
  throw InvalidInput(
      Text(message, "\nRun '", command, " --help' for what it takes."));
}

}  // namespace

Arguments ParseCommandLine(const std::vector<std::string>& args) {
  Definition definition;
  CLI::App& app = definition.app;
  try {
    // CLI11 takes them last first.
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::CallForHelp&) {
    return PrintArguments{app.help()};
  } catch (const CLI::CallForVersion& version) {
    return PrintArguments{Text(version.what(), "\n")};
  } catch (const CLI::ParseError& error) {
    ThrowUsageError(app, error);
  }
  if (app.get_subcommands().empty()) {
    throw InvalidInput(
        "which command? check, release, select, predict, show, infer, serve, "
        "ledger, audit, "
        "completion or "
        "manual\n"
        "Run 'cloak --help' for what each does.");
  }
  const CLI::App* command = app.get_subcommands().front();
  const std::string& name = command->get_name();
  if (name == "check") return definition.check;
  if (name == "release") return definition.release;
  if (name == "select") return definition.select;
  if (name == "predict") return definition.predict;
  if (name == "show") return definition.show;
  if (name == "infer") return definition.infer;
  if (name == "serve") return definition.serve;
  if (name == "ledger") return definition.Ledger(*command);
  if (name == "audit") return definition.audit;
  if (name == "completion") return definition.completion;
  return definition.manual_arguments;
}

ProgramDescription DescribeProgram() {
  const Definition definition;
  const CommandDescription top = Describe(definition.app);
  ProgramDescription program{top.name, CLOAK_VERSION, top.text, top.options,
                             {},       top.footer};
  for (const CLI::App* command : definition.app.get_subcommands({})) {
    program.commands.push_back(Describe(*command));
    std::vector<std::string> choices;
    for (const CLI::App* nested : command->get_subcommands({})) {
      choices.push_back(nested->get_name());
    }
    if (choices.empty()) continue;
    program.commands.back().arguments = {
        {{}, Join(choices, "|"), "What to do"}};
    for (const CLI::App* nested : command->get_subcommands({})) {
      program.commands.push_back(Describe(*nested, command->get_name()));
    }
  }
  return program;
}

}  // namespace cloak
