#include "apps/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "apps/cli/help_formatter.h"
#include "apps/cli/help_text.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// The one definition of the command line.
struct Definition {
  CLI::App app{kProgramText, kProgram};
  ReleaseArguments release;
  AuditArguments audit;
  PredictArguments predict;
  ShowArguments show;
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
    DefineAudit();
    DefineCompletion();
    CLI::App* manual = app.add_subcommand(
        "manual", "Write this program's manual page (roff) to standard output");
    manual->group("Commands")->footer(kManualFooter);
  }

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
    CLI::App* command = app.add_subcommand(name, text);
    command->group("Commands")->footer(footer);
    return command;
  }

  // What decides a release, whether it is made or audited.
  static void AddReleaseOptions(CLI::App* command, ReleaseArguments& release);
  void DefineRelease();
  void DefinePredict();
  void DefineShow();
  void DefineAudit();
  void DefineCompletion();
};

void Definition::AddReleaseOptions(CLI::App* command,
                                   ReleaseArguments& release) {
  Add(command, "--inputs", release.inputs, "NAMES",
      "Public input columns, separated by commas");
  Add(command, "--output", release.output, "NAME",
      "Private column, to be predicted from the inputs");
  Add(command, "--bounds", release.bounds, "LO:HI",
      "Where outputs lie, from public knowledge; values outside are clipped");
  Add(command, "--epsilon", release.epsilon, "E",
      "Privacy loss: smaller is more private; 1 is a common choice");
  Add(command, "--delta", release.delta, "D",
      "Probability left outside the guarantee: well below 1 / rows");
  Add(command, "--protect", release.protect, "outputs",
      "What is private: the outputs (default); the inputs are public");
  Add(command, "--unit", release.unit, "NAME",
      "Public column that says whose row it is: protects all outputs of a "
      "person at once (default: each row by itself)");
  Add(command, "--method", release.method, "optimal|cloaking",
      "optimal (default): the statistic that leaves the least uncertainty "
      "anywhere; cloaking: predictions at the points of --at");
  Add(command, "--design", release.design, "bayes|volume|trace",
      "How the noise is shaped (default: the best for the method)");
  Add(command, "--kernel", release.kernel, "EXPR",
      "Covariance function (default: bias + eq with a lengthscale per input, "
      "learned from the release itself at no privacy cost)");
  Add(command, "--noise-variance", release.noise_variance, "V",
      "Variance of an observation around the function (default: learned)");
  Add(command, "--at", release.at, "QUERIES.csv",
      "Points where accuracy matters, public (default: the rows of the data)");
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
  Add(command, "-o", release.file, "FILE.cloak", "Release file to write");
}

void Definition::DefinePredict() {
  CLI::App* command = AddCommand(
      "predict",
      "Predict from a release: the query columns as they are, then mean, sd, "
      "lower and upper",
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

CommandDescription Describe(const CLI::App& app) {
  CommandDescription description;
  description.name = app.get_name();
  description.text = app.get_description();
  description.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? description.arguments : description.options)
        .push_back(Describe(*option));
  }
  return description;
}

// CLI11's message as one of ours, and where to read on.
[[noreturn]] void ThrowUsageError(const CLI::App& app,
                                  const CLI::ParseError& error) {
  std::string command = kProgram;
  for (const CLI::App* used : app.get_subcommands()) {
    command += " " + used->get_name();
  }
  std::string message = error.what();
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
        "which command? release, predict, show, audit, completion or manual\n"
        "Run 'cloak --help' for what each does.");
  }
  const std::string& name = app.get_subcommands().front()->get_name();
  if (name == "release") return definition.release;
  if (name == "predict") return definition.predict;
  if (name == "show") return definition.show;
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
  }
  return program;
}

}  // namespace cloak
