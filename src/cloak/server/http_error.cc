#include "cloak/server/http_error.h"

#include <nlohmann/json.hpp>

#include "cloak/base/text.h"

namespace cloak {

HttpResponse ErrorResponse(const HttpError& error) {
  using nlohmann::ordered_json;
  const ordered_json json = {{"error",
                              {{"code", error.code()},
                               {"message", error.what()},
                               {"hint", error.hint()}}}};
  HttpResponse response;
  response.status = error.status();
  response.body =
      json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  return response;
}

HttpError BodyTooLarge(size_t most_bytes) {
  return {413, "body_too_large",
          Text("the body is larger than ", most_bytes,
               " bytes, the most this server takes; it was not read"),
          "send the rows in several requests"};
}

HttpError HeaderTooLarge(size_t most_bytes) {
  return {431, "header_too_large",
          Text("the request line and headers are larger than ", most_bytes,
               " bytes together"),
          "send fewer or shorter headers; rows belong in the body"};
}

HttpError TooSlow(double seconds) {
  return {408, "too_slow",
          Text("the request was not complete after ", seconds, " seconds"),
          "send it without pauses, or in smaller parts"};
}

HttpError NotHttp(const std::string& why) {
  return {400, "malformed_request",
          Text("this is not a request of HTTP/1.1: ", why),
          "check the request line, the headers and the length of the body"};
}

HttpError TooBusy(const std::string& what) {
  return {503, "too_busy", what, "try again in a few seconds"};
}

}  // namespace cloak
