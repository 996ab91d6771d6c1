#ifndef CLOAK_DATA_ATOMIC_FILE_H_
#define CLOAK_DATA_ATOMIC_FILE_H_

#include <filesystem>
#include <string_view>

namespace cloak {

// Makes `bytes` the content of the file at `path`, all of it or, when anything
// fails, none of it: a release that cost budget must not be left half written,
// nor replace a good one. The bytes go to a temporary file in the same
// directory, reach the disk, and take the name in one step. A link is followed;
// a device or pipe, which cannot be replaced, is written to directly.
//
// Throws InvalidInput with the path and the reason.
void WriteFileAtomically(const std::filesystem::path& path,
                         std::string_view bytes);

}  // namespace cloak

#endif  // CLOAK_DATA_ATOMIC_FILE_H_
