#include "cloak/server/catalogue.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/file_bytes.h"
#include "cloak/release/file_format.h"
#include "cloak/release/release_json.h"

namespace cloak {
namespace {

namespace fs = std::filesystem;

constexpr char kExtension[] = ".cloak";
// A release is small; what is larger is something else.
constexpr size_t kMaxReleaseBytes = size_t{1} << 30;

std::shared_ptr<const ServedRelease> Load(const std::string& name,
                                          const fs::path& path) {
  Release release =
      ReleaseFromJson(ReadFileBytes(path, kMaxReleaseBytes), path.string());
  nlohmann::ordered_json description = {{"name", name}};
  description.update(ReleaseJson(release));
  return std::make_shared<const ServedRelease>(
      ServedRelease{name, std::move(release), JsonText(description)});
}

}  // namespace

Catalogue::Catalogue(std::vector<fs::path> sources)
    : sources_(std::move(sources)),
      releases_(std::make_shared<const Releases>()) {
  RequireInput(!sources_.empty(),
               "name a directory with release files, or release files");
  for (const fs::path& source : sources_) {
    std::error_code error;
    RequireInput(fs::exists(source, error),
                 Text("there is no file or directory '", source.string(), "'"));
  }
  Files();
}

// By name. Files that were named come with whatever extension they have.
std::map<std::string, fs::path> Catalogue::Files() const {
  std::map<std::string, fs::path> files;
  const auto add = [&files](const fs::path& path) {
    const std::string name = NameOf(path);
    const auto [place, is_new] = files.emplace(name, path);
    RequireInput(is_new || place->second == path,
                 Text("'", place->second.string(), "' and '", path.string(),
                      "' would both be served as '", name, "'; rename one"));
  };
  for (const fs::path& source : sources_) {
    std::error_code error;
    if (!fs::is_directory(source, error)) {
      if (fs::is_regular_file(source, error)) add(source);
      continue;
    }
    std::vector<fs::path> found;
    const fs::directory_iterator entries(source, error);
    // Out of files, perhaps: that must not look like an empty directory.
    RequireInput(!error, Text("cannot read the directory '", source.string(),
                              "': ", error.message()));
    for (const fs::directory_entry& entry : entries) {
      std::error_code not_regular;
      if (entry.path().extension() == kExtension &&
          entry.is_regular_file(not_regular)) {
        found.push_back(entry.path());
      }
    }
    std::sort(found.begin(), found.end());
    std::for_each(found.begin(), found.end(), add);
  }
  return files;
}

std::string Catalogue::NameOf(const fs::path& file) {
  return file.extension() == kExtension ? file.stem().string()
                                        : file.filename().string();
}

std::vector<Catalogue::Change> Catalogue::Refresh() {
  const std::lock_guard refreshing(refreshing_);
  std::vector<Change> changes;
  std::map<std::string, fs::path> files;
  try {
    files = Files();
  } catch (const std::exception& error) {
    // A directory cannot be read, or two files of one name have appeared: what
    // is served stays as it is.
    if (std::exchange(failure_, error.what()) == error.what()) return {};
    return {{Change::kFailed, error.what()}};
  }
  failure_.clear();
  Releases releases = *Snapshot();
  std::erase_if(
      stamps_, [&](const auto& stamp) { return !files.contains(stamp.first); });
  std::erase_if(releases, [&](const auto& served) {
    if (files.contains(served.first)) return false;
    changes.push_back({Change::kGone, Text("no longer serving '", served.first,
                                           "': its file is gone")});
    return true;
  });
  for (const auto& [name, path] : files) {
    std::error_code error;
    const Stamp stamp = {fs::file_size(path, error),
                         fs::last_write_time(path, error)};
    const auto known = stamps_.find(name);
    if (known != stamps_.end() && known->second == stamp) continue;
    stamps_[name] = stamp;
    try {
      releases[name] = Load(name, path);
      changes.push_back({Change::kServed, Text("serving '", name, "' from '",
                                               path.string(), "'")});
    } catch (const std::exception& failure) {
      changes.push_back(
          {Change::kRefused, Text("not serving '", path.string(),
                                  "' as it is now: ", failure.what())});
    }
  }
  if (!changes.empty()) {
    const std::lock_guard lock(mutex_);
    releases_ = std::make_shared<const Releases>(std::move(releases));
  }
  return changes;
}

std::shared_ptr<const Catalogue::Releases> Catalogue::Snapshot() const {
  const std::lock_guard lock(mutex_);
  return releases_;
}

}  // namespace cloak
