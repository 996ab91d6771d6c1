#include "cloak/data/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

// zlib counts in 32 bits.
constexpr size_t kMostAtOnce = size_t{1} << 30;
constexpr int kGzipFormat = 15 + 16;

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, kGzipFormat) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Moves both views past what was consumed and produced.
  int Step(std::string_view& input, char*& output, size_t room) {
    const size_t give = std::min(input.size(), kMostAtOnce);
    const size_t take = std::min(room, kMostAtOnce);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(give);
    stream_.next_out = reinterpret_cast<Bytef*>(output);
    stream_.avail_out = static_cast<uInt>(take);
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    input.remove_prefix(give - stream_.avail_in);
    output += take - stream_.avail_out;
    return outcome;
  }
  void NextMember() { inflateReset(&stream_); }

 private:
  z_stream stream_ = {};
};

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string Gunzip(std::string_view bytes, const std::string& name,
                   size_t max_bytes) {
  Inflater inflater;
  std::string plain(
      std::min(max_bytes, std::max<size_t>(1 << 16, 4 * bytes.size())) + 1,
      '\0');
  size_t size = 0;
  for (;;) {
    char* output = plain.data() + size;
    const int outcome = inflater.Step(bytes, output, plain.size() - size);
    size = output - plain.data();
    RequireInput(size <= max_bytes, "'", name, "' decompresses to more than ",
                 max_bytes,
                 " bytes, the most that is allowed; raise the limit if "
                 "you trust the file");
    if (outcome == Z_STREAM_END) {
      if (!IsGzip(bytes)) break;
      inflater.NextMember();
      continue;
    }
    if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
    RequireInput(outcome == Z_OK || outcome == Z_BUF_ERROR, "'", name,
                 "' is a corrupt gzip file; fetch or compress "
                 "it again");
    RequireInput(!bytes.empty() || size == plain.size(), "'", name,
                 "' is a gzip file cut short; fetch or "
                 "compress it again");
    if (size == plain.size()) {
      plain.resize(size > max_bytes / 2 ? max_bytes + 1 : 2 * size);
    }
  }
  // Some tools pad with zeros; anything else was not meant to be there.
  RequireInput(bytes.find_first_not_of('\0') == std::string_view::npos, "'",
               name,
               "' has bytes after the end of its gzip data; "
               "fetch or compress it again");
  plain.resize(size);
  return plain;
}

std::string Gzip(std::string_view bytes) {
  constexpr int kMemory = 9;
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipFormat,
                   kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int outcome = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  RequireInput(outcome == Z_STREAM_END, "what is to be packed is too long");
  return packed;
}

}  // namespace cloak
