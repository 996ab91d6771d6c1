#ifndef CLOAK_SERVER_CATALOGUE_H_
#define CLOAK_SERVER_CATALOGUE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cloak/release/release.h"

namespace cloak {

// A release under the name it is served by: that of its file without .cloak.
struct ServedRelease {
  std::string name;
  Release release;
  std::string description;  // JSON; made once, for it is asked for often
};

// The releases a server holds. They are found by name in memory: what a client
// sends never becomes a path. Safe to use from several threads.
class Catalogue {
 public:
  using Releases = std::map<std::string, std::shared_ptr<const ServedRelease>>;

  // Release files, and directories whose *.cloak files are served. Throws
  // InvalidInput for a file that is no release, a path that is not there, and
  // two files of one name.
  explicit Catalogue(std::vector<std::filesystem::path> sources);

  // What happened to a file since the last look, in words for the log.
  struct Change {
    enum Kind { kServed, kRefused, kGone, kFailed };
    Kind kind = kServed;
    std::string text;
  };

  // Looks at the files again: new and changed ones are read, those that are
  // gone are served no longer. A file in a directory that cannot be read (one
  // that is still being copied, say) is refused once, and what was served under
  // its name before stays. When a directory itself cannot be read, all stays as
  // it is.
  std::vector<Change> Refresh();

  // What a file is served as.
  static std::string NameOf(const std::filesystem::path& file);

  // The releases of this moment; they live as long as somebody asks them.
  std::shared_ptr<const Releases> Snapshot() const;

 private:
  // Enough to see that a file is another one or has been written to.
  struct Stamp {
    uintmax_t bytes = 0;
    std::filesystem::file_time_type written = {};
    bool operator==(const Stamp&) const = default;
  };

  std::map<std::string, std::filesystem::path> Files() const;

  std::vector<std::filesystem::path> sources_;
  std::mutex refreshing_;
  std::map<std::string, Stamp> stamps_;
  std::string failure_;  // the last, so that it is said once
  mutable std::mutex mutex_;
  std::shared_ptr<const Releases> releases_;
};

}  // namespace cloak

#endif  // CLOAK_SERVER_CATALOGUE_H_
