#include "apps/server/request_reader.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "cloak/base/text.h"

namespace cloak {
namespace {

using Outcome = RequestReader::Outcome;

constexpr RequestReader::Limits kReaderLimits = {.header_bytes = 200,
                                                 .body_bytes = 100};

void AddBytes(std::string_view bytes, RequestReader& reader) {
  while (!bytes.empty()) {
    const auto space = reader.Space();
    const size_t count = std::min(bytes.size(), space.size());
    std::memcpy(space.data(), bytes.data(), count);
    reader.Add(count);
    bytes.remove_prefix(count);
  }
}

Outcome ReadAtOnce(std::string_view bytes) {
  RequestReader reader(kReaderLimits);
  AddBytes(bytes, reader);
  reader.Begin();
  Outcome outcome = reader.Read();
  if (outcome == Outcome::kHead) outcome = reader.Read();
  return outcome;
}

TEST(RequestReaderTest, ReadsTheSameFromSingleBytes) {
  const std::string text =
      "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello";
  RequestReader reader(kReaderLimits);
  reader.Begin();
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    AddBytes(text.substr(i, 1), reader);
    Outcome outcome = reader.Read();
    if (outcome == Outcome::kHead) {
      EXPECT_EQ(ToRequest(reader.head()).target, "/a");
      EXPECT_FALSE(reader.HasWholeBody());
      outcome = reader.Read();
    }
    ASSERT_EQ(outcome, Outcome::kIncomplete) << i;
  }
  AddBytes("o", reader);
  ASSERT_EQ(reader.Read(), Outcome::kRequest);
  EXPECT_TRUE(reader.keep_alive());
  EXPECT_EQ(reader.TakeBody(), "hello");
}

TEST(RequestReaderTest, KeepsTheNextRequestForLater) {
  RequestReader reader(kReaderLimits);
  AddBytes(
      "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
      "\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n\r\n",
      reader);
  for (const char* const target : {"/a", "/b"}) {
    ASSERT_TRUE(reader.SkipEmptyLines());
    reader.Begin();
    ASSERT_EQ(reader.Read(), Outcome::kHead);
    EXPECT_EQ(ToRequest(reader.head()).target, target);
    EXPECT_TRUE(reader.HasWholeBody());
    ASSERT_EQ(reader.Read(), Outcome::kRequest);
    reader.End();
  }
  EXPECT_FALSE(reader.SkipEmptyLines());
}

TEST(RequestReaderTest, RefusesWhatIsLongerThanItsLimits) {
  const std::string head = "POST /a HTTP/1.1\r\nHost: h\r\n";
  EXPECT_EQ(ReadAtOnce(Text(head, "Content-Length: 100\r\n\r\n",
                            std::string(100, 'x'))),
            Outcome::kRequest);
  EXPECT_EQ(ReadAtOnce(Text(head, "Content-Length: 101\r\n\r\n")),
            Outcome::kRefused);
  EXPECT_EQ(ReadAtOnce(Text(head, "Name: ", std::string(200, 'x'))),
            Outcome::kRefused);
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(ReadAtOnce(Text(chunked, "2\r\nhi\r\n0\r\n\r\n")),
            Outcome::kRequest);
  // The announcement of a piece, which is no part of the body.
  EXPECT_EQ(ReadAtOnce(Text(chunked, "2;", std::string(300, 'x'))),
            Outcome::kRefused);
}

TEST(RequestReaderTest, SaysWhyItRefuses) {
  RequestReader reader(kReaderLimits);
  AddBytes("EHLO h\r\n\r\n", reader);
  reader.Begin();
  ASSERT_EQ(reader.Read(), Outcome::kRefused);
  EXPECT_EQ(reader.refusal().status(), 400);
}

}  // namespace
}  // namespace cloak
