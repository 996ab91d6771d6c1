#ifndef CLOAK_SERVER_HTTP_ERROR_H_
#define CLOAK_SERVER_HTTP_ERROR_H_

#include <string>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/server/message.h"

namespace cloak {

// The mistake of a client (or, from 500 on, the failure of the server), in a
// word for programs and sentences for people.
class HttpError : public Error {
 public:
  // `code` is a word such as "unknown_release"; `hint` says what to do.
  HttpError(int status, std::string code, const std::string& message,
            std::string hint)
      : Error(message),
        status_(status),
        code_(std::move(code)),
        hint_(std::move(hint)) {}

  int status() const { return status_; }
  const std::string& code() const { return code_; }
  const std::string& hint() const { return hint_; }

 private:
  int status_;
  std::string code_;
  std::string hint_;
};

// {"error": {"code": …, "message": …, "hint": …}}. Bytes of a message that are
// not UTF-8 are replaced.
HttpResponse ErrorResponse(const HttpError& error);

// Return errors of the connection, which never reach a route. The limits are
// named in the message.
HttpError BodyTooLarge(size_t most_bytes);
HttpError HeaderTooLarge(size_t most_bytes);
HttpError TooSlow(double seconds);
HttpError NotHttp(const std::string& why);
HttpError TooBusy(const std::string& what);

}  // namespace cloak

#endif  // CLOAK_SERVER_HTTP_ERROR_H_
