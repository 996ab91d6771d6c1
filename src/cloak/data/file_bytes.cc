#include "cloak/data/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
InputFile::InputFile(std::filesystem::path path)
    : path_(std::move(path)),
      is_standard_input_(path_ == "-"),
      descriptor_(is_standard_input_
                      ? STDIN_FILENO
                      : open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  Require(descriptor_ >= 0);
}

InputFile::~InputFile() {
  if (!is_standard_input_) close(descriptor_);
}

void InputFile::Require(bool condition) const {
  const int reason = errno;
  RequireInput(condition, "cannot read '", FileTitle(path_),
               "': ", std::generic_category().message(reason));
}

size_t InputFile::Read(char* room, size_t size) const {
  ssize_t count = 0;
  do {
    count = read(descriptor_, room, size);
  } while (count < 0 && errno == EINTR);
  Require(count >= 0);
  return static_cast<size_t>(count);
}

size_t InputFile::ExpectedSize() const {
  struct stat status = {};
  return fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)
             ? static_cast<size_t>(status.st_size)
             : 0;
}

std::string FileTitle(const std::filesystem::path& path) {
  return path == "-" ? "standard input" : path.string();
}

std::string ReadFileBytes(const std::filesystem::path& path, size_t max_bytes) {
  const auto require_short = [&](size_t size) {
    RequireInput(size <= max_bytes, "'", FileTitle(path), "' is longer than ",
                 max_bytes,
                 " bytes, the most that is allowed; raise the limit or "
                 "split the file");
  };
  const InputFile file(path);
  const size_t expected = file.ExpectedSize();
  require_short(expected);
  // One byte more than expected, so that the end shows without growing.
  std::string bytes(std::max<size_t>(expected + 1, 1 << 16), '\0');
  size_t size = 0;
  for (;;) {
    const size_t count = file.Read(bytes.data() + size, bytes.size() - size);
    if (count == 0) break;
    size += count;
    require_short(size);
    if (size == bytes.size()) bytes.resize(2 * size);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace cloak
