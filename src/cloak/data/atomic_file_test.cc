#include "cloak/data/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

#include "cloak/base/error.h"

namespace cloak {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "cloak-test-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(directory_); }

  static std::string Content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t FilesLeft() const {
    const fs::directory_iterator files(directory_);
    return std::distance(begin(files), end(files));
  }

  fs::path directory_;
};

TEST_F(AtomicFileTest, TheFileHoldsExactlyTheBytes) {
  const std::string bytes("a\0b\r\n", 5);
  WriteFileAtomically(directory_ / "x", bytes);
  EXPECT_EQ(Content(directory_ / "x"), bytes);
  WriteFileAtomically(directory_ / "x", "");
  EXPECT_EQ(Content(directory_ / "x"), "");
  EXPECT_EQ(FilesLeft(), 1);
}

TEST_F(AtomicFileTest, TheModeFollowsTheUmask) {
  const mode_t before = umask(0027);
  WriteFileAtomically(directory_ / "x", "bytes");
  umask(before);
  struct stat status = {};
  ASSERT_EQ(stat((directory_ / "x").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640);
}

TEST_F(AtomicFileTest, ANameWithoutADirectoryIsInTheWorkingDirectory) {
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  WriteFileAtomically("x", "bytes");
  fs::current_path(before);
  EXPECT_EQ(Content(directory_ / "x"), "bytes");
}

TEST_F(AtomicFileTest, ALinkIsFollowed) {
  WriteFileAtomically(directory_ / "x", "old");
  fs::create_symlink("x", directory_ / "link");
  WriteFileAtomically(directory_ / "link", "new");
  EXPECT_EQ(Content(directory_ / "x"), "new");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
}

TEST_F(AtomicFileTest, ADirectoryIsNotReplaced) {
  EXPECT_THAT(
      [&] { WriteFileAtomically(directory_, "bytes"); },
      ThrowsMessage<InvalidInput>("cannot write '" + directory_.string() +
                                  "': Is a directory"));
}

TEST_F(AtomicFileTest, AMissingDirectoryIsNamed) {
  EXPECT_THAT([&] { WriteFileAtomically(directory_ / "no" / "x", "bytes"); },
              ThrowsMessage<InvalidInput>(
                  HasSubstr("/no/x': No such file or directory")));
}

TEST_F(AtomicFileTest, AnUnwritableDirectoryIsNamed) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  fs::permissions(directory_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT([&] { WriteFileAtomically(directory_ / "x", "bytes"); },
              ThrowsMessage<InvalidInput>(HasSubstr("Permission denied")));
  fs::permissions(directory_, fs::perms::owner_all);
}

TEST_F(AtomicFileTest, AFullDeviceIsReportedAndStaysADevice) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_THAT([] { WriteFileAtomically("/dev/full", "bytes"); },
              ThrowsMessage<InvalidInput>(
                  "cannot write '/dev/full': No space left on device"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFileTest, AFailedWriteLeavesTheOldFileAndNothingElse) {
  WriteFileAtomically(directory_ / "x", "old");
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THAT(
      [&] { WriteFileAtomically(directory_ / "x", std::string(2000, 'b')); },
      ThrowsMessage<InvalidInput>(HasSubstr("/x': File too large")));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(Content(directory_ / "x"), "old");
  EXPECT_EQ(FilesLeft(), 1);
}

}  // namespace
}  // namespace cloak
