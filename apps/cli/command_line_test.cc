#include "apps/cli/command_line.h"

#include <gmock/gmock.h>

#include "apps/cli/completion.h"
#include "apps/cli/manual.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string ErrorOf(const std::vector<std::string>& args) {
  try {
    ParseCommandLine(args);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

TEST(CommandLine, ReadsARelease) {
  const auto arguments = std::get<ReleaseArguments>(ParseCommandLine(
      {"release", "heights.csv", "--inputs", "age,weight", "--output=height",
       "--bounds", "60:180", "--epsilon", "1", "--delta", "1e-5", "--method",
       "cloaking", "--dry-run", "-o", "heights.cloak"}));
  EXPECT_EQ(arguments.data, "heights.csv");
  EXPECT_EQ(arguments.inputs, "age,weight");
  EXPECT_EQ(arguments.output, "height");
  EXPECT_EQ(arguments.bounds, "60:180");
  EXPECT_EQ(arguments.epsilon, "1");
  EXPECT_EQ(arguments.delta, "1e-5");
  EXPECT_EQ(arguments.method, "cloaking");
  EXPECT_EQ(arguments.file, "heights.cloak");
  EXPECT_TRUE(arguments.dry_run);
  EXPECT_FALSE(arguments.quiet);
  EXPECT_EQ(arguments.kernel, std::nullopt);
}

TEST(CommandLine, TakesNegativeBoundsWithAndWithoutAnEqualsSign) {
  for (const std::string bounds : {"-10:10", "-.5:2", "-1e3:-5"}) {
    EXPECT_EQ(std::get<ReleaseArguments>(
                  ParseCommandLine({"release", "a.csv", "--bounds", bounds}))
                  .bounds,
              bounds);
    EXPECT_EQ(std::get<ReleaseArguments>(
                  ParseCommandLine({"release", "--bounds=" + bounds, "a.csv"}))
                  .bounds,
              bounds);
  }
}

TEST(CommandLine, TakesADashForAStream) {
  const auto arguments = std::get<PredictArguments>(
      ParseCommandLine({"predict", "a.cloak", "-", "-o", "-"}));
  EXPECT_EQ(arguments.queries, "-");
  EXPECT_EQ(arguments.file, "-");
}

TEST(CommandLine, SaysWhatItDoesNotKnow) {
  EXPECT_THAT(ErrorOf({}), HasSubstr("which command?"));
  EXPECT_THAT(ErrorOf({"relaese"}), HasSubstr("relaese"));
  EXPECT_THAT(ErrorOf({"release", "a.csv", "--epsilom", "1"}),
              HasSubstr("--epsilom"));
  EXPECT_THAT(ErrorOf({"release", "a.csv", "--method", "best"}),
              HasSubstr("laplace-sparse or variational, but is 'best'"));
  EXPECT_THAT(ErrorOf({"show", "a.cloak", "b.cloak"}), HasSubstr("b.cloak"));
  EXPECT_THAT(ErrorOf({"release", "a.csv", "--epsilon"}),
              HasSubstr("--epsilon"));
  EXPECT_THAT(ErrorOf({"show", "--what"}), HasSubstr("'cloak show --help'"));
}

TEST(CommandLine, ReadsTheCommandsOfALedger) {
  const auto init = std::get<LedgerInitArguments>(ParseCommandLine(
      {"ledger", "init", "a.ledger", "d.csv", "--dataset", "heights",
       "--private", "height,weight", "--epsilon", "3", "--delta", "1e-5"}));
  EXPECT_EQ(init.ledger, "a.ledger");
  EXPECT_EQ(init.data, "d.csv");
  EXPECT_EQ(init.private_columns, "height,weight");
  EXPECT_EQ(init.epsilon, "3");
  EXPECT_EQ(std::get<LedgerTableArguments>(
                ParseCommandLine({"ledger", "add", "a.ledger", "d.csv"}))
                .data,
            "d.csv");
  EXPECT_EQ(std::get<LedgerVerifyArguments>(
                ParseCommandLine({"ledger", "verify", "a", "--head", "12"}))
                .head,
            "12");
  EXPECT_TRUE(std::get<LedgerShowArguments>(
                  ParseCommandLine({"ledger", "show", "a", "--json"}))
                  .json);
  EXPECT_THAT(ErrorOf({"ledger"}), HasSubstr("init, add, show or verify"));
  EXPECT_THAT(ErrorOf({"ledger", "shwo"}), HasSubstr("shwo"));
  EXPECT_THAT(ErrorOf({"ledger", "show", "a", "b"}),
              HasSubstr("'cloak ledger show --help'"));
}

TEST(CommandLine, HelpNamesEveryOptionWithExamples) {
  for (const CommandDescription& command : DescribeProgram().commands) {
    std::vector<std::string> words = Split(command.name, ' ');
    words.emplace_back("--help");
    const std::string help =
        std::get<PrintArguments>(ParseCommandLine(words)).text;
    EXPECT_THAT(help, HasSubstr("Examples:"));
    EXPECT_THAT(help, HasSubstr("  cloak "));
    for (const OptionDescription& option : command.options) {
      EXPECT_THAT(help, HasSubstr(option.names.back()));
    }
    size_t column = 0;
    for (const char c : help) {
      column = c == '\n' ? 0 : column + ((c & 0xc0) != 0x80);
      EXPECT_LE(column, 80U) << command.name;
    }
  }
}

TEST(CommandLine, HelpDocumentsCommandsAndExitCodes) {
  const std::string help =
      std::get<PrintArguments>(ParseCommandLine({"--help"})).text;
  for (const char* word : {"release", "predict", "show", "ledger", "completion",
                           "manual", "Exit codes:", "--version"}) {
    EXPECT_THAT(help, HasSubstr(word));
  }
  // With the commit, if there is one, and the type of the build.
  EXPECT_THAT(std::get<PrintArguments>(ParseCommandLine({"--version"})).text,
              AllOf(StartsWith("cloak " + DescribeProgram().version + " ("),
                    EndsWith(")\n")));
}

TEST(Completion, MentionsEveryCommandOptionAndChoice) {
  const ProgramDescription program = DescribeProgram();
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = CompletionScript(program, shell);
    for (const CommandDescription& command : program.commands) {
      for (const std::string& word : Split(command.name, ' ')) {
        EXPECT_THAT(script, HasSubstr(word));
      }
      for (const OptionDescription& option : command.options) {
        const std::string& name = option.names.back();
        const std::string bare = name.substr(name.find_first_not_of('-'));
        EXPECT_THAT(script, HasSubstr(shell == "fish" && name.starts_with("--")
                                          ? "-l " + bare
                                          : bare));
        for (const std::string& choice : option.Choices()) {
          EXPECT_THAT(script, HasSubstr(choice));
        }
      }
    }
  }
  EXPECT_THROW(CompletionScript(program, "tcsh"), InvalidInput);
}

TEST(Manual, MentionsEveryOptionAndExitCode) {
  const ProgramDescription program = DescribeProgram();
  const std::string page = ManualPage(program);
  EXPECT_THAT(page, HasSubstr(".TH CLOAK 1"));
  EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS\n.TP\n\\fB0\\fR\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-noise\\-variance\\fR \\fIV\\fR"));
  for (const CommandDescription& command : program.commands) {
    EXPECT_THAT(page, HasSubstr(".SS cloak " + command.name));
  }
  // A line that begins with a dot is a request; all of ours are known ones.
  EXPECT_THAT(page, Not(HasSubstr("\n..")));
}

TEST(Footer, IsReadAsHeadedParts) {
  const auto parts = FooterParts("First:\n  one\n  two\n\nSecond:\n  three");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].heading, "First");
  EXPECT_THAT(parts[0].lines, testing::ElementsAre("one", "two"));
  EXPECT_THAT(parts[1].lines, testing::ElementsAre("three"));
}

}  // namespace
}  // namespace cloak
