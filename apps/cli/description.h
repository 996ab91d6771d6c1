#ifndef CLOAK_APPS_CLI_DESCRIPTION_H_
#define CLOAK_APPS_CLI_DESCRIPTION_H_

#include <string>
#include <vector>

namespace cloak {

// The command line as data, read off the definitions that parse it: the
// manual and the completions are made from this, so they cannot disagree with
// what the program accepts.

struct OptionDescription {
  // "-o", "--epsilon"; none for a positional argument.
  std::vector<std::string> names;
  // What stands for its value, such as E or FILE.cloak; empty for a flag.
  std::string value;
  std::string text;
  // The releases it is for, such as "--task svm"; empty for any.
  std::string belongs = {};

  bool positional() const { return names.empty(); }
  // The values it accepts when they can be listed: its value is then written
  // a|b|c.
  std::vector<std::string> Choices() const;
  // The value is the name of a file: it is then written with an extension. (A
  // LEDGER may be a file.)
  bool IsFile() const;
};

struct CommandDescription {
  std::string name;
  std::string text;
  std::vector<OptionDescription> arguments;  // positional
  std::vector<OptionDescription> options;
  // Lines after the options of its help: examples.
  std::string footer;
};

struct ProgramDescription {
  std::string name;
  std::string version;
  std::string text;
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> commands;
  // Lines after the commands of its help: exit codes.
  std::string footer;
};

// A footer as headed parts: a line that ends in a colon, and the lines
// indented under it.
struct FooterPart {
  std::string heading;
  std::vector<std::string> lines;
};
std::vector<FooterPart> FooterParts(const std::string& footer);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_DESCRIPTION_H_
