#include "apps/cli/candidates.h"

#include <algorithm>
#include <iterator>
#include <optional>
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

struct ModelOption {
  const char* name;
  std::optional<std::string> ModelArguments::*value;
};

// All but the method.
constexpr ModelOption kOptions[] = {
    {"--design", &ModelArguments::design},
    {"--kernel", &ModelArguments::kernel},
    {"--noise-variance", &ModelArguments::noise_variance},
    {"--inducing", &ModelArguments::inducing},
    {"--neighbours", &ModelArguments::neighbours},
    {"--degree", &ModelArguments::degree}};

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

bool IsGiven(const ModelArguments& model) {
  if (model.method != ModelArguments().method) return true;
  for (const ModelOption& option : kOptions) {
    if ((model.*option.value).has_value()) return true;
  }
  return false;
}

void CheckCount(size_t count) {
  RequireInput(count <= kMostCandidates, "there may be at most ",
               kMostCandidates, " candidates");
}

std::string Bytes(const std::string& path, const Streams& streams) {
  if (!IsStream(path)) return ReadFileBytes(path, kMaxGridBytes);
  return {std::istreambuf_iterator<char>(streams.in), {}};
}

std::vector<ModelArguments> ReadGrid(const std::string& path,
                                     const Streams& streams) {
  std::vector<ModelArguments> candidates;
  size_t number = 0;
  for (const std::string& line : Split(Bytes(path, streams), '\n')) {
    ++number;
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    try {
      for (ModelArguments& model : AllModels(ParseModel(line))) {
        candidates.push_back(std::move(model));
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

std::vector<ModelArguments> AllModels(const ModelArguments& model) {
  std::vector<ModelArguments> all;
  for (const std::string& method : Alternatives(model.method, "--method")) {
    all.push_back(model);
    all.back().method = method;
  }
  for (const ModelOption& option : kOptions) {
    if (!(model.*option.value).has_value()) continue;
    const std::vector<std::string> values =
        Alternatives(*(model.*option.value), option.name);
    CheckCount(all.size() * values.size());
    std::vector<ModelArguments> more;
    for (const ModelArguments& one : all) {
      for (const std::string& value : values) {
        more.push_back(one);
        more.back().*option.value = value;
      }
    }
    all = std::move(more);
  }
  return all;
}

std::vector<ModelArguments> ReadCandidates(const SelectArguments& arguments,
                                           const Streams& streams) {
  const ModelArguments& model = arguments.plan;
  RequireInput(arguments.grid.has_value() || IsGiven(model),
               "what is there to choose from? Give the kernel and the noise "
               "variance with alternatives in braces, such as\n"
               "  --kernel 'eq(variance=600, lengthscale={5,15,45})' "
               "--noise-variance '{25,50}'\n"
               "or a file with a candidate on each line (--grid)");
  RequireInput(!arguments.grid.has_value() || !IsGiven(model),
               "candidates are in the file of --grid or on the command line, "
               "not both: leave out --grid, or the options of the model");
  RequireInput(!(arguments.grid == "-" && arguments.plan.data == "-"),
               "the table and --grid cannot both be standard input");
  std::vector<ModelArguments> candidates =
      arguments.grid.has_value() ? ReadGrid(*arguments.grid, streams)
                                 : AllModels(model);
  RequireInput(
      candidates.size() >= 2,
      "there must be at least two candidates to choose from, but there ",
      candidates.empty() ? "is none" : "is one",
      "; alternatives are written in braces, such as --noise-variance "
      "'{25,50}'");
  std::set<std::vector<std::string>> different;
  for (const ModelArguments& candidate : candidates) {
    const std::vector<std::string> words = WordsOf(candidate);
    RequireInput(different.insert(words).second,
                 "two candidates are the same, ", ShellText(words),
                 "; leave one of them out");
  }
  return candidates;
}

std::vector<std::string> WordsOf(const ModelArguments& model) {
  std::vector<std::string> words;
  if (model.method != ModelArguments().method) {
    words = {"--method", model.method};
  }
  for (const ModelOption& option : kOptions) {
    const std::optional<std::string>& value = model.*option.value;
    if (!value.has_value()) continue;
    words.emplace_back(option.name);
    words.push_back(*value);
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
