#ifndef CLOAK_SERVER_MESSAGE_H_
#define CLOAK_SERVER_MESSAGE_H_

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cloak {

// A request as far as answers depend on it, and an answer: what travels, with
// no socket in sight. Whoever owns the socket fills the one and sends the
// other.
struct HttpRequest {
  std::string method = "GET";
  // The target as it was sent: percent-encoded, with the query string.
  std::string target = "/";
  std::string content_type = {};
  std::string content_encoding = {};
  std::string authorization = {};
  std::string accept_encoding = {};
  std::string if_none_match = {};
  std::string body = {};
  // The name of the request, in the log and to the client.
  std::string id = {};
  // The time when all of it was there: what it then waits for counts as well.
  std::chrono::steady_clock::time_point arrived =
      std::chrono::steady_clock::now();
};

struct HttpResponse {
  int status = 200;
  std::string_view content_type = "application/json";
  std::string body = {};
  std::string_view cache_control = "no-store";
  // Headers besides these, such as Allow.
  std::vector<std::pair<std::string, std::string>> headers = {};
  // For metrics and logs, the pattern that matched ("/api/v1/releases/{name}")
  // and the release that was asked. Both are the server's own words, never the
  // client's; types and routes are constants of the program.
  std::string_view route = "none";
  std::string release = {};
  // The reason why the server failed, for the log alone: it is nobody's
  // business but the custodian's.
  std::string failure = {};
};

}  // namespace cloak

#endif  // CLOAK_SERVER_MESSAGE_H_
