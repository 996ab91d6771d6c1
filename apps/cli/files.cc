#include "apps/cli/files.h"

#include <iterator>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/custodian/new_file.h"
#include "cloak/data/atomic_file.h"
#include "cloak/data/file_bytes.h"
#include "cloak/release/file_format.h"

namespace cloak {
namespace {

std::string StreamBytes(const Streams& streams) {
  return {std::istreambuf_iterator<char>(streams.in), {}};
}

}  // namespace

std::string ReadTableBytes(const std::string& path, const Streams& streams) {
  const CsvOptions defaults;
  return IsStream(path) ? StreamBytes(streams)
                        : ReadFileBytes(path, defaults.max_bytes);
}

Table ReadTable(const std::string& path, const CsvOptions& options,
                const Streams& streams) {
  if (!IsStream(path)) return ReadCsv(path, options);
  return ParseCsv(StreamBytes(streams), FileTitle(path), options);
}

Release ReadRelease(const std::string& path, const Streams& streams) {
  // Too little memory for any release is not the fault of this one.
  static_cast<void>(Threads());
  if (IsStream(path)) {
    const auto read = [&streams](char* room, size_t size) {
      streams.in.read(room, static_cast<std::streamsize>(size));
      return static_cast<size_t>(streams.in.gcount());
    };
    return ReadRelease(read, FileTitle(path));
  }
  const InputFile file(path);
  const auto read = [&file](char* room, size_t size) {
    return file.Read(room, size);
  };
  return ReadRelease(read, FileTitle(path));
}

void CheckOutput(const std::string& path,
                 const std::vector<std::string>& read) {
  if (!IsStream(path)) RequireWritable(path, read);
}

void CheckNewOutput(const std::string& path, bool overwrite,
                    const std::vector<std::string>& read) {
  if (!IsStream(path)) RequireNewFile(path, overwrite, read);
}

void WriteOutput(const std::string& path, std::string_view bytes,
                 const Streams& streams) {
  if (!IsStream(path)) return WriteFileAtomically(path, bytes);
  streams.out << bytes << std::flush;
  RequireInput(streams.out.good(), "cannot write to standard output");
}

}  // namespace cloak
