#include "apps/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "apps/cli/help_formatter.h"
#include "apps/cli/help_text.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/models/classification.h"
#include "cloak/models/regression.h"

namespace cloak {
namespace {

std::string MethodNames() {
  std::vector<std::string> names;
  for (const RegressionOptions::Method method : RegressionMethods()) {
    names.push_back(NameOf(method));
  }
  for (const ClassificationOptions::Method method : ClassificationMethods()) {
    const std::string name = NameOf(method);
    if (std::count(names.begin(), names.end(), name) == 0) {
      names.push_back(name);
    }
  }
  return Join(names, "|");
}

// The one definition of the command line.
struct Definition {
  CLI::App app{kProgramText, kProgram};
  ReleaseArguments release;
  AuditArguments audit;
  PredictArguments predict;
  ShowArguments show;
  LedgerInitArguments ledger_init;
  LedgerTableArguments ledger_add;
  LedgerShowArguments ledger_show;
  LedgerVerifyArguments ledger_verify;
  CompletionArguments completion;

  Definition() {
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", Text(kProgram, " ", CLOAK_VERSION),
                         "Print the version and exit");
    app.footer(kProgramFooter);
    app.require_subcommand(0, 1);
    DefineRelease();
    DefinePredict();
    DefineShow();
    DefineLedger();
    DefineAudit();
    DefineCompletion();
    CLI::App* manual = app.add_subcommand(
        "manual", "Write this program's manual page (roff) to standard output");
    manual->group("Commands")->footer(kManualFooter);
  }

  // Which of the ledger's commands was given.
  Arguments Ledger(const CLI::App& ledger) const;

 private:
  // `type` stands for the value in help: a|b lists all there are.
  template <typename T>
  static void Add(CLI::App* command, const std::string& name, T& value,
                  const std::string& type, const std::string& text) {
    CLI::Option* option = command->add_option(name, value, text);
    option->type_name(type);
    const std::vector<std::string> choices = Split(type, '|');
    if (choices.size() == 1) return;
    option->check([name, choices](const std::string& given) -> std::string {
      if (std::count(choices.begin(), choices.end(), given) > 0) return "";
      return Text("must be ", Join(choices, " or "), ", but is '", given, "'");
    });
  }
  static void AddFlag(CLI::App* command, const std::string& name, bool& value,
                      const std::string& text) {
    command->add_flag(name, value, text)->disable_flag_override();
  }
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

