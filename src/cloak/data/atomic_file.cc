#include "cloak/data/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"

namespace cloak {
namespace {

namespace fs = std::filesystem;

// The reason of the system call that has just failed.
void Require(bool condition) {
  if (!condition) throw std::system_error(errno, std::generic_category());
}

class OutputFile {
 public:
  OutputFile(const fs::path& path, int flags)
      : descriptor_(open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0644)) {
    Require(descriptor_ >= 0);
  }
  ~OutputFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      Require(count >= 0);
      bytes.remove_prefix(static_cast<size_t>(count));
    }
  }
  void Sync() { Require(fsync(descriptor_) == 0); }
  void Close() { Require(close(std::exchange(descriptor_, -1)) == 0); }

 private:
  int descriptor_;
};

// Removes the file unless it has been given another name.
class Removal {
 public:
  explicit Removal(const fs::path& path) : path_(path) {}
  ~Removal() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  Removal(const Removal&) = delete;
  Removal& operator=(const Removal&) = delete;

  void Cancel() { path_.clear(); }

 private:
  fs::path path_;
};

fs::path FreshNameIn(const fs::path& directory) {
  for (int attempt = 0;; ++attempt) {
    fs::path path = directory / Text(".cloak-", getpid(), "-", attempt, ".tmp");
    try {
      OutputFile(path, O_CREAT | O_EXCL).Close();
      return path;
    } catch (const std::system_error& error) {
      if (error.code() != std::errc::file_exists) throw;
    }
  }
}

// The rename is on the disk only when its directory is. Not every file system
// can do that, and the file is whole either way.
void SyncDirectory(const fs::path& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

void Replace(const fs::path& target, std::string_view bytes) {
  const fs::path directory =
      target.has_parent_path() ? target.parent_path() : ".";
  const fs::path temporary = FreshNameIn(directory);
  Removal removal(temporary);
  OutputFile file(temporary, O_TRUNC);
  file.Write(bytes);
  file.Sync();
  file.Close();
  Require(std::rename(temporary.c_str(), target.c_str()) == 0);
  removal.Cancel();
  SyncDirectory(directory);
}

}  // namespace

void WriteFileAtomically(const fs::path& path, std::string_view bytes) {
  try {
    const fs::file_status status = fs::status(path);
    if (fs::is_directory(status)) {
      throw std::system_error(EISDIR, std::generic_category());
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      OutputFile file(path, 0);
      file.Write(bytes);
      file.Close();
    } else {
      Replace(fs::exists(status) ? fs::canonical(path) : path, bytes);
    }
  } catch (const std::system_error& error) {
    throw InvalidInput(
        Text("cannot write '", path.string(), "': ", error.code().message()));
  }
}

}  // namespace cloak
