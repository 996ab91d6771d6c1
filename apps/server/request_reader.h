#ifndef CLOAK_APPS_SERVER_REQUEST_READER_H_
#define CLOAK_APPS_SERVER_REQUEST_READER_H_

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "apps/server/http_head.h"
#include "cloak/server/http_error.h"

namespace cloak {

// Reads one HTTP request after another from bytes as they come, within limits,
// with no socket in sight:
//
//   socket.Read(reader.Space()); reader.Add(bytes_read);
//   if (reader.SkipEmptyLines()) {
//     reader.Begin();
//     switch (reader.Read()) { … }
//   }
class RequestReader {
 public:
  struct Limits {
    size_t header_bytes = 0;
    size_t body_bytes = 0;
  };
  explicit RequestReader(const Limits& limits) : limits_(limits) {}

  // Returns where the next bytes go; Add() says how many came.
  boost::asio::mutable_buffer Space();
  void Add(size_t bytes) { buffer_.commit(bytes); }

  // Skips the empty lines that some clients send after a request (RFC 9112,
  // 2.2). Returns whether the first byte of a request is there.
  bool SkipEmptyLines();
  void Begin();

  enum class Outcome {
    kIncomplete,  // goes on when there are more bytes
    kHead,        // the head is there; the next call goes on with the body
    kRequest,     // all of it is there
    kRefused,     // nobody knows where another request would begin
  };
  // Reads as far as the bytes that have come allow.
  Outcome Read();

  // From kHead on, until the request has ended.
  const RequestHead& head() const { return parser_->get(); }
  bool keep_alive() const { return parser_->get().keep_alive(); }
  // Returns whether all bytes of the body have come already, at kHead.
  bool HasWholeBody() const;
  // Returns how much of the body has been read.
  size_t body_bytes() const { return parser_->get().body().size(); }
  std::string TakeBody() { return std::move(parser_->get().body()); }
  // Returns why the request was refused.
  const HttpError& refusal() const { return *refusal_; }

  // Forgets the request. Bytes of the next one stay.
  void End() { parser_.reset(); }
  // Gives back most of the memory that is kept for bytes, if none have come.
  void Shrink();
  // Forgets all bytes that have come.
  void Clear() { buffer_.clear(); }

 private:
  Outcome Refuse(HttpError why);

  Limits limits_;
  boost::beast::flat_buffer buffer_;
  std::optional<
      boost::beast::http::request_parser<boost::beast::http::string_body>>
      parser_;
  bool head_seen_ = false;
  size_t head_bytes_ = 0;
  std::optional<HttpError> refusal_;
};

}  // namespace cloak

#endif  // CLOAK_APPS_SERVER_REQUEST_READER_H_
