#ifndef CLOAK_TESTS_DOCS_MARKDOWN_H_
#define CLOAK_TESTS_DOCS_MARKDOWN_H_

#include <string>
#include <vector>

namespace cloak {

// What a document shows at a prompt: a command, and what it is said to print.
struct ShownCommand {
  size_t line = 0;
  std::string command;
  std::string output;  // empty: not shown
};

// The commands of all ```console blocks, in their order.
std::vector<ShownCommand> ConsoleCommands(const std::string& markdown);

// The commands of this program in blocks that are indented by four blanks, each
// in one line. They are not for a machine to run: there are placeholders.
std::vector<ShownCommand> IndentedCommands(const std::string& markdown);

// The contents of all blocks of a language, such as ```python.
std::vector<std::string> BlocksOf(const std::string& markdown,
                                  const std::string& language);

// The words of a text, in which every number is '#', as is every checksum: what
// does not depend on noise.
std::vector<std::string> WordsWithoutNumbers(const std::string& text);

// Whether a program printed what is shown, in which '…' stands for any words.
bool IsAsShown(const std::string& printed, const std::string& shown);

}  // namespace cloak

#endif  // CLOAK_TESTS_DOCS_MARKDOWN_H_
