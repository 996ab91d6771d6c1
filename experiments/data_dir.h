#ifndef CLOAK_EXPERIMENTS_DATA_DIR_H_
#define CLOAK_EXPERIMENTS_DATA_DIR_H_

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace cloak {

// The words that tell a reader how to get at a data set that is missing.
inline constexpr char kDataHint[] =
    "set CLOAK_DATA_DIR to the folder that experiments/README.md describes";

// Returns the path of a file in the folder that the environment variable
// CLOAK_DATA_DIR names, or nothing if it is not set or has no such file.
inline std::optional<std::filesystem::path> FindData(const std::string& file) {
  const char* folder = std::getenv("CLOAK_DATA_DIR");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  const std::filesystem::path path = std::filesystem::path(folder) / file;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

}  // namespace cloak

#endif  // CLOAK_EXPERIMENTS_DATA_DIR_H_
