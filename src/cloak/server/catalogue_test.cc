// Files that appear, change, clash and go while they are served.
#include "cloak/server/catalogue.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "cloak/base/error.h"
#include "tests/testing/api_fixture.h"

namespace cloak {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TEST_F(ApiTest, ServesFilesThatAppearChangeAndGo) {
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(0));
  Write("new.cloak", SmallContent());
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(1));
  EXPECT_EQ(Get("/api/v1/releases/new").status, 200);

  ReleaseContent changed = SmallContent();
  changed.output = "a longer name than before";
  Write("new.cloak", changed);
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(1));
  EXPECT_THAT(Get("/api/v1/releases/new").body, HasSubstr("a longer name"));

  // Half a file: what was served stays, and it is said once.
  std::ofstream(directory_ / "new.cloak") << "{\"half\":";
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(1));
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(0));
  EXPECT_THAT(Get("/api/v1/releases/new").body, HasSubstr("a longer name"));

  std::filesystem::remove(directory_ / "new.cloak");
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(1));
  ExpectError(Get("/api/v1/releases/new"), 404, "unknown_release");
}

TEST_F(ApiTest, RefusesTwoFilesOfOneName) {
  std::filesystem::create_directory(directory_ / "other");
  std::filesystem::copy(directory_ / "heights.cloak", directory_ / "other");
  EXPECT_THROW(Catalogue({directory_, directory_ / "other"}), InvalidInput);
  EXPECT_THROW(Catalogue({directory_ / "missing"}), InvalidInput);
  EXPECT_THROW(Catalogue(std::vector<std::filesystem::path>()), InvalidInput);
}

TEST_F(ApiTest, NoticesAFileThatLooksAsItDid) {
  using std::filesystem::last_write_time;
  const std::filesystem::path path = directory_ / "new.cloak";
  ReleaseContent content = SmallContent();
  content.output = "before";
  Write("new.cloak", content);
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(1));
  const auto written = last_write_time(path);
  // As long as the other, and with its time, as "cp -p" would leave it.
  content.output = "behind";
  Write("copy", content);
  last_write_time(directory_ / "copy", written);
  std::filesystem::rename(directory_ / "copy", path);
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(1));
  EXPECT_THAT(Get("/api/v1/releases/new").body, HasSubstr("behind"));
}

TEST_F(ApiTest, ServesAFileOnceItMayBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  using std::filesystem::perms;
  Write("new.cloak", SmallContent());
  permissions(directory_ / "new.cloak", perms::none);
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(1));
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(0));
  permissions(directory_ / "new.cloak", perms::owner_read);
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(1));
  EXPECT_EQ(Get("/api/v1/releases/new").status, 200);
}

TEST_F(ApiTest, TwoFilesOfOneNameStopNothingElse) {
  const std::filesystem::path other = directory_ / "other";
  std::filesystem::create_directory(other);
  Catalogue both({directory_, other});
  both.Refresh();
  std::filesystem::copy(directory_ / "maps.cloak", other / "heights.cloak");
  Write("new.cloak", SmallContent());
  const std::vector<Catalogue::Change> changes = both.Refresh();
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_THAT(changes[0].text, HasSubstr("both be served as 'heights'"));
  EXPECT_THAT(both.Refresh(), SizeIs(0));
  EXPECT_TRUE(both.Snapshot()->contains("new"));
  // The one that was served stays, until it is gone.
  const auto inputs = [&] {
    return both.Snapshot()->at("heights")->release.content().inputs.size();
  };
  EXPECT_EQ(inputs(), 1U);
  std::filesystem::remove(directory_ / "heights.cloak");
  EXPECT_THAT(both.Refresh(), SizeIs(1));
  EXPECT_EQ(inputs(), 2U);
}

TEST_F(ApiTest, PassesOverWhatIsNoFile) {
  ASSERT_EQ(mkfifo((directory_ / "pipe.cloak").c_str(), 0600), 0);
  std::filesystem::create_directory(directory_ / "directory.cloak");
  std::filesystem::create_symlink("nowhere", directory_ / "broken.cloak");
  std::filesystem::create_symlink("loop.cloak", directory_ / "loop.cloak");
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(0));
  std::filesystem::create_symlink("maps.cloak", directory_ / "link.cloak");
  EXPECT_THAT(catalogue_->Refresh(), SizeIs(1));
  EXPECT_EQ(Get("/api/v1/releases/link").status, 200);
  EXPECT_THROW(Catalogue({directory_ / "pipe.cloak"}), InvalidInput);
  // Three gigabytes of nothing.
  std::ofstream(directory_ / "huge.cloak") << "{";
  std::filesystem::resize_file(directory_ / "huge.cloak", 3'000'000'000);
  const std::vector<Catalogue::Change> changes = catalogue_->Refresh();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].kind, Catalogue::Change::kRefused);
}

TEST_F(ApiTest, ADirectoryThatIsGoneIsSaidAndItsReleasesStay) {
  EXPECT_EQ(json::parse(Get("/health").body)["status"], "ok");
  const std::filesystem::path moved = directory_.string() + "-moved";
  std::filesystem::rename(directory_, moved);
  const std::vector<Catalogue::Change> changes = catalogue_->Refresh();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_THAT(changes[0].text, HasSubstr("cannot read the directory"));
  const json health = json::parse(Get("/health").body);
  EXPECT_EQ(health["status"], "degraded");
  EXPECT_EQ(health["releases"], 6);
  EXPECT_THAT(health["problem"].get<std::string>(),
              Not(HasSubstr(directory_.string())));
  EXPECT_THAT(Get("/metrics").body, HasSubstr("cloak_degraded 1\n"));
  EXPECT_EQ(Get("/ready").status, 200);
  EXPECT_EQ(Get(kRelease).status, 200);
  std::filesystem::rename(moved, directory_);
  catalogue_->Refresh();
  EXPECT_EQ(json::parse(Get("/health").body)["status"], "ok");
}

TEST_F(ApiTest, IsReadyOnlyWithARelease) {
  EXPECT_EQ(Get("/ready").status, 200);
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    std::filesystem::remove(entry.path());
  }
  catalogue_->Refresh();
  ExpectError(Get("/ready"), 503, "not_ready");
  EXPECT_EQ(Get("/health").status, 200);
}

TEST_F(ApiTest, MetricsSayWhatTheProcessTakes) {
  for (const char* const name :
       {"process_resident_memory_bytes", "process_cpu_seconds_total",
        "process_open_fds", "process_threads"}) {
    EXPECT_THAT(Get("/metrics").body,
                testing::ContainsRegex(Text("\n", name, " [0-9.]*[1-9]")));
  }
}

}  // namespace
}  // namespace cloak
