#include "apps/server/access_log.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <thread>

#include "cloak/base/text.h"

namespace cloak {
namespace {

using testing::HasSubstr;
using testing::Not;

// Takes nothing until it is let go, like a pipe that nobody reads.
class StuckBuffer : public std::stringbuf {
 public:
  void LetGo() {
    free_ = true;
    free_.notify_all();
  }

 protected:
  int sync() override {
    free_.wait(false);
    return 0;
  }

 private:
  std::atomic<bool> free_ = false;
};

TEST(AccessLogTest, NeverWaitsForItsReaderAndSaysWhatItLeftOut) {
  StuckBuffer buffer;
  std::ostream out(&buffer);
  {
    AccessLog log(out, {.most_pending_bytes = 2000});
    // More than fits; none of these calls may block.
    for (int i = 0; i < 1000; ++i) log.Note(Text("line ", i));
    buffer.LetGo();
  }
  const std::string text = buffer.str();
  EXPECT_THAT(text, HasSubstr("\"line 0\""));
  EXPECT_THAT(text, Not(HasSubstr("\"line 999\"")));
  EXPECT_THAT(text, HasSubstr(" lines were left out of this log"));
  for (const std::string& line : Split(text, '\n')) {
    EXPECT_TRUE(line.empty() || nlohmann::json::accept(line)) << line;
  }
}

// Fails as a full disk does, until there is room again.
class FullBuffer : public std::stringbuf {
 public:
  void MakeRoom() { full_ = false; }
  int failures() const { return failures_; }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    if (!full_) return std::stringbuf::xsputn(text, size);
    ++failures_;
    return 0;
  }

 private:
  std::atomic<bool> full_ = true;
  std::atomic<int> failures_ = 0;
};

TEST(AccessLogTest, GoesOnWhenItCanBeWrittenAgain) {
  FullBuffer buffer;
  std::ostream out(&buffer);
  {
    AccessLog log(out, {});
    log.Note("lost");
    for (int i = 0; i < 1000 && buffer.failures() == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_GT(buffer.failures(), 0);
    buffer.MakeRoom();
    log.Note("written");
  }
  EXPECT_TRUE(out.good());
  EXPECT_THAT(buffer.str(), HasSubstr("\"written\""));
  EXPECT_THAT(buffer.str(), HasSubstr("1 lines are missing in this log"));
}

TEST(AccessLogTest, EscapesWhatAClientWrote) {
  std::ostringstream out;
  {
    AccessLog log(out, {.queries = true});
    log.Record({.target = "/\"\n\xff", .body = "{\"rows\": 1}\0x"}, {},
               "127.0.0.1", 0.001);
  }
  const auto line = nlohmann::json::parse(out.str());
  EXPECT_EQ(line["body"], "{\"rows\": 1}");
  EXPECT_EQ(line["route"], "none");
  EXPECT_THAT(line["target"].get<std::string>(), HasSubstr("\"\n"));
}

}  // namespace
}  // namespace cloak
