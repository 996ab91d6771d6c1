#ifndef CLOAK_SERVER_CATALOGUE_H_
#define CLOAK_SERVER_CATALOGUE_H_

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cloak/release/release.h"

namespace cloak {

// A release under the name it is served by: that of its file without .cloak.
struct ServedRelease {
  std::string name;
  Release release;
  // JSON, made once, for it is asked for often: all it says of itself, and its
  // line in the list of releases.
  std::string description;
  std::string summary;
  // The approximate number of multiplications that the prediction of one row
  // takes.
  double work_per_row = 0;
};

// The releases a server holds. They are found by name in memory: what a client
// sends never becomes a path. Safe to use from several threads.
class Catalogue {
 public:
  using Releases = std::map<std::string, std::shared_ptr<const ServedRelease>>;

  // Serves release files, and the *.cloak files of directories. Throws
  // InvalidInput for a path that is neither file nor directory, and for two
  // files of one name.
  explicit Catalogue(std::vector<std::filesystem::path> sources);

  // An event of a file since the last look, in words for the log.
  struct Change {
    enum Kind { kServed, kRefused, kGone, kFailed };
    Kind kind = kServed;
    std::string text;
  };

  // Looks at the files again: new and changed ones are read, those that are
  // gone are served no longer. What was served under a name stays when its file
  // is no release (one that is still being copied, say), when it cannot be read
  // (which is tried again) and when another file of that name appears. When a
  // directory itself cannot be read, all stays as it is. Each is said once.
  std::vector<Change> Refresh();

  // Lets the next Refresh read every file again, also those that were refused.
  void ReadAllAgain();

  // Returns whether the last look failed: a directory cannot be read or is not
  // there any more. What was served then still is.
  bool IsDegraded() const { return is_degraded_; }

  // Returns the name a file is served by: its own without .cloak. Bytes that
  // are not UTF-8, which no list could say, become % and two digits; names that
  // a path cannot have ("." and "..") keep their .cloak.
  static std::string NameOf(const std::filesystem::path& file);

  // A name whose bytes that are not UTF-8 are % and two digits.
  static std::string ReadableName(std::string_view bytes);

  // Returns the releases of this moment; they live as long as somebody asks
  // them.
  std::shared_ptr<const Releases> Snapshot() const;

 private:
  // The properties that show that a file is another one, has been written to,
  // or may be read by others than before.
  struct Stamp {
    uint64_t device = 0;
    uint64_t file = 0;
    int64_t bytes = 0;
    int64_t written = 0;  // nanoseconds
    int64_t changed = 0;
    bool operator==(const Stamp&) const = default;
  };
  // A file as it was looked at last.
  struct Known {
    std::filesystem::path path;
    // Absent: it could not be read.
    std::optional<Stamp> stamp = {};
    std::string failure = {};
  };
  using Files = std::map<std::string, std::vector<std::filesystem::path>>;

  static std::optional<Stamp> StampOf(const std::filesystem::path& path);
  // Returns the files by name; more than one where they clash.
  Files Look() const;
  const std::filesystem::path* Choose(
      const std::string& name, const std::vector<std::filesystem::path>& paths,
      std::vector<Change>& changes);
  void LoadOne(const std::string& name, const std::filesystem::path& path,
               Releases& releases, std::vector<Change>& changes);

  std::vector<std::filesystem::path> sources_;
  std::mutex refreshing_;
  std::map<std::string, Known> known_;
  std::set<std::string> clashes_;  // that were said
  std::string failure_;            // the last, so that it is said once
  std::set<std::filesystem::path> directories_;  // among the sources
  std::atomic<bool> is_degraded_ = false;
  mutable std::mutex mutex_;
  std::shared_ptr<const Releases> releases_;
};

}  // namespace cloak

#endif  // CLOAK_SERVER_CATALOGUE_H_
