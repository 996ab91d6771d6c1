#include "cloak/server/catalogue.h"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/data/file_bytes.h"
#include "cloak/data/utf8.h"
#include "cloak/release/file_format.h"
#include "cloak/release/release_json.h"

namespace cloak {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr char kExtension[] = ".cloak";

int64_t Nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::string Summary(const std::string& name, const ReleaseContent& content) {
  ordered_json inputs = ordered_json::array();
  for (const InputColumn& input : content.inputs) inputs.push_back(input.name);
  const ordered_json summary = {{"name", name},
                                {"task", NameOf(content.task)},
                                {"inputs", std::move(inputs)},
                                {"output", content.output},
                                {"protect", NameOf(content.privacy.protect)},
                                {"epsilon", content.privacy.epsilon},
                                {"delta", content.privacy.delta}};
  return summary.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

double WorkPerRow(const ReleaseContent& content) {
  // A covariance with a basis point costs as much as this.
  constexpr double kCovariance = 20;
  auto work = static_cast<double>(content.inputs.size());
  for (const Posterior& posterior : content.posteriors) {
    work += static_cast<double>(posterior.mean.size()) *
            (kCovariance + static_cast<double>(posterior.directions.rows() +
                                               content.basis_points.cols()));
  }
  return work;
}

std::shared_ptr<const ServedRelease> Served(const std::string& name,
                                            Release release) {
  ordered_json description = {{"name", name}};
  description.update(ReleaseJson(release));
  std::string summary = Summary(name, release.content());
  const double work_per_row = WorkPerRow(release.content());
  return std::make_shared<const ServedRelease>(
      ServedRelease{name, std::move(release), JsonText(description),
                    std::move(summary), work_per_row});
}

// Throws an error, perhaps because there are no file descriptors left: that
// must not look like an empty directory.
[[noreturn]] void RefuseSource(const fs::path& source,
                               const std::error_code& error) {
  throw InvalidInput(Text("cannot read the directory '", source.string(),
                          "': ", error ? error.message() : "it is not there"));
}

std::string ClashText(const std::string& name,
                      const std::vector<fs::path>& paths) {
  return Text("'", paths[0].string(), "' and '", paths[1].string(),
              "' would both be served as '", name, "'; rename one");
}

}  // namespace

Catalogue::Catalogue(std::vector<fs::path> sources)
    : sources_(std::move(sources)),
      releases_(std::make_shared<const Releases>()) {
  RequireInput(!sources_.empty(),
               "name a directory with release files, or release files");
  for (const fs::path& source : sources_) {
    std::error_code error;
    const fs::file_status status = fs::status(source, error);
    RequireInput(fs::exists(status), "there is no file or directory '",
                 source.string(), "'");
    RequireInput(fs::is_directory(status) || fs::is_regular_file(status), "'",
                 source.string(),
                 "' is neither a file nor a directory; name a directory "
                 "with release files, or release files");
    if (fs::is_directory(status)) directories_.insert(source);
  }
  for (const auto& [name, paths] : Look()) {
    if (paths.size() > 1) throw InvalidInput(ClashText(name, paths));
  }
}

// Returns all files by name. Files that were named themselves may have any
// extension.
Catalogue::Files Catalogue::Look() const {
  Files files;
  const auto add = [&files](const fs::path& path) {
    std::vector<fs::path>& paths = files[NameOf(path)];
    if (std::count(paths.begin(), paths.end(), path) == 0) {
      paths.push_back(path);
    }
  };
  for (const fs::path& source : sources_) {
    std::error_code error;
    const fs::file_status status = fs::status(source, error);
    if (status.type() == fs::file_type::none ||
        (directories_.contains(source) && !fs::is_directory(status))) {
      RefuseSource(source, error);
    }
    if (fs::is_regular_file(status)) add(source);
    if (!fs::is_directory(status)) continue;
    std::vector<fs::path> found;
    const fs::directory_iterator entries(source, error);
    if (error) RefuseSource(source, error);
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
  const std::string stem = file.stem().string();
  const bool is_short =
      file.extension() == kExtension && stem != "." && stem != "..";
  return ReadableName(is_short ? stem : file.filename().string());
}

std::string Catalogue::ReadableName(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string name;
  while (!bytes.empty()) {
    const size_t valid = FirstInvalidUtf8(bytes);
    name += bytes.substr(0, valid);
    bytes.remove_prefix(valid);
    if (bytes.empty()) break;
    const auto byte = static_cast<unsigned char>(bytes.front());
    ((name += '%') += kDigits[byte / 16]) += kDigits[byte % 16];
    bytes.remove_prefix(1);
  }
  return name;
}

std::optional<Catalogue::Stamp> Catalogue::StampOf(const fs::path& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return Stamp{status.st_dev, status.st_ino, status.st_size,
               Nanoseconds(status.st_mtim), Nanoseconds(status.st_ctim)};
}

// Returns the one of several that is served already, or null.
const fs::path* Catalogue::Choose(const std::string& name,
                                  const std::vector<fs::path>& paths,
                                  std::vector<Change>& changes) {
  if (paths.size() == 1) {
    clashes_.erase(name);
    return &paths.front();
  }
  if (clashes_.insert(name).second) {
    changes.push_back({Change::kFailed, ClashText(name, paths)});
  }
  const auto known = known_.find(name);
  if (known == known_.end()) return nullptr;
  const auto place = std::find(paths.begin(), paths.end(), known->second.path);
  return place == paths.end() ? nullptr : &*place;
}

void Catalogue::LoadOne(const std::string& name, const fs::path& path,
                        Releases& releases, std::vector<Change>& changes) {
  Known& known = known_[name];
  const std::optional<Stamp> stamp = StampOf(path);
  if (stamp && stamp == known.stamp && path == known.path) return;
  const bool same_file = path == known.path && !known.stamp;
  const std::string failure = same_file ? known.failure : "";
  known = {path};
  try {
    const InputFile file(path);
    // From here on, nothing but another content would help, unless the file
    // cannot be read to its end.
    known.stamp = stamp;
    const auto read = [&file, &known](char* room, size_t size) {
      try {
        return file.Read(room, size);
      } catch (const InvalidInput&) {
        known.stamp.reset();
        throw;
      }
    };
    releases[name] = Served(name, ReadRelease(read, path.string()));
    changes.push_back({Change::kServed, Text("serving '", name, "' from '",
                                             path.string(), "'")});
  } catch (const std::exception& error) {
    known.failure = error.what();
    if (known.failure == failure) return;
    changes.push_back(
        {Change::kRefused, Text("not serving '", path.string(),
                                "' as it is now: ", known.failure)});
  }
}

std::vector<Catalogue::Change> Catalogue::Refresh() {
  const std::lock_guard refreshing(refreshing_);
  std::vector<Change> changes;
  Files files;
  try {
    files = Look();
  } catch (const std::exception& error) {
    is_degraded_ = true;
    if (std::exchange(failure_, error.what()) == error.what()) return {};
    return {{Change::kFailed, error.what()}};
  }
  failure_.clear();
  is_degraded_ = false;
  Releases releases = *Snapshot();
  std::erase_if(
      known_, [&](const auto& known) { return !files.contains(known.first); });
  std::erase_if(clashes_,
                [&](const auto& name) { return !files.contains(name); });
  std::erase_if(releases, [&](const auto& served) {
    if (files.contains(served.first)) return false;
    changes.push_back({Change::kGone, Text("no longer serving '", served.first,
                                           "': its file is gone")});
    return true;
  });
  for (const auto& [name, paths] : files) {
    const fs::path* const path = Choose(name, paths, changes);
    if (path != nullptr) LoadOne(name, *path, releases, changes);
  }
  if (!changes.empty()) {
    const std::lock_guard lock(mutex_);
    releases_ = std::make_shared<const Releases>(std::move(releases));
  }
  return changes;
}

void Catalogue::ReadAllAgain() {
  const std::lock_guard refreshing(refreshing_);
  for (auto& [name, known] : known_) {
    known.stamp.reset();
    known.failure.clear();
  }
  failure_.clear();
}

std::shared_ptr<const Catalogue::Releases> Catalogue::Snapshot() const {
  const std::lock_guard lock(mutex_);
  return releases_;
}

}  // namespace cloak
