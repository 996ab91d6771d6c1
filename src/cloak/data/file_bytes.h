#ifndef CLOAK_DATA_FILE_BYTES_H_
#define CLOAK_DATA_FILE_BYTES_H_

#include <cstddef>
#include <filesystem>
#include <string>

namespace cloak {

// A file that is read piece by piece; "-" is standard input. Throws
// InvalidInput with the reason when it cannot be read.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Fills `room` with up to `size` bytes and returns how many there were; 0 at
  // the end.
  size_t Read(char* room, size_t size) const;

  // Zero for what has no size, such as a pipe.
  size_t ExpectedSize() const;

 private:
  void Require(bool condition) const;

  std::filesystem::path path_;
  bool is_standard_input_;
  int descriptor_;
};

// The whole content of a file; "-" is standard input. Throws InvalidInput with
// the reason when it cannot be read or is longer than `max_bytes`.
std::string ReadFileBytes(const std::filesystem::path& path, size_t max_bytes);

// Returns what messages call `path`: itself, or "standard input" for "-".
std::string FileTitle(const std::filesystem::path& path);

}  // namespace cloak

#endif  // CLOAK_DATA_FILE_BYTES_H_
