#ifndef CLOAK_SERVER_PATH_H_
#define CLOAK_SERVER_PATH_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cloak {

// The target of a request, taken apart and decoded.
struct Path {
  std::string text;                   // the path as it was sent
  std::vector<std::string> segments;  // "/api/v1" has two, "/" has none
  std::map<std::string, std::string> parameters;
};

// Throws HttpError 400 when it is not a path, has a broken percent escape, or
// gives a parameter twice. Nothing is normalised: ".." is a name like any
// other, which no route has.
Path ParseTarget(std::string_view target);

// Returns the value of {name} when `path` has the shape of `pattern` (empty if
// the pattern has none); nothing when it has not.
std::optional<std::string> Match(std::string_view pattern, const Path& path);

}  // namespace cloak

#endif  // CLOAK_SERVER_PATH_H_
