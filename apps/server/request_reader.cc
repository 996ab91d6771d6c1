#include "apps/server/request_reader.h"

#include <algorithm>
#include <boost/beast/http/error.hpp>
#include <cstdint>
#include <string_view>
#include <utility>

namespace cloak {
namespace {

namespace http = boost::beast::http;

}  // namespace

boost::asio::mutable_buffer RequestReader::Space() {
  constexpr size_t kFewest = 1024;
  constexpr size_t kMost = 65536;
  const size_t room = buffer_.capacity() - buffer_.size();
  const bool body = parser_ && parser_->is_header_done();
  return buffer_.prepare(body ? kMost : std::clamp(room, kFewest, kMost));
}

bool RequestReader::SkipEmptyLines() {
  const std::string_view bytes(static_cast<const char*>(buffer_.data().data()),
                               buffer_.size());
  buffer_.consume(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
  return buffer_.size() > 0;
}

void RequestReader::Begin() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
  parser_->body_limit(limits_.body_bytes);
  head_seen_ = false;
  head_bytes_ = 0;
}

RequestReader::Outcome RequestReader::Read() {
  while (!parser_->is_done()) {
    boost::system::error_code error = http::error::need_more;
    if (buffer_.size() > 0) {
      const size_t bytes = parser_->put(buffer_.data(), error);
      buffer_.consume(bytes);
      // The parser's own limit is for each piece that it reads.
      if (!head_seen_) head_bytes_ += bytes;
      if (head_bytes_ > limits_.header_bytes) {
        return Refuse(HeaderTooLarge(limits_.header_bytes));
      }
    }
    if (error == http::error::need_more) {
      // A piece of a chunked body may announce itself at any length.
      if (buffer_.size() > limits_.header_bytes) {
        return Refuse(HeaderTooLarge(limits_.header_bytes));
      }
      return Outcome::kIncomplete;
    }
    if (error == http::error::body_limit) {
      return Refuse(BodyTooLarge(limits_.body_bytes));
    }
    if (error == http::error::header_limit) {
      return Refuse(HeaderTooLarge(limits_.header_bytes));
    }
    if (error) return Refuse(NotHttp(error.message()));
    if (!head_seen_ && parser_->is_header_done()) {
      head_seen_ = true;
      return Outcome::kHead;
    }
  }
  return Outcome::kRequest;
}

bool RequestReader::HasWholeBody() const {
  return parser_->is_done() || parser_->content_length_remaining().value_or(
                                   SIZE_MAX) <= buffer_.size();
}

void RequestReader::Shrink() {
  constexpr size_t kKept = 4096;
  if (buffer_.capacity() > kKept) buffer_.shrink_to_fit();
}

RequestReader::Outcome RequestReader::Refuse(HttpError why) {
  refusal_ = std::move(why);
  return Outcome::kRefused;
}

}  // namespace cloak
