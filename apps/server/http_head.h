#ifndef CLOAK_APPS_SERVER_HTTP_HEAD_H_
#define CLOAK_APPS_SERVER_HTTP_HEAD_H_

#include <boost/beast/http/message.hpp>
#include <optional>
#include <string>

#include "cloak/server/http_error.h"
#include "cloak/server/message.h"

namespace cloak {

using RequestHead = boost::beast::http::request_header<>;

// What the parser lets pass, but two servers could read in two ways: a body of
// a length that is said twice or in a coding other than chunked, and requests
// to nobody or to two hosts. Behind a proxy that reads it the other way, the
// rest of a body would become somebody else's request (RFC 9112, 11.2).
std::optional<HttpError> CheckHead(const RequestHead& head);

// Whether the client waits for "100 Continue" before it sends the body.
bool AsksToContinue(const RequestHead& head);

// All but the body. Taken before the body is read: what follows a chunked body
// may name headers again, which say nothing about the request.
HttpRequest ToRequest(const RequestHead& head);

// Status line and headers, up to the empty line. The Content-Length is that of
// the body, also for HEAD, which has none.
std::string ResponseHead(const HttpResponse& response, bool keep_alive);

}  // namespace cloak

#endif  // CLOAK_APPS_SERVER_HTTP_HEAD_H_
