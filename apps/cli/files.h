#ifndef CLOAK_APPS_CLI_FILES_H_
#define CLOAK_APPS_CLI_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/cli.h"
#include "cloak/data/csv.h"
#include "cloak/release/release.h"

namespace cloak {

// Files named on the command line, where "-" is a stream.
inline bool IsStream(const std::string& path) { return path == "-"; }

// The bytes of a table, as they are: gzip is not unpacked.
std::string ReadTableBytes(const std::string& path, const Streams& streams);

Table ReadTable(const std::string& path, const CsvOptions& options,
                const Streams& streams);

Release ReadRelease(const std::string& path, const Streams& streams);

// RequireWritable and RequireNewFile (custodian/new_file.h), for what may be a
// stream.
void CheckOutput(const std::string& path, const std::vector<std::string>& read);
void CheckNewOutput(const std::string& path, bool overwrite,
                    const std::vector<std::string>& read);

// To the file, whole or not at all, or to the stream.
void WriteOutput(const std::string& path, std::string_view bytes,
                 const Streams& streams);

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_FILES_H_
