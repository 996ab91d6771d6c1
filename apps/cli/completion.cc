#include "apps/cli/completion.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

std::vector<std::string> OptionNames(
    const std::vector<OptionDescription>& options) {
  std::vector<std::string> names;
  for (const OptionDescription& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::vector<std::string> CommandNames(const ProgramDescription& program) {
  std::vector<std::string> names;
  for (const CommandDescription& command : program.commands) {
    names.push_back(command.name);
  }
  return names;
}

// "ledger" of "ledger show"; empty for a command of one word.
std::string GroupOf(const CommandDescription& command) {
  const size_t space = command.name.find(' ');
  return space == std::string::npos ? "" : command.name.substr(0, space);
}

// The commands that the program's name may be followed by.
std::vector<std::string> FirstWords(const ProgramDescription& program) {
  std::vector<std::string> names;
  for (const CommandDescription& command : program.commands) {
    if (GroupOf(command).empty()) names.push_back(command.name);
  }
  return names;
}

std::string LastWordOf(const CommandDescription& command) {
  return command.name.substr(command.name.rfind(' ') + 1);
}

// Backslashes before each of `special`.
std::string Escaped(const std::string& text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// In single quotes, for a POSIX shell.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

// What bash may put after `option`: one of a list, a file, or something that
// only the user knows.
std::string BashValue(const OptionDescription& option) {
  if (!option.Choices().empty()) {
    return Text("words='", Join(option.Choices(), " "), "' ;;\n");
  }
  return option.IsFile() ? "files=yes ;;\n" : "return ;;\n";
}

std::string BashScript(const ProgramDescription& program) {
  std::string values;
  std::string names = Text("      '') words='",
                           Join(OptionNames(program.options), " "), "' ;;\n");
  std::string arguments =
      Text("      '') words='", Join(FirstWords(program), " "), "' ;;\n");
  for (const CommandDescription& command : program.commands) {
    for (const OptionDescription& option : command.options) {
      if (option.value.empty()) continue;
      for (const std::string& name : option.names) {
        values +=
            Text("    '", command.name, " ", name, "') ", BashValue(option));
      }
    }
    names += Text("      '", command.name, "') words='",
                  Join(OptionNames(command.options), " "), "' ;;\n");
    if (command.arguments.empty()) continue;
    arguments +=
        Text("      '", command.name, "') ", BashValue(command.arguments[0]));
  }
  return Text("# bash completion for ", program.name, "\n_", program.name,
              "() {\n"
              "  local current=${COMP_WORDS[COMP_CWORD]}\n"
              "  local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
              "  local command= words= files= word\n"
              "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
              "    word=${command:+$command }$word\n"
              "    case $word in\n"
              "      '",
              Join(CommandNames(program), "'|'"),
              "') command=$word ;;\n"
              "    esac\n"
              "  done\n"
              "  COMPREPLY=()\n"
              "  case \"$command $previous\" in\n",
              values, "    *) if [[ $current == -* ]]; then case $command in\n",
              names, "    esac; else case $command in\n", arguments,
              "    esac; fi ;;\n"
              "  esac\n"
              "  if [[ $files ]]; then\n"
              "    compopt -o filenames 2>/dev/null\n"
              "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
              "  else\n"
              "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
              "\"$current\")\n"
              "  fi\n"
              "}\ncomplete -F _",
              program.name, " ", program.name, "\n");
}

std::string ZshAction(const OptionDescription& option) {
  const std::string message = Escaped(option.value, ":");
  if (!option.Choices().empty()) {
    return Text(":", message, ":(", Join(option.Choices(), " "), ")");
  }
  return Text(":", message, ":", option.IsFile() ? "_files" : " ");
}

std::string ZshOption(const OptionDescription& option,
                      const std::string& name) {
  // With = the value may follow it as well as a space.
  const bool equals = name.starts_with("--") && !option.value.empty();
  return Quoted(Text(name, equals ? "=" : "", "[",
                     Escaped(option.text, "[]:\\"), "]",
                     option.value.empty() ? "" : ZshAction(option)));
}

std::string ZshArguments(const std::vector<OptionDescription>& options,
                         const std::vector<OptionDescription>& arguments) {
  std::string text = "_arguments -s -C";
  for (const OptionDescription& option : options) {
    for (const std::string& name : option.names) {
      text += " \\\n        " + ZshOption(option, name);
    }
  }
  for (const OptionDescription& argument : arguments) {
    text += " \\\n        " + Quoted(ZshAction(argument));
  }
  return text;
}

std::string ZshScript(const ProgramDescription& program) {
  std::string text = Text("#compdef ", program.name, "\n_", program.name,
                          "() {\n  local -a commands\n  commands=(\n");
  for (const CommandDescription& command : program.commands) {
    if (!GroupOf(command).empty()) continue;
    text +=
        Text("    ", Quoted(command.name + ":" + Escaped(command.text, ":\\")),
             "\n");
  }
  text += "  )\n  local curcontext=$curcontext state line\n  ";
  text += ZshArguments(program.options, {});
  text +=
      " \\\n        '1: :->command' '*:: :->arguments'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    arguments)\n      case \"$words[1] $words[2]\" in\n";
  for (const CommandDescription& command : program.commands) {
    if (GroupOf(command).empty()) continue;
    text += Text("      '", command.name,
                 "')\n        shift words; (( CURRENT-- ))\n        ",
                 ZshArguments(command.options, command.arguments), " ;;\n");
  }
  for (const CommandDescription& command : program.commands) {
    if (!GroupOf(command).empty()) continue;
    text += Text("      '", command.name, " '*)\n        ",
                 ZshArguments(command.options, command.arguments), " ;;\n");
  }
  // Both ways zsh loads a completion: as a function of its path, or sourced.
  return Text(text, "      esac ;;\n  esac\n}\nif [ \"$funcstack[1]\" = \"_",
              program.name, "\" ]; then\n  _", program.name,
              " \"$@\"\nelse\n  compdef _", program.name, " ", program.name,
              "\nfi\n");
}

std::string FishQuoted(const std::string& text) {
  return Text("'", Escaped(text, "'\\"), "'");
}

std::string FishOption(const ProgramDescription& program,
                       const OptionDescription& option,
                       const std::string& condition) {
  std::string line =
      Text("complete -c ", program.name, " -n ", FishQuoted(condition));
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? Text(" -l ", name.substr(2))
                                   : Text(" -s ", name.substr(1));
  }
  if (!option.value.empty()) line += option.IsFile() ? " -r -F" : " -x";
  if (!option.Choices().empty()) {
    line += Text(" -a ", FishQuoted(Join(option.Choices(), " ")));
  }
  return Text(line, " -d ", FishQuoted(option.text), "\n");
}

// When a command was given: its word, or both of its words, and not those of
// another that shares one with it ("show" and "ledger show").
std::string FishCondition(const ProgramDescription& program,
                          const CommandDescription& command) {
  std::string condition = "__fish_seen_subcommand_from " + LastWordOf(command);
  if (!GroupOf(command).empty()) {
    return Text("__fish_seen_subcommand_from ", GroupOf(command), "; and ",
                condition);
  }
  for (const CommandDescription& other : program.commands) {
    if (GroupOf(other).empty()) continue;
    if (LastWordOf(other) == command.name) {
      condition +=
          Text("; and not __fish_seen_subcommand_from ", GroupOf(other));
    } else if (GroupOf(other) == command.name) {
      condition +=
          Text("; and not __fish_seen_subcommand_from ", LastWordOf(other));
    }
  }
  return condition;
}

std::string FishScript(const ProgramDescription& program) {
  std::string text = Text("# fish completion for ", program.name,
                          "\ncomplete -c ", program.name, " -f\n");
  for (const OptionDescription& option : program.options) {
    text += FishOption(program, option, "__fish_use_subcommand");
  }
  for (const CommandDescription& command : program.commands) {
    if (GroupOf(command).empty()) {
      text +=
          Text("complete -c ", program.name, " -n __fish_use_subcommand -a ",
               command.name, " -d ", FishQuoted(command.text), "\n");
    }
    const std::string condition = FishCondition(program, command);
    for (const OptionDescription& option : command.options) {
      text += FishOption(program, option, condition);
    }
    // Two positional arguments complete alike, so one line does for both.
    if (command.arguments.empty()) continue;
    const OptionDescription& argument = command.arguments[0];
    text += Text("complete -c ", program.name, " -n ", FishQuoted(condition),
                 argument.IsFile()
                     ? std::string(" -F")
                     : Text(" -a ", FishQuoted(Join(argument.Choices(), " "))),
                 "\n");
  }
  return text;
}

}  // namespace

std::string CompletionScript(const ProgramDescription& program,
                             const std::string& shell) {
  if (shell == "bash") return BashScript(program);
  if (shell == "zsh") return ZshScript(program);
  if (shell == "fish") return FishScript(program);
  throw InvalidInput("completion needs a shell: bash, zsh or fish");
}

}  // namespace cloak
