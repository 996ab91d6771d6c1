#include "apps/cli/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/atomic_file.h"
#include "cloak/data/file_bytes.h"
#include "cloak/release/file_format.h"

namespace cloak {
namespace {

namespace fs = std::filesystem;

std::string StreamBytes(const Streams& streams) {
  return {std::istreambuf_iterator<char>(streams.in), {}};
}

// Asks the system by creating a file beside `path`: permissions, read-only and
// full file systems are too many rules to guess at.
void CheckDirectory(const fs::path& path) {
  fs::path directory = path.parent_path();
  if (directory.empty()) directory = ".";
  std::error_code error;
  RequireInput(fs::is_directory(directory, error), "cannot write '",
               path.string(), "': there is no directory '", directory.string(),
               "'");
  std::string probe = (directory / ".cloak-XXXXXX").string();
  const int descriptor = mkostemp(probe.data(), O_CLOEXEC);
  RequireInput(descriptor >= 0, "cannot write '", path.string(),
               "': ", std::generic_category().message(errno));
  close(descriptor);
  unlink(probe.c_str());
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
  if (IsStream(path)) return;
  RequireInput(!path.empty(), "the name of the file to write is empty");
  std::error_code error;
  for (const std::string& source : read) {
    RequireInput(!fs::equivalent(path, source, error), "'", path,
                 "' is read by this command and would be "
                 "overwritten; give another name to the file to write");
  }
  error.clear();
  const fs::file_status status = fs::status(path, error);
  // Such as a name that is too long: the system will not write it either.
  RequireInput(status.type() != fs::file_type::none, "cannot write '", path,
               "': ", error.message());
  RequireInput(!fs::is_directory(status), "cannot write '", path,
               "': it is a directory");
  const bool replaceable = !fs::exists(status) || fs::is_regular_file(status);
  if (replaceable) CheckDirectory(path);
}

void CheckNewOutput(const std::string& path, bool overwrite,
                    const std::vector<std::string>& read) {
  CheckOutput(path, read);
  std::error_code error;
  RequireInput(
      overwrite || IsStream(path) || !fs::is_regular_file(path, error), "'",
      path,
      "' exists, and a release that was paid for cannot be made again: "
      "give another name to the file to write, or --overwrite to replace "
      "it");
}

void WriteOutput(const std::string& path, std::string_view bytes,
                 const Streams& streams) {
  if (!IsStream(path)) return WriteFileAtomically(path, bytes);
  streams.out << bytes << std::flush;
  RequireInput(streams.out.good(), "cannot write to standard output");
}

}  // namespace cloak
