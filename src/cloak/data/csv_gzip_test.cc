#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "cloak/base/error.h"
#include "cloak/data/csv.h"
#include "cloak/data/gzip.h"

namespace cloak {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string Gzip(std::string plain) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string compressed(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_out = static_cast<uInt>(compressed.size());
  deflate(&stream, Z_FINISH);
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  return compressed;
}

std::string Rows(int count) {
  std::string bytes = "a\n";
  for (int i = 0; i < count; ++i) bytes += std::to_string(i) + "\n";
  return bytes;
}

TEST(CsvGzipTest, ACompressedFileReadsLikeItsContent) {
  const Table table =
      ParseCsv(Gzip(Rows(200000)), "f.csv.gz", {.numeric = {"a"}});
  EXPECT_EQ(table.Numeric({"a"}), Vector::LinSpaced(200000, 0, 199999));
}

TEST(CsvGzipTest, MembersOneAfterAnotherAreJoined) {
  const std::string padding(5, '\0');
  EXPECT_EQ(Gunzip(Gzip("a\n1\n") + Gzip("") + Gzip("2\n") + padding, "f", 100),
            "a\n1\n2\n");
}

TEST(CsvGzipTest, AFileCutShortAnywhereIsRefused) {
  const std::string whole = Gzip(Rows(100));
  for (size_t size = 2; size < whole.size(); ++size) {
    EXPECT_THAT([&] { ParseCsv(whole.substr(0, size), "f.csv.gz", {}); },
                ThrowsMessage<InvalidInput>(
                    HasSubstr("'f.csv.gz' is a gzip file cut short")));
  }
}

TEST(CsvGzipTest, ACorruptFileIsRefused) {
  std::string bytes = Gzip(Rows(100));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  EXPECT_THROW(ParseCsv(bytes, "f.csv.gz", {}), InvalidInput);
  EXPECT_THAT([] { Gunzip("\x1f\x8bnonsense", "f.csv.gz", 100); },
              ThrowsMessage<InvalidInput>(
                  HasSubstr("'f.csv.gz' is a corrupt gzip file")));
  EXPECT_THAT([] { Gunzip(Gzip("a\n1\n") + "more", "f.csv.gz", 100); },
              ThrowsMessage<InvalidInput>(HasSubstr("bytes after the end")));
}

TEST(CsvGzipTest, AFileThatSwellsBeyondTheLimitIsRefused) {
  const std::string bomb = Gzip(std::string(1 << 24, 'a'));
  EXPECT_THAT([&] { ParseCsv(bomb, "f.csv.gz", {.max_bytes = 1 << 20}); },
              ThrowsMessage<InvalidInput>(HasSubstr(
                  "'f.csv.gz' decompresses to more than 1048576 bytes")));
  EXPECT_EQ(Gunzip(bomb, "f", 1 << 24).size(), 1 << 24);
}

}  // namespace
}  // namespace cloak
