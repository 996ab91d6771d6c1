#include "cloak/data/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path)
      : is_standard_input_(path == "-"),
        descriptor_(is_standard_input_
                        ? STDIN_FILENO
                        : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~InputFile() {
    if (descriptor_ >= 0 && !is_standard_input_) close(descriptor_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  int descriptor() const { return descriptor_; }

  // Zero for what has no size, such as a pipe.
  size_t ExpectedSize() const {
    struct stat status = {};
    return fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)
               ? static_cast<size_t>(status.st_size)
               : 0;
  }

 private:
  bool is_standard_input_;
  int descriptor_;
};

}  // namespace

std::string FileTitle(const std::filesystem::path& path) {
  return path == "-" ? "standard input" : path.string();
}

std::string ReadFileBytes(const std::filesystem::path& path, size_t max_bytes) {
  const auto require = [&](bool condition) {
    const int reason = errno;
    RequireInput(condition, Text("cannot read '", FileTitle(path), "': ",
                                 std::generic_category().message(reason)));
  };
  const auto require_short = [&](size_t size) {
    RequireInput(size <= max_bytes,
                 Text("'", FileTitle(path), "' is longer than ", max_bytes,
                      " bytes, the most that is allowed; raise the limit or "
                      "split the file"));
  };
  const InputFile file(path);
  require(file.descriptor() >= 0);
  const size_t expected = file.ExpectedSize();
  require_short(expected);
  // One byte more than expected, so that the end shows without growing.
  std::string bytes(std::max<size_t>(expected + 1, 1 << 16), '\0');
  size_t size = 0;
  for (;;) {
    const ssize_t count =
        read(file.descriptor(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    require(count >= 0);
    if (count == 0) break;
    size += static_cast<size_t>(count);
    require_short(size);
    if (size == bytes.size()) bytes.resize(2 * size);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace cloak
