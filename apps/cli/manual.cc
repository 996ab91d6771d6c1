#include "apps/cli/manual.h"

#include <algorithm>
#include <cctype>

#include "cloak/base/text.h"

namespace cloak {
namespace {

// Text as roff reads it: a backslash and a leading dot or quote are commands,
// a bare - may become a hyphen that cannot be pasted into a shell.
std::string Roff(const std::string& text) {
  std::string roff;
  for (const char c : text) {
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else if (c == '\'') {
      roff += "\\(aq";
    } else {
      roff += c;
    }
  }
  if (!roff.empty() && roff.front() == '.') roff.insert(0, "\\&");
  return roff;
}

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string OptionEntry(const OptionDescription& option) {
  std::string heading;
  for (const std::string& name : option.names) {
    if (!heading.empty()) heading += ", ";
    heading += "\\fB" + Roff(name) + "\\fR";
  }
  if (!option.value.empty()) {
    if (!heading.empty()) heading += " ";
    heading += "\\fI" + Roff(option.value) + "\\fR";
  }
  return Text(".TP\n", heading, "\n", Roff(option.text), "\n",
              option.belongs.empty()
                  ? ""
                  : Text(".br\nFor ", Roff(option.belongs), "\n"));
}

std::string Synopsis(const ProgramDescription& program,
                     const CommandDescription& command) {
  std::string line = Text("\\fB", program.name, " ", command.name, "\\fR");
  for (const OptionDescription& argument : command.arguments) {
    line += " \\fI" + Roff(argument.value) + "\\fR";
  }
  return Text(line, " [\\fIoption\\fR...]\n");
}

std::string Example(const std::vector<std::string>& lines) {
  std::string text = ".PP\n.nf\n.RS\n";
  for (const std::string& line : lines) text += Roff(line) + "\n";
  return text + ".RE\n.fi\n";
}

std::string CommandSection(const ProgramDescription& program,
                           const CommandDescription& command) {
  std::string text = Text(".SS ", program.name, " ", command.name, "\n",
                          Roff(command.text), ".\n");
  for (const OptionDescription& argument : command.arguments) {
    text += OptionEntry(argument);
  }
  for (const OptionDescription& option : command.options) {
    text += OptionEntry(option);
  }
  for (const FooterPart& part : FooterParts(command.footer)) {
    text += Text(".PP\n", Roff(part.heading), ":\n", Example(part.lines));
  }
  return text;
}

// "2  wrong input" as an entry.
std::string ExitCodes(const FooterPart& part) {
  std::string text = ".SH EXIT STATUS\n";
  for (const std::string& line : part.lines) {
    const size_t gap = line.find("  ");
    text += Text(".TP\n\\fB", line.substr(0, gap), "\\fR\n",
                 Roff(line.substr(gap + 2)), "\n");
  }
  return text;
}

// Text as a cell of a table in Markdown.
std::string Cell(const std::string& text) {
  return Join(Split(text, '|'), "\\|");
}

std::string Code(const std::string& text) {
  return text.empty() ? "" : Text("`", Cell(text), "`");
}

std::string OptionRow(const OptionDescription& option) {
  const std::string name = Join(option.names, ", ");
  return Text("| ",
              Code(Text(name, name.empty() || option.value.empty() ? "" : " ",
                        option.value)),
              " | ", Cell(option.text), " | ", Code(option.belongs), " |\n");
}

}  // namespace

std::string MarkdownPage(const ProgramDescription& program) {
  std::string page =
      Text("# The commands of ", program.name,
           "\n\nWritten by `cloak manual --markdown`: what the program itself "
           "knows of its options.\nThe [guide](guide.md) explains them.\n");
  for (const CommandDescription& command : program.commands) {
    page += Text("\n## ", program.name, " ", command.name, "\n\n", command.text,
                 ".\n\n| option | what it does | for |\n"
                 "| --- | --- | --- |\n");
    for (const auto& options : {command.arguments, command.options}) {
      for (const OptionDescription& option : options) {
        page += OptionRow(option);
      }
    }
  }
  return page;
}

std::string ManualPage(const ProgramDescription& program) {
  std::string page =
      Text(".TH ", Upper(program.name), " 1 \"\" \"", program.name, " ",
           program.version, "\" \"User Commands\"\n.SH NAME\n", program.name,
           " \\- differentially private regression: release "
           "once, infer for ever\n.SH SYNOPSIS\n");
  for (const CommandDescription& command : program.commands) {
    if (&command != &program.commands.front()) page += ".br\n";
    page += Synopsis(program, command);
  }
  page += Text(".SH DESCRIPTION\n", Roff(program.text), "\n.SH OPTIONS\n");
  for (const OptionDescription& option : program.options) {
    page += OptionEntry(option);
  }
  page += ".SH COMMANDS\n";
  for (const CommandDescription& command : program.commands) {
    page += CommandSection(program, command);
  }
  for (const FooterPart& part : FooterParts(program.footer)) {
    if (part.heading == "Exit codes") {
      page += ExitCodes(part);
    } else {
      page += Text(".SH ", Upper(part.heading), "\n", Example(part.lines));
    }
  }
  return page;
}

}  // namespace cloak
