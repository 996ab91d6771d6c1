#include "apps/cli/access_log.h"

#include <gmock/gmock.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>

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
