#ifndef CLOAK_RELEASE_FILE_FORMAT_H_
#define CLOAK_RELEASE_FILE_FORMAT_H_

#include <string>

#include "cloak/release/byte_source.h"
#include "cloak/release/release.h"

namespace cloak {

// The file of a release: JSON, versioned and checksummed, described in
// docs/file-format.md. The newest version there is; a file says the oldest that
// has all it needs.
inline constexpr int kFileVersion = 5;

std::string ReleaseToJson(const Release& release);

// Safe on files from strangers: one that is cut short, altered, newer or
// hostile throws an InvalidInput that says which of these it is. The file is
// read as a stream, and memory is bounded by what a release can need. `name` is
// what messages call the file.
Release ReadRelease(const ByteSource& source, const std::string& name);

// Reads a file that is in memory already.
Release ReleaseFromJson(const std::string& json, const std::string& name);

}  // namespace cloak

#endif  // CLOAK_RELEASE_FILE_FORMAT_H_
