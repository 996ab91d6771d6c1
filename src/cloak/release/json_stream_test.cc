#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cloak/base/error.h"
#include "cloak/base/text.h"
#include "cloak/release/file_format.h"
#include "cloak/release/known_fields.h"
#include "tests/testing/small_release.h"

namespace cloak {
namespace {

using testing::HasSubstr;

// As whoever wrote this text would have sealed it.
std::string SealedText(std::string text) {
  const size_t place = text.find("sha256:") + 7;
  text.replace(place, 64, std::string(64, '0'));
  unsigned char hash[32];
  crypto_hash_sha256(hash, reinterpret_cast<const unsigned char*>(text.data()),
                     text.size());
  char hex[65];
  sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
  return text.replace(place, 64, hex);
}

// A release with one more field: behind all others, before all others, and in
// an object.
std::vector<std::string> WithField(const std::string& field) {
  const std::string valid = ReleaseToJson(Release(SmallContent()));
  const std::string inner = "\"protect\"";
  std::string in_object = valid;
  in_object.insert(in_object.find(inner), field + ",");
  return {SealedText(valid.substr(0, valid.rfind('}')) + "," + field + "}"),
          SealedText("{" + field + "," + valid.substr(1)),
          SealedText(in_object)};
}

std::string RefusalOf(const std::string& text) {
  try {
    ReleaseFromJson(text, "x.cloak");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(JsonStreamTest, AFieldThatIsNotKnownIsPassedOverWhateverIsInIt) {
  const std::string many(1'200'000, '0');
  std::string lists;
  for (int i = 0; i < 50'000; ++i) lists += "[],{}, 1 ,\"]\\\"\",";
  for (const std::string& value :
       {std::string("1"), std::string("-1.5e9"), std::string("null"),
        std::string("true"), std::string(R"("a \" b \\")"),
        std::string(R"("]}[{")"), std::string(R"({"format": "other"})"),
        std::string(R"([[], {}, [{"a": "\\\"]"}], "\\"])"), "1" + many,
        "\"" + many + "\"", "[" + lists + "0]"}) {
    for (const std::string name : {"\"x\":", "\"\\\"\" \n : \t"}) {
      for (const std::string& text : WithField(name + value)) {
        EXPECT_EQ(RefusalOf(text), "") << value.substr(0, 100);
      }
    }
  }
}

TEST(JsonStreamTest, AFieldThatIsNotKnownStillHasToEnd) {
  for (const std::string value : {"", "\"x\"e5", "[1, 2", "[1, 2}",
                                  "{\"a\": [}", "\"text", "\"text\\", "]"}) {
    const std::vector<std::string> texts = WithField("\"x\": " + value);
    for (const std::string& text : texts) {
      EXPECT_NE(RefusalOf(text), "") << value;
    }
    EXPECT_NE(RefusalOf(texts[0].substr(0, texts[0].size() - 1)), "") << value;
  }
  EXPECT_THAT(RefusalOf(WithField("\"x\": [[[[[[[[[]]]]]]]]]")[0]),
              HasSubstr("nested"));
}

TEST(JsonStreamTest, TheChecksumCountsWhereverItStands) {
  // The file is read in pieces of 64 KiB, and the digits may be in two.
  const std::string valid = ReleaseToJson(Release(SmallContent()));
  for (size_t blanks = 65'300; blanks < 65'600; blanks += 7) {
    const std::string text =
        SealedText("{" + std::string(blanks, ' ') + valid.substr(1));
    EXPECT_EQ(RefusalOf(text), "") << blanks;
    std::string altered = text;
    altered[1] = '\n';
    EXPECT_THAT(RefusalOf(altered), HasSubstr("altered")) << blanks;
  }
}

TEST(JsonStreamTest, WhatNoReleaseCanNeedIsRefused) {
  const std::string valid = ReleaseToJson(Release(SmallContent()));
  const auto with = [&valid](const std::string& name,
                             const std::string& value) {
    std::string text = valid;
    const size_t place = text.find(name + "\":") + name.size() + 2;
    return text.insert(place, value + ",\"y\":");
  };
  std::string numbers = "[0";
  for (int i = 0; i < 30'000; ++i) numbers += ",0";
  EXPECT_THAT(RefusalOf(with("mean", numbers + "]")),
              HasSubstr("'posteriors[].mean' must have at most 25000 items"));
  const std::string megabytes = "\"" + std::string(2 << 20, 'a') + "\"";
  EXPECT_THAT(RefusalOf(with("output", megabytes)), HasSubstr("longer"));
  std::string texts = "[\"\"";
  for (int i = 0; i < 40; ++i) {
    texts += ",\"" + std::string(1'000'000, 'a') + "\"";
  }
  EXPECT_THAT(RefusalOf(with("output", texts + "]")),
              HasSubstr("bytes of text"));
  std::string row = "[0";
  for (int i = 0; i < 24'000; ++i) row += ",0";
  row += "]";
  std::string rows = "[" + row;
  for (int i = 0; i < 1'500; ++i) rows += "," + row;
  EXPECT_THAT(RefusalOf(with("mean", rows + "]")), HasSubstr("more numbers"));
}

TEST(JsonStreamTest, AFieldThatIsThereTwiceIsRefused) {
  const std::vector<std::string> texts = WithField("\"task\": \"regression\"");
  EXPECT_THAT(RefusalOf(texts[0]), HasSubstr("'task' twice"));
  EXPECT_THAT(RefusalOf(texts[1]), HasSubstr("'task' twice"));
  // In another object it is another field, which nobody knows.
  EXPECT_EQ(RefusalOf(texts[2]), "");
}

// The paths to all fields of a file, as known_fields.h writes them.
void AddFields(const nlohmann::json& json, const std::string& path,
               std::set<std::string>& fields) {
  if (json.is_array()) {
    for (const auto& item : json) AddFields(item, path + "[]", fields);
  }
  if (!json.is_object()) return;
  for (const auto& [name, value] : json.items()) {
    const std::string field = path.empty() ? name : Text(path, ".", name);
    fields.insert(field);
    AddFields(value, field, fields);
  }
}

// The parser takes a zero byte for the end of what it reads: what comes after
// it would be in no checksum, beyond what was read ahead.
TEST(JsonStreamTest, NothingMayFollowTheEnd) {
  constexpr size_t kReadAhead = 65536;
  std::string text = ReleaseToJson(Release(SmallContent()));
  text += '\0';
  text += std::string(200'000, 'x');
  EXPECT_THAT(RefusalOf(SealedText(text.substr(0, kReadAhead)) +
                        text.substr(kReadAhead)),
              HasSubstr("after its end"));
}

// Numbers beside a text take more room than numbers alone.
TEST(JsonStreamTest, ListsThatAreNotOfNumbersAloneCountAsSuch) {
  std::string list = "[";
  for (int i = 0; i < 24'990; ++i) list += "1,";
  list += "\"a\"],";
  std::string lists;
  for (int i = 0; i < 45; ++i) lists += list;
  const std::string valid = ReleaseToJson(Release(SmallContent()));
  const std::string place = "\"basis_points\": [";
  std::string text = valid;
  text.insert(text.find(place) + place.size(), lists);
  EXPECT_THAT(RefusalOf(SealedText(text)),
              HasSubstr("more texts, lists and objects"));
}

TEST(JsonStreamTest, EveryFieldThatIsWrittenIsKnown) {
  ReleaseContent projected = SmallContent();
  projected.projection = {Vector::Zero(1), Matrix::Ones(1, 1)};
  projected.statistic.cost = {"sums", NoiseKind::kGaussian, 1, 1, 1};
  projected.earlier_statistics.push_back(projected.statistic);
  projected.earlier_statistics.front().cost->with_next = true;
  projected.privacy.event = "gaussian(mu=1)";
  ReleaseContent pure = SmallContent();
  pure.statistic.cost = {"sums", NoiseKind::kLaplace, 1, 1, 1};
  pure.earlier_statistics.push_back(pure.statistic);
  projected.privacy.unit = "person";
  projected.privacy.units = 10;
  ReleaseContent anew = SiteContent();
  anew.inferred_anew = true;
  ReleaseContent compact = SmallContent();
  compact.no_sites = "left out";
  std::vector<ReleaseContent> contents = {projected, pure, anew, compact};
  for (const TaskKind task : AllOf<TaskKind>()) {
    contents.push_back(SmallContentOf(task));
  }
  std::set<std::string> written;
  for (const ReleaseContent& content : contents) {
    AddFields(nlohmann::json::parse(ReleaseToJson(Release(content))), "",
              written);
  }
  for (const std::string& field : written) {
    EXPECT_EQ(std::count(kKnownFields.begin(), kKnownFields.end(), field), 1)
        << field;
  }
  // The last statistic has none after it, and a file that says so is refused.
  written.insert("statistic.with_next");
  // Only files before version 5 have these.
  written.insert({"posteriors[].explained", "posteriors[].noise"});
  EXPECT_EQ(written.size(), kKnownFields.size());
}

}  // namespace
}  // namespace cloak
