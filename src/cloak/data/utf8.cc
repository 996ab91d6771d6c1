#include "cloak/data/utf8.h"

#include <boost/nowide/utf/utf.hpp>
#include <cstdint>
#include <cstring>

namespace cloak {
namespace {

// Most text is ASCII, and none of it needs decoding: 32 bytes at a time.
const char* SkipAscii(const char* at, const char* end) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  uint64_t words[4];
  while (end - at >= static_cast<ptrdiff_t>(sizeof(words))) {
    std::memcpy(words, at, sizeof(words));
    if ((words[0] | words[1] | words[2] | words[3]) & kHighBits) break;
    at += sizeof(words);
  }
  while (at != end && !(*at & 0x80)) ++at;
  return at;
}

}  // namespace

size_t FirstInvalidUtf8(std::string_view bytes) {
  using Utf8 = boost::nowide::utf::utf_traits<char>;
  const char* end = bytes.data() + bytes.size();
  const char* at = SkipAscii(bytes.data(), end);
  while (at != end) {
    const char* start = at;
    const auto point = Utf8::decode(at, end);
    if (point == boost::nowide::utf::illegal ||
        point == boost::nowide::utf::incomplete) {
      return start - bytes.data();
    }
    if (at != end && !(*at & 0x80)) at = SkipAscii(at, end);
  }
  return bytes.size();
}

}  // namespace cloak