  // What decides a release, whether it is made or audited.
  static void AddReleaseOptions(CLI::App* command, ReleaseArguments& release);
  void DefineRelease();
  void DefinePredict();
  void DefineShow();
  void DefineLedger();
  static void DefineLedgerTable(CLI::App* command, LedgerTableArguments& table);
  void DefineAudit();
  void DefineCompletion();
};

void Definition::AddReleaseOptions(CLI::App* command,
                                   ReleaseArguments& release) {
  Add(command, "--task", release.task, "regression|classification",
      "What the output is: a number (default) or one of two classes");
  Add(command, "--inputs", release.inputs, "NAMES",
      "Public input columns, separated by commas");
  Add(command, "--output", release.output, "NAME",
      "Private column, to be predicted from the inputs");
  Add(command, "--bounds", release.bounds, "LO:HI",
      "Where outputs lie, from public knowledge; values outside are clipped");
  Add(command, "--classes", release.classes, "NO,YES",
      "The two classes of --task classification, as the table spells them, "
      "from public knowledge; probabilities are those of the second");
  Add(command, "--epsilon", release.epsilon, "E",
      "Privacy loss: smaller is more private; 1 is a common choice");
  Add(command, "--delta", release.delta, "D",
      "Probability left outside the guarantee: well below 1 / rows");
  Add(command, "--protect", release.protect, "outputs",
      "What is private: the outputs (default); the inputs are public");
  Add(command, "--unit", release.unit, "NAME",
      "Public column that says whose row it is: protects all outputs of a "
      "person at once (default: each row by itself)");
  Add(command, "--method", release.method, MethodNames(),
      "optimal (default): the statistic that leaves the least uncertainty "
      "anywhere, all learned from it; the others are published methods, to "
      "compare with");
  Add(command, "--design", release.design, "bayes|volume|trace",
      "How the noise is shaped (default: the best for the method)");
  Add(command, "--kernel", release.kernel, "EXPR",
      "Covariance function (default: bias + eq with a lengthscale per input, "
      "learned from the release itself at no privacy cost)");
  Add(command, "--noise-variance", release.noise_variance, "V",
      "Variance of an observation around the function (default: learned)");
  Add(command, "--noise-column", release.noise_column, "NAME",
      "Public column with the noise variance of each row");
  Add(command, "--prior-mean", release.prior_mean, "Y",
      "Where the function lies far from all data, from public knowledge "
      "(default: the middle of the bounds)");
  Add(command, "--newton-steps", release.newton_steps, "N",
      "Private steps of --method laplace, 1 or 2, which share the budget "
      "(default: 1)");
  Add(command, "--inducing", release.inducing, "M",
      "Inducing points of sparse methods, placed by k-means (default: 10)");
  Add(command, "--neighbours", release.neighbours, "N",
      "Rows within about a lengthscale, for --method nonstationary-cloaking "
      "(default: 20)");
  Add(command, "--degree", release.degree, "P",
      "Degree of --method polynomial, 0 to 5 (default: 1)");
  Add(command, "--at", release.at, "QUERIES.csv",
      "Points where accuracy matters, public (default: the rows of the data)");
  Add(command, "--bins", release.bins, "N,…",
      "Bins of the binning methods: a number for all inputs, or one for each "
      "(default: 10)");
  Add(command, "--input-ranges", release.input_ranges, "NAME=LO:HI,…",
      "Where bins begin and end (default: the range of each input)");
  Add(command, "--reproduce", release.reproduce, "smith2018|smith2021",
      "Add noise as a paper did, to reproduce its figures; needs "
      "--accept-weaker for a release");
  AddFlag(command, "--accept-weaker", release.accept_weaker,
          "Release by a paper's own recipe, although it is less accurate at "
          "the same budget");
  Add(command, "--threads", release.threads, "N",
      "Threads to use (default: all cores); results do not depend on it");
  AddFlag(command, "--quiet", release.quiet,
          "Print no summary, warning or progress");
}

void Definition::DefineRelease() {
  CLI::App* command = AddCommand(
      "release",
      "Release a private column once, as a function of public columns, to a "
      "file that can be published",
      kReleaseFooter);
  Add(command, "DATA.csv", release.data, "DATA.csv",
      "Table with a header, in CSV, plain or gzipped; - is standard input");
  AddReleaseOptions(command, release);
  AddFlag(command, "--dry-run", release.dry_run,
          "Price the release without opening the outputs or writing a file");
  AddFlag(command, "--json", release.json,
          "Print the summary as JSON on standard output");
  Add(command, "--ledger", release.ledger, "LEDGER",
      "Ledger to charge before anything is released: a file or a "
      "postgresql:// URL");
  Add(command, "--dataset", release.dataset, "NAME",
      "Data set in the ledger (default: recognised by its private values; in "
      "a dry run, which does not look at them, the only one)");
  Add(command, "-o", release.file, "FILE.cloak", "Release file to write");
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
      "What the budget protects: outputs (default), all outputs of one unit, "
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
  Add(command, "DATA.csv", table.data, "DATA.csv",
      "Table with a header, in CSV, plain or gzipped; - is standard input");
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
      "attacking it on made-up outputs; or check what a release file states",
      kAuditFooter);
  Add(command, "DATA.csv", audit.plan.data, "DATA.csv",
      "Table as for release, whose outputs are not read; without further "
      "options, a release file. - is standard input");
  AddReleaseOptions(command, audit.plan);
  Add(command, "--releases", audit.releases, "N",
      "Releases to make of each of two neighbouring tables (default: 100000)");
  AddFlag(command, "--json", audit.plan.json,
          "Print the result as JSON on standard output");
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

OptionDescription Describe(const CLI::Option& option) {
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
        .push_back(Describe(*option));
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
        "which command? release, predict, show, ledger, audit, completion or "
        "manual\n"
        "Run 'cloak --help' for what each does.");
  }
  const CLI::App* command = app.get_subcommands().front();
  const std::string& name = command->get_name();
  if (name == "release") return definition.release;
  if (name == "predict") return definition.predict;
  if (name == "show") return definition.show;
  if (name == "ledger") return definition.Ledger(*command);
  if (name == "audit") return definition.audit;
  if (name == "completion") return definition.completion;
  return ManualArguments{};
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
