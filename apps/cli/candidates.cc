#include "apps/cli/candidates.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <set>

#include "apps/cli/files.h"
#include "apps/cli/release_options.h"
#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/file_bytes.h"

namespace cloak {
namespace {

constexpr size_t kMostCandidates = 10'000;
constexpr std::ptrdiff_t kMostBraces = 100;
constexpr size_t kMaxGridBytes = size_t{1} << 24;

// Returns the options that describe a candidate.
std::vector<ReleaseOption> ModelOptions() {
  std::vector<ReleaseOption> options;
  for (const ReleaseOption& option : ReleaseOptions()) {
    if (option.model && (option.commands & kSelect) != 0) {
      options.push_back(option);
    }
  }
  return options;
}

// What stands between the braces, at the commas that are not inside brackets.
std::vector<std::string> SplitAlternatives(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// A word that begins with a quote ends at the next one, as CLI11 sees it.
bool QuotesAreClosed(const std::string& line) {
  constexpr char kBlanks[] = " \t\r";
  size_t word = line.find_first_not_of(kBlanks);
  while (word != std::string::npos) {
    const bool quoted =
        std::string("'\"`").find(line[word]) != std::string::npos;
    const size_t end = quoted ? line.find(line[word], word + 1)
                              : line.find_first_of(kBlanks, word);
    if (end == std::string::npos) return !quoted;
    word = line.find_first_not_of(kBlanks, end + 1);
  }
  return true;
}

bool IsModelGiven(const ReleaseArguments& arguments) {
  const std::vector<ReleaseOption> options = ModelOptions();
  return std::any_of(
      options.begin(), options.end(),
      [&](const ReleaseOption& option) { return IsGiven(option, arguments); });
}

void CheckCount(size_t count) {
  RequireInput(count <= kMostCandidates, "there may be at most ",
               kMostCandidates, " candidates");
}

std::string Bytes(const std::string& path, const Streams& streams) {
  if (!IsStream(path)) return ReadFileBytes(path, kMaxGridBytes);
  return {std::istreambuf_iterator<char>(streams.in), {}};
}

// Returns the arguments with the model of another.
ReleaseArguments WithModel(ReleaseArguments arguments,
                           const ReleaseArguments& model) {
  for (const ReleaseOption& option : ModelOptions()) {
    std::visit([&](const auto member) { arguments.*member = model.*member; },
               option.member);
  }
  return arguments;
}

std::vector<ReleaseArguments> ReadGrid(const SelectArguments& arguments,
                                       const Streams& streams) {
  const std::string& path = *arguments.grid;
  std::vector<ReleaseArguments> candidates;
  size_t number = 0;
  for (const std::string& line : Split(Bytes(path, streams), '\n')) {
    ++number;
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    try {
      for (const ReleaseArguments& model : AllModels(ParseModel(line))) {
        candidates.push_back(WithModel(arguments, model));
      }
      CheckCount(candidates.size());
    } catch (const InvalidInput& error) {
      throw InvalidInput(
          Text("'", path, "', line ", number, ": ", error.what()));
    }
  }
  return candidates;
}

}  // namespace

std::vector<std::string> Alternatives(const std::string& text,
                                      const std::string& what) {
  const size_t begin = text.find_first_of("{}");
  if (begin == std::string::npos) return {text};
  const size_t end = text.find_first_of("{}", begin + 1);
  RequireInput(
      text[begin] == '{' && end != std::string::npos && text[end] == '}', what,
      " must have alternatives as {a,b}, each '{' with its own '}', "
      "but is '",
      text, "'");
  // Each pair of braces is a call.
  RequireInput(std::count(text.begin(), text.end(), '{') <= kMostBraces, what,
               " may have alternatives at ", kMostBraces, " places at most");
  const std::vector<std::string> rest =
      Alternatives(text.substr(end + 1), what);
  std::vector<std::string> all;
  for (const std::string& part :
       SplitAlternatives(text.substr(begin + 1, end - begin - 1))) {
    RequireInput(part.find_first_not_of(" \t") != std::string::npos, what,
                 " has an empty alternative in '", text, "'");
    for (const std::string& tail : rest) {
      all.push_back(Text(text.substr(0, begin), part, tail));
    }
    CheckCount(all.size());
  }
  return all;
}

std::vector<ReleaseArguments> AllModels(const ReleaseArguments& model) {
  std::vector<ReleaseArguments> all = {model};
  for (const ReleaseOption& option : ModelOptions()) {
    if (!IsGiven(option, model)) continue;
    const std::vector<std::string> values =
        Alternatives(ValueOf(option, model), option.name);
    CheckCount(all.size() * values.size());
    std::vector<ReleaseArguments> more;
    for (const ReleaseArguments& one : all) {
      for (const std::string& value : values) {
        more.push_back(one);
        SetValue(option, value, more.back());
      }
    }
    all = std::move(more);
  }
  return all;
}

std::vector<ReleaseArguments> ReadCandidates(const SelectArguments& arguments,
                                             const Streams& streams) {
  RequireInput(arguments.grid.has_value() || IsModelGiven(arguments),
               "what is there to choose from? Give the kernel and the noise "
               "variance with alternatives in braces, such as\n"
               "  --kernel 'eq(variance=600, lengthscale={5,15,45})' "
               "--noise-variance '{25,50}'\n"
               "or a file with a candidate on each line (--grid)");
  RequireInput(!arguments.grid.has_value() || !IsModelGiven(arguments),
               "candidates are in the file of --grid or on the command line, "
               "not both: leave out --grid, or the options of the model");
  RequireInput(!(arguments.grid == "-" && arguments.data == "-"),
               "the table and --grid cannot both be standard input");
  std::vector<ReleaseArguments> candidates = arguments.grid.has_value()
                                                 ? ReadGrid(arguments, streams)
                                                 : AllModels(arguments);
  RequireInput(
      candidates.size() >= 2,
      "there must be at least two candidates to choose from, but there ",
      candidates.empty() ? "is none" : "is one",
      "; alternatives are written in braces, such as --noise-variance "
      "'{25,50}'");
  std::set<std::vector<std::string>> different;
  for (const ReleaseArguments& candidate : candidates) {
    const std::vector<std::string> words = WordsOf(candidate);
    RequireInput(different.insert(words).second,
                 "two candidates are the same, ", ShellText(words),
                 "; leave one of them out");
  }
  return candidates;
}

ReleaseArguments ParseModel(const std::string& line) {
  RequireInput(QuotesAreClosed(line), "a quote is opened and not closed in '",
               line, "'");
  ReleaseArguments model;
  CLI::App app;
  app.set_help_flag();
  AddModelOptions(&app, model);
  try {
    app.parse(line);
  } catch (const CLI::ParseError& error) {
    std::vector<std::string> names;
    for (const ReleaseOption& option : ModelOptions()) {
      names.push_back(option.name);
    }
    throw InvalidInput(Text(error.what(),
                            "\nA candidate is written in the options ",
                            Join(names, ", "), "."));
  }
  return model;
}

std::vector<std::string> WordsOf(const ReleaseArguments& model) {
  std::vector<std::string> words;
  for (const ReleaseOption& option : ModelOptions()) {
    if (!IsGiven(option, model)) continue;
    words.push_back(option.name);
    words.push_back(ValueOf(option, model));
  }
  return words;
}

std::string ShellText(const std::vector<std::string>& words) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "-_./:=,+";
  std::vector<std::string> quoted;
  for (const std::string& word : words) {
    const bool plain =
        !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    quoted.push_back(plain ? word
                           : Text("'", Join(Split(word, '\''), "'\\''"), "'"));
  }
  return Join(quoted, " ");
}

}  // namespace cloak
