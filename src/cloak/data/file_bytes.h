#ifndef CLOAK_DATA_FILE_BYTES_H_
#define CLOAK_DATA_FILE_BYTES_H_

#include <cstddef>
#include <filesystem>
#include <string>

namespace cloak {

// The whole content of a file; "-" is standard input. Throws InvalidInput with
// the reason when it cannot be read or is longer than `max_bytes`.
std::string ReadFileBytes(const std::filesystem::path& path, size_t max_bytes);

// What messages call `path`: itself, or "standard input" for "-".
std::string FileTitle(const std::filesystem::path& path);

}  // namespace cloak

#endif  // CLOAK_DATA_FILE_BYTES_H_
