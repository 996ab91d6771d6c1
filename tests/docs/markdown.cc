#include "tests/docs/markdown.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace cloak {
namespace {

constexpr char kPrompt[] = "$ ";
constexpr char kIndent[] = "    ";
constexpr char kFence[] = "```";
constexpr char kAnyWords[] = "…";

struct Block {
  std::string language;
  size_t line = 0;  // of its first line
  std::vector<std::string> lines;
};

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<Block> FencedBlocks(const std::string& markdown) {
  std::vector<Block> blocks;
  bool inside = false;
  const std::vector<std::string> lines = LinesOf(markdown);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with(kFence)) {
      inside = !inside;
      if (inside) {
        blocks.push_back({lines[i].substr(std::size(kFence) - 1), i + 2, {}});
      }
    } else if (inside) {
      blocks.back().lines.push_back(lines[i]);
    }
  }
  return blocks;
}

// Whether a shell would wait for another line.
bool IsUnfinished(const std::string& command) {
  return command.ends_with('\\') ||
         std::count(command.begin(), command.end(), '\'') % 2 == 1;
}

bool Matches(const std::vector<std::string>& printed, size_t i,
             const std::vector<std::string>& shown, size_t j) {
  if (j == shown.size()) return i == printed.size();
  if (shown[j] == kAnyWords) {
    for (size_t next = i; next <= printed.size(); ++next) {
      if (Matches(printed, next, shown, j + 1)) return true;
    }
    return false;
  }
  return i < printed.size() && printed[i] == shown[j] &&
         Matches(printed, i + 1, shown, j + 1);
}

}  // namespace

std::vector<ShownCommand> ConsoleCommands(const std::string& markdown) {
  std::vector<ShownCommand> commands;
  for (const Block& block : FencedBlocks(markdown)) {
    if (block.language != "console") continue;
    for (size_t i = 0; i < block.lines.size(); ++i) {
      if (block.lines[i].starts_with(kPrompt)) {
        commands.push_back({block.line + i,
                            block.lines[i].substr(std::size(kPrompt) - 1), ""});
        std::string& command = commands.back().command;
        while (IsUnfinished(command) && i + 1 < block.lines.size()) {
          command += "\n" + block.lines[++i];
        }
      } else if (!commands.empty()) {
        commands.back().output += block.lines[i] + "\n";
      }
    }
  }
  return commands;
}

std::vector<ShownCommand> IndentedCommands(const std::string& markdown) {
  static const std::regex command_pattern("^    (build/)?cloak [a-z].*");
  static const std::regex follows("^     +[^ ].*");
  std::vector<ShownCommand> commands;
  const std::vector<std::string> lines = LinesOf(markdown);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!std::regex_match(lines[i], command_pattern)) continue;
    commands.push_back({i + 1, lines[i].substr(std::size(kIndent) - 1), ""});
    while (i + 1 < lines.size() && std::regex_match(lines[i + 1], follows)) {
      commands.back().command += " " + lines[++i];
    }
  }
  return commands;
}

std::vector<std::string> BlocksOf(const std::string& markdown,
                                  const std::string& language) {
  std::vector<std::string> blocks;
  for (const Block& block : FencedBlocks(markdown)) {
    if (block.language != language) continue;
    blocks.emplace_back();
    for (const std::string& line : block.lines) blocks.back() += line + "\n";
  }
  return blocks;
}

std::vector<std::string> WordsWithoutNumbers(const std::string& text) {
  static const std::regex checksum("[0-9a-f]{64}");
  static const std::regex moment("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z");
  static const std::regex number("-?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?");
  std::string masked = text;
  for (const std::regex& pattern : {checksum, moment, number}) {
    masked = std::regex_replace(masked, pattern, "#");
  }
  std::istringstream in(masked);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool IsAsShown(const std::string& printed, const std::string& shown) {
  return Matches(WordsWithoutNumbers(printed), 0, WordsWithoutNumbers(shown),
                 0);
}

}  // namespace cloak
