#include "apps/cli/quoted_names.h"

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

constexpr std::string_view kBeforeNames = ",=|:";

// Where the quoted name that begins at `begin` ends: behind its last quote.
size_t EndOfQuotes(std::string_view text, size_t begin) {
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] != '"') continue;
    const bool is_doubled = i + 1 < text.size() && text[i + 1] == '"';
    if (!is_doubled) return i + 1;
    ++i;
  }
  throw InvalidInput(Text("a quote is never closed in '", std::string(text),
                          "'; a name in quotes ends with one"));
}

// Calls visit(i) for every character that is not in quotes.
template <typename Visit>
void VisitOutsideQuotes(std::string_view text, const Visit& visit) {
  bool begins_name = true;
  for (size_t i = 0; i < text.size();) {
    if (begins_name && text[i] == '"') {
      i = EndOfQuotes(text, i);
      begins_name = false;
      continue;
    }
    visit(i);
    begins_name = kBeforeNames.find(text[i]) != std::string_view::npos;
    ++i;
  }
}

}  // namespace

std::vector<std::string> SplitOutsideQuotes(std::string_view text,
                                            char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  VisitOutsideQuotes(text, [&](size_t i) {
    if (text[i] != separator) return;
    parts.emplace_back(text.substr(begin, i - begin));
    begin = i + 1;
  });
  parts.emplace_back(text.substr(begin));
  return parts;
}

size_t FindLastOutsideQuotes(std::string_view text, char c) {
  size_t place = std::string_view::npos;
  VisitOutsideQuotes(text, [&](size_t i) {
    if (text[i] == c) place = i;
  });
  return place;
}

std::string WithoutQuotes(std::string_view name) {
  if (!name.starts_with('"') || EndOfQuotes(name, 0) != name.size()) {
    return std::string(name);
  }
  std::string plain;
  for (size_t i = 1; i + 1 < name.size(); ++i) {
    plain += name[i];
    if (name[i] == '"') ++i;
  }
  return plain;
}

std::vector<std::string> SplitNames(std::string_view text, char separator) {
  std::vector<std::string> names = SplitOutsideQuotes(text, separator);
  for (std::string& name : names) name = WithoutQuotes(name);
  return names;
}

}  // namespace cloak
