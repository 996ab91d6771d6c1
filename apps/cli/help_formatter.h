#ifndef CLOAK_APPS_CLI_HELP_FORMATTER_H_
#define CLOAK_APPS_CLI_HELP_FORMATTER_H_

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>

#include "apps/cli/wrapped_text.h"
#include "cloak/base/text.h"

namespace cloak {

// Help in 80 columns, in our words.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(kNameColumns);
    label("Positionals", "Arguments");
    label("Subcommands", "Commands");
    label("SUBCOMMAND", "COMMAND");
    label("OPTIONS", "OPTION…");
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string choices =
        HasManyChoices(option)
            ? Text(". One of ", Join(Split(option->get_type_name(), '|'), ", "))
            : "";
    return WrappedText(Text(option->get_description(), choices),
                       kTerminalColumns - kNameColumns);
  }
  // The name of a positional argument says all that its type could.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional()) return "";
    if (HasManyChoices(option)) return " NAME";
    return CLI::Formatter::make_option_opts(option);
  }
  std::string make_option_usage(const CLI::Option* option) const override {
    return make_option_name(option, true);
  }
  std::string make_description(const CLI::App* app) const override {
    return WrappedText(app->get_description(), kTerminalColumns) + "\n\n";
  }
  std::string make_subcommand(const CLI::App* app) const override {
    std::ostringstream out;
    CLI::detail::format_help(
        out, app->get_name(),
        WrappedText(app->get_description(), kTerminalColumns - kNameColumns),
        kNameColumns);
    return out.str();
  }

 private:
  // Too many for the line of their option.
  static bool HasManyChoices(const CLI::Option* option) {
    return Split(option->get_type_name(), '|').size() > 4;
  }

  static constexpr size_t kNameColumns = 28;
};

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_HELP_FORMATTER_H_
