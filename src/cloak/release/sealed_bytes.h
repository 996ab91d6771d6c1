#ifndef CLOAK_RELEASE_SEALED_BYTES_H_
#define CLOAK_RELEASE_SEALED_BYTES_H_

#include <sodium.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "cloak/release/byte_source.h"

namespace cloak {

// The bytes of a file, one after another, and the SHA-256 of all of them with
// the digits of the checksum in the file replaced by zeros. Holds a small part
// of the file at a time.
class SealedBytes {
 public:
  explicit SealedBytes(ByteSource source);

  bool AtEnd() {
    if (place_ == buffer_.size()) Refill();
    return place_ == buffer_.size();
  }
  // Both may be called only where AtEnd() is false.
  char Current() const { return buffer_[place_]; }
  void Advance() { ++place_; }
  // Returns how many bytes were taken.
  size_t position() const { return dropped_ + place_; }

  // Lets the digits that stand before the byte that was taken last (the quote
  // after them) count as zeros. At most 64 of them. False when something else
  // stands there.
  bool BlankDigits(std::string_view digits);

  // Returns the SHA-256 in hexadecimal digits. To be called once, at the end of
  // the file.
  std::string Hash();

 private:
  void Refill();

  ByteSource source_;
  // Bytes that are not hashed yet: those taken last, and those to come.
  std::string buffer_;
  size_t place_ = 0;
  size_t dropped_ = 0;
  crypto_hash_sha256_state state_ = {};
};

}  // namespace cloak

#endif  // CLOAK_RELEASE_SEALED_BYTES_H_
