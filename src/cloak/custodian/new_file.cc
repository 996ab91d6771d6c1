#include "cloak/custodian/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "cloak/base/error.h"

namespace cloak {
namespace {

namespace fs = std::filesystem;

// Asks the system by creating a file beside `path`: permissions, read-only and
// full file systems are too many rules to guess at.
void RequireDirectory(const fs::path& path) {
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

void RequireWritable(const std::string& path,
                     const std::vector<std::string>& read) {
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
  if (replaceable) RequireDirectory(path);
}

void RequireNewFile(const std::string& path, bool overwrite,
                    const std::vector<std::string>& read) {
  RequireWritable(path, read);
  std::error_code error;
  RequireInput(
      overwrite || !fs::is_regular_file(path, error), "'", path,
      "' exists, and a release that was paid for cannot be made again: "
      "give another name to the file to write, or ask for this one to be "
      "replaced");
}

}  // namespace cloak
