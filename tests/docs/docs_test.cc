// Runs every command that README.md and docs/*.md show at a prompt, in a folder
// of its own for each document, and compares what does not depend on noise.

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>

#include "cloak/base/text.h"
#include "tests/docs/markdown.h"

namespace cloak {
namespace {

using testing::HasSubstr;

// They go on with the files that README.md makes.
const std::set<std::string> kAfterTheReadme = {"docs/file-format.md",
                                               "docs/guide.md"};

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> Documents() {
  std::vector<std::string> documents = {"README.md"};
  for (const auto& entry :
       std::filesystem::directory_iterator(CLOAK_SOURCE "/docs")) {
    if (entry.path().extension() == ".md") {
      documents.push_back("docs/" + entry.path().filename().string());
    }
  }
  std::sort(documents.begin(), documents.end());
  return documents;
}

struct Ended {
  int code = 0;
  std::string printed;  // on both streams
};

class Docs : public testing::TestWithParam<std::string> {
 protected:
  Docs() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "cloak-docs-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::filesystem::create_directory(folder_ / "build");
    std::filesystem::create_symlink(CLOAK_PROGRAM, folder_ / "build/cloak");
    std::filesystem::create_directory_symlink(CLOAK_SOURCE "/examples",
                                              folder_ / "examples");
    // The survey is what custodians of the documents have.
    std::filesystem::copy_file(CLOAK_SOURCE
                               "/examples/survey/simulated_heights.csv",
                               folder_ / "heights.csv");
    markdown_ = ReadText(std::filesystem::path(CLOAK_SOURCE) / GetParam());
    for (const std::string& program : BlocksOf(markdown_, "python")) {
      std::ofstream(folder_ / "predict.py") << program;
    }
  }
  ~Docs() override { std::filesystem::remove_all(folder_); }

  Ended Run(const std::string& command) const {
    const std::filesystem::path script = folder_ / ".command";
    std::ofstream(script) << command << "\n";
    const std::string line =
        Text("cd '", folder_.string(),
             "' && PATH=\"$PWD/build:$PATH\" bash .command 2>&1 </dev/null");
    FILE* pipe = popen(line.c_str(), "r");
    Ended ended;
    std::array<char, 4096> buffer{};
    while (const size_t size = fread(buffer.data(), 1, buffer.size(), pipe)) {
      ended.printed.append(buffer.data(), size);
    }
    const int status = pclose(pipe);
    ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ended;
  }

  void RunAsShown(const ShownCommand& shown) const {
    const std::string where = Text(GetParam(), ":", shown.line);
    if (shown.command.starts_with("python3") && !HasPython()) {
      std::cout << where << " is skipped: there is no python3\n";
      return;
    }
    const Ended ended = Run(shown.command);
    // Errors are shown too.
    const bool fails = shown.output.starts_with("cloak: ");
    EXPECT_EQ(ended.code != 0, fails) << where << "\n" << ended.printed;
    if (shown.output.empty()) return;
    EXPECT_TRUE(IsAsShown(ended.printed, shown.output))
        << where << " shows\n"
        << shown.output << "but it prints\n"
        << ended.printed;
    if (shown.command.starts_with("python3")) {
      ExpectPredictions(shown.command, ended.printed, where);
    }
  }

  // What a script printed without Cloak begins each line of `cloak predict`.
  void ExpectPredictions(const std::string& command, const std::string& printed,
                         const std::string& where) const {
    const Ended predicted = Run(std::regex_replace(
        command, std::regex("^python3 \\S+"), "build/cloak predict"));
    std::istringstream expected(predicted.printed);
    std::istringstream lines(printed);
    std::string header;
    std::getline(expected, header);
    std::string line;
    std::string other;
    while (std::getline(lines, line)) {
      ASSERT_TRUE(std::getline(expected, other)) << where;
      const std::vector<std::string> numbers = Split(line, ',');
      const std::vector<std::string> others = Split(other, ',');
      ASSERT_LE(numbers.size(), others.size()) << where;
      for (size_t i = 0; i < numbers.size(); ++i) {
        const double value = ParseNumber(others[i], "a prediction");
        EXPECT_NEAR(ParseNumber(numbers[i], "a number"), value,
                    1e-6 * std::max(1e-3, std::abs(value)))
            << where << "\n"
            << header;
      }
    }
    EXPECT_FALSE(std::getline(expected, other)) << where << "\n" << other;
  }

