#include "cloak/server/path.h"

#include "cloak/base/text.h"
#include "cloak/server/http_error.h"

namespace cloak {
namespace {

[[noreturn]] void RefusePath(const std::string& message) {
  throw HttpError(400, "malformed_target", message,
                  "GET /openapi.json lists the paths there are");
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  RefusePath("the path has a % that two hexadecimal digits do not follow");
}

std::string Decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) HexDigit('%');
    decoded +=
        static_cast<char>(16 * HexDigit(text[i + 1]) + HexDigit(text[i + 2]));
    i += 2;
  }
  return decoded;
}

// Returns the piece of `rest` up to the next slash, which is taken off it too;
// nothing when there is no more.
std::optional<std::string_view> TakeSegment(
    std::optional<std::string_view>& rest) {
  if (!rest) return std::nullopt;
  const size_t slash = rest->find('/');
  const std::string_view segment = rest->substr(0, slash);
  if (slash == std::string_view::npos) {
    rest.reset();
  } else {
    rest->remove_prefix(slash + 1);
  }
  return segment;
}

// Returns the part that follows the first slash; nothing for "/".
std::optional<std::string_view> AfterSlash(std::string_view path) {
  if (path == "/") return std::nullopt;
  return path.substr(1);
}

}  // namespace

Path ParseTarget(std::string_view target) {
  // RFC 9112, 3.2.2: a server must take http://host/path as well.
  const size_t scheme = target.find("://");
  if (!target.starts_with('/') && scheme != std::string_view::npos) {
    const size_t slash = target.find('/', scheme + 3);
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  if (!target.starts_with('/')) RefusePath("the target is not a path");
  target = target.substr(0, target.find('#'));
  const size_t question = target.find('?');
  Path path;
  path.text = target.substr(0, question);
  std::optional<std::string_view> rest = AfterSlash(path.text);
  while (const auto segment = TakeSegment(rest)) {
    path.segments.push_back(Decoded(*segment));
  }
  if (question == std::string_view::npos) return path;
  for (const std::string& pair : Split(target.substr(question + 1), '&')) {
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    const std::string value =
        equals == std::string::npos ? "" : Decoded(pair.substr(equals + 1));
    if (!path.parameters.emplace(Decoded(pair.substr(0, equals)), value)
             .second) {
      RefusePath("the target gives a parameter twice");
    }
  }
  return path;
}

std::optional<std::string> Match(std::string_view pattern, const Path& path) {
  std::optional<std::string_view> rest = AfterSlash(pattern);
  std::string_view name;
  for (const std::string& segment : path.segments) {
    const auto wanted = TakeSegment(rest);
    if (!wanted) return std::nullopt;
    if (*wanted == "{name}") {
      name = segment;
    } else if (*wanted != segment) {
      return std::nullopt;
    }
  }
  if (rest) return std::nullopt;
  return std::string(name);
}

}  // namespace cloak
