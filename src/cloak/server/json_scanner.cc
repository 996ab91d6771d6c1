#include "cloak/server/json_scanner.h"

#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cloak/base/text.h"
#include "cloak/server/http_error.h"

namespace cloak {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void JsonScanner::Malformed() const {
  throw HttpError(400, "malformed_json",
                  Text("the body is not JSON: an error at byte ", at_ + 1),
                  "numbers are written as 1.5 or 1e-3; NaN and Infinity are "
                  "not JSON, and no release has an answer for them");
}

void JsonScanner::ExpectEnd() {
  SkipBlanks();
  if (at_ < text_.size()) Malformed();
}

bool JsonScanner::TakeWord(std::string_view word) {
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

JsonScanner::Kind JsonScanner::Peek() {
  SkipBlanks();
  const char c = Next();
  if (IsDigit(c) || c == '-') return Kind::kNumber;
  if (c == '{') return Kind::kObject;
  if (c == '[') return Kind::kArray;
  if (c == '"') return Kind::kText;
  const std::string_view rest = text_.substr(at_);
  if (rest.starts_with("true") || rest.starts_with("false")) {
    return Kind::kBoolean;
  }
  if (rest.starts_with("null")) return Kind::kNull;
  Malformed();
}

const char* JsonScanner::Name(Kind kind) {
  switch (kind) {
    case Kind::kObject:
      return "an object";
    case Kind::kArray:
      return "an array";
    case Kind::kText:
      return "text";
    case Kind::kNumber:
      return "a number";
    case Kind::kBoolean:
      return "true or false";
    case Kind::kNull:
      return "null";
  }
  return "";
}

void JsonScanner::SkipDigits() {
  if (!IsDigit(Next())) Malformed();
  while (IsDigit(Next())) ++at_;
}

// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
std::string_view JsonScanner::NumberText() {
  SkipBlanks();
  const size_t begin = at_;
  if (Next() == '-') ++at_;
  if (Next() == '0') {
    ++at_;
  } else {
    SkipDigits();
  }
  if (Next() == '.') {
    ++at_;
    SkipDigits();
  }
  if (Next() == 'e' || Next() == 'E') {
    ++at_;
    if (Next() == '+' || Next() == '-') ++at_;
    SkipDigits();
  }
  return text_.substr(begin, at_ - begin);
}

double JsonScanner::Number() {
  const std::string_view digits = NumberText();
  double value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc()) return value;
  // Out of range: infinite or, if it is too small, 0, as strtod tells them
  // apart.
  return std::strtod(std::string(digits).c_str(), nullptr);
}

bool JsonScanner::Boolean() {
  SkipBlanks();
  if (TakeWord("true")) return true;
  if (TakeWord("false")) return false;
  Malformed();
}

std::string JsonScanner::String() {
  Expect('"');
  const size_t begin = at_;
  bool plain = true;
  for (; Next() != '"'; ++at_) {
    const auto c = static_cast<unsigned char>(Next());
    if (c < 0x20) Malformed();
    if (c < 0x80 && c != '\\') continue;
    plain = false;
    if (c == '\\' && ++at_ == text_.size()) Malformed();
  }
  ++at_;
  if (plain) return std::string(text_.substr(begin, at_ - 1 - begin));
  // Escapes, and whether the rest is UTF-8, are left to the library.
  const nlohmann::json text = nlohmann::json::parse(
      text_.substr(begin - 1, at_ - begin + 1), nullptr, false);
  if (!text.is_string()) Malformed();
  return text.get<std::string>();
}

}  // namespace cloak
