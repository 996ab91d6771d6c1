#include "apps/server/http_head.h"

#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <charconv>
#include <ctime>
#include <iterator>
#include <utility>

namespace cloak {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

constexpr unsigned kHttp11 = 11;

std::string ToString(beast::string_view text) {
  return {text.data(), text.size()};
}

std::ptrdiff_t Count(const RequestHead& head, http::field field) {
  const auto [begin, end] = head.equal_range(field);
  return std::distance(begin, end);
}

// RFC 9110, 5.6.7. The same for all answers of one second.
const std::string& Date() {
  thread_local std::time_t written_at = 0;
  thread_local std::string date;
  const std::time_t now = std::time(nullptr);
  if (now != written_at) {
    std::tm parts = {};
    gmtime_r(&now, &parts);
    std::array<char, 40> text = {};
    std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT",
                  &parts);
    date = text.data();
    written_at = now;
  }
  return date;
}

void AppendWhole(size_t number, std::string& text) {
  std::array<char, 20> digits = {};
  text.append(digits.data(),
              std::to_chars(digits.begin(), digits.end(), number).ptr);
}

}  // namespace

std::optional<HttpError> CheckHead(const RequestHead& head) {
  const std::ptrdiff_t hosts = Count(head, http::field::host);
  if (hosts > 1 || (hosts == 0 && head.version() >= kHttp11)) {
    return NotHttp(hosts == 0 ? "the header Host is missing"
                              : "there are two headers Host");
  }
  const std::ptrdiff_t codings = Count(head, http::field::transfer_encoding);
  if (codings > 0) {
    if (head.version() < kHttp11) {
      return NotHttp("HTTP/1.0 has no Transfer-Encoding");
    }
    if (codings > 1 ||
        !beast::iequals(head[http::field::transfer_encoding], "chunked")) {
      return NotHttp(
          "its Transfer-Encoding is another than chunked, so nobody knows "
          "where its body ends");
    }
  }
  const std::ptrdiff_t lengths = Count(head, http::field::content_length);
  if (lengths > 1 ||
      head[http::field::content_length].find(',') != beast::string_view::npos) {
    return NotHttp("its Content-Length is given twice");
  }
  return std::nullopt;
}

bool AsksToContinue(const RequestHead& head) {
  // RFC 9110, 10.1.1: HTTP/1.0 does not know the word.
  return head.version() >= kHttp11 &&
         beast::iequals(head[http::field::expect], "100-continue");
}

HttpRequest ToRequest(const RequestHead& head) {
  HttpRequest request;
  request.method = ToString(head.method_string());
  request.target = ToString(head.target());
  request.content_type = ToString(head[http::field::content_type]);
  request.content_encoding = ToString(head[http::field::content_encoding]);
  request.accept_encoding = ToString(head[http::field::accept_encoding]);
  request.if_none_match = ToString(head[http::field::if_none_match]);
  request.authorization = ToString(head[http::field::authorization]);
  return request;
}

std::string ResponseHead(const HttpResponse& response, bool keep_alive) {
  const beast::string_view reason = http::obsolete_reason(
      http::int_to_status(static_cast<unsigned>(response.status)));
  std::string head;
  head.reserve(512);
  head += "HTTP/1.1 ";
  AppendWhole(static_cast<size_t>(response.status), head);
  head += ' ';
  head.append(reason.data(), reason.size());
  head += "\r\nDate: ";
  head += Date();
  constexpr int kNotModified = 304;
  if (response.status != kNotModified) {
    head += "\r\nContent-Type: ";
    head += response.content_type;
    head += "\r\nContent-Length: ";
    AppendWhole(response.body.size(), head);
  }
  head += "\r\nX-Content-Type-Options: nosniff\r\nCache-Control: ";
  head += response.cache_control;
  head += "\r\n";
  if (response.status == 503) head += "Retry-After: 5\r\n";
  for (const auto& [name, value] : response.headers) {
    (((head += name) += ": ") += value) += "\r\n";
  }
  head += keep_alive ? "Connection: keep-alive\r\n\r\n"
                     : "Connection: close\r\n\r\n";
  return head;
}

}  // namespace cloak