  bool HasPython() const { return Run("command -v python3").code == 0; }

  std::filesystem::path folder_;
  std::string markdown_;
};

TEST_P(Docs, CommandsPrintWhatIsShown) {
  if (kAfterTheReadme.contains(GetParam())) {
    for (const ShownCommand& before :
         ConsoleCommands(ReadText(CLOAK_SOURCE "/README.md"))) {
      ASSERT_EQ(Run(before.command).code, 0) << before.command;
    }
  }
  for (const ShownCommand& shown : ConsoleCommands(markdown_)) {
    RunAsShown(shown);
  }
}

TEST_P(Docs, OptionsOfOtherCommandsExist) {
  static const std::regex command_pattern(
      "(?:build/)?cloak ((?:ledger )?[a-z]+)( .*)?");
  static const std::regex option_pattern("(^|[ \\[])(--?[a-zA-Z][a-z-]*)");
  for (const ShownCommand& shown : IndentedCommands(markdown_)) {
    const std::string command =
        shown.command.substr(0, shown.command.find('|'));
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(command, parts, command_pattern)) << command;
    const Ended help = Run(Text("build/cloak ", parts[1].str(), " --help"));
    EXPECT_EQ(help.code, 0) << GetParam() << ":" << shown.line;
    const std::string rest = parts[2].str().substr(0, parts[2].str().find('#'));
    for (std::sregex_iterator option(rest.begin(), rest.end(), option_pattern),
         end;
         option != end; ++option) {
      EXPECT_THAT(help.printed, HasSubstr((*option)[2].str()))
          << GetParam() << ":" << shown.line;
    }
  }
}

// In running text and tables; what begins with another program is of that one.
TEST_P(Docs, OptionsInTheTextExist) {
  static const std::regex span_pattern("`([^`\n]+)`");
  static const std::regex option_pattern("(^|[ \\[|])(--[a-z][a-z-]*)");
  // The manual has an escape before each hyphen.
  const std::string manual = std::regex_replace(
      Run("build/cloak manual").printed, std::regex("\\\\-"), "-");
  for (std::sregex_iterator
           span(markdown_.begin(), markdown_.end(), span_pattern),
       last;
       span != last; ++span) {
    const std::string code = (*span)[1].str();
    if (code.starts_with("cmake ")) continue;
    for (std::sregex_iterator option(code.begin(), code.end(), option_pattern),
         end;
         option != end; ++option) {
      EXPECT_TRUE(std::regex_search(
          manual, std::regex((*option)[2].str() + "([^a-z-]|$)")))
          << "there is no option " << (*option)[2] << ", as in '" << code
          << "'";
    }
  }
}

std::string DocumentName(const testing::TestParamInfo<std::string>& document) {
  return std::regex_replace(document.param, std::regex("[^A-Za-z]"), "_");
}

INSTANTIATE_TEST_SUITE_P(All, Docs, testing::ValuesIn(Documents()),
                         DocumentName);

// Whoever adds an option writes the page again:
//   build/cloak manual --markdown > docs/commands.md
TEST(CommandsPage, IsWhatTheProgramSays) {
  std::FILE* const pipe = popen(CLOAK_PROGRAM " manual --markdown", "r");
  ASSERT_NE(pipe, nullptr);
  std::string page;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    page += static_cast<char>(c);
  }
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(ReadText(CLOAK_SOURCE "/docs/commands.md"), page);
}

}  // namespace
}  // namespace cloak
