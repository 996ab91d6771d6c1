#ifndef CLOAK_APPS_CLI_OPTION_H_
#define CLOAK_APPS_CLI_OPTION_H_

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "cloak/base/text.h"

namespace cloak {

// One option of a command. `type` stands for the value in help: a|b lists all
// there are.
template <typename T>
void Add(CLI::App* command, const std::string& name, T& value,
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

inline void AddFlag(CLI::App* command, const std::string& name, bool& value,
                    const std::string& text) {
  command->add_flag(name, value, text)->disable_flag_override();
}

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_OPTION_H_
