#include "cloak/release/file_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "cloak/base/error.h"
#include "tests/testing/small_release.h"

namespace cloak {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

std::string Valid() { return ReleaseToJson(Release(SmallContent())); }

// What the file would be had its writer meant this: the checksum is mended.
std::string Forge(const std::function<void(Json&)>& change) {
  Json json = Json::parse(Valid());
  change(json);
  json["checksum"] = "sha256:" + std::string(64, '0');
  std::string text = json.dump();
  unsigned char hash[32];
  crypto_hash_sha256(hash, reinterpret_cast<const unsigned char*>(text.data()),
                     text.size());
  char hex[65];
  sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
  const size_t place = text.find("sha256:") + 7;
  return text.replace(place, 64, hex);
}

std::string ErrorOf(const std::string& text) {
  try {
    ReleaseFromJson(text, "x.cloak");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(FileFormatTest, WritingAndReadingGivesTheSameFileAndPredictions) {
  const Release release(SmallContent());
  const std::string text = ReleaseToJson(release);
  const Release back = ReleaseFromJson(text, "x.cloak");
  EXPECT_EQ(ReleaseToJson(back), text);
  const Matrix X = Vector::LinSpaced(9, -3, 14);
  EXPECT_EQ(release.Predict(X, {}, Threads(1)).mean,
            back.Predict(X, {}, Threads(1)).mean);
  EXPECT_EQ(release.Predict(X, {}, Threads(1)).sd,
            back.Predict(X, {}, Threads(1)).sd);
}

TEST(FileFormatTest, UnitsAreWrittenAndReadWhereThereAreAny) {
  EXPECT_FALSE(Json::parse(Valid())["privacy"].contains("unit"));
  ReleaseContent content = SmallContent();
  content.privacy.unit = "person";
  content.privacy.units = 80;
  const Release back =
      ReleaseFromJson(ReleaseToJson(Release(content)), "x.cloak");
  EXPECT_EQ(back.content().privacy.unit, "person");
  EXPECT_EQ(back.content().privacy.units, 80);
  // Half of it, or what cannot be, is refused.
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["privacy"]["unit"] = "person"; })),
      HasSubstr("privacy.units"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) { json["privacy"]["units"] = 80; })),
              HasSubstr("privacy.unit"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["privacy"]["unit"] = "";
                json["privacy"]["units"] = 0;
              })),
              HasSubstr("privacy.unit"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["privacy"]["unit"] = "person";
                json["privacy"]["units"] = -1;
              })),
              HasSubstr("number of units"));
}

TEST(FileFormatTest, AFileCutShortAnywhereSaysSo) {
  const std::string text = Valid();
  for (const double part : {0.0, 0.01, 0.3, 0.9, 0.999}) {
    const auto size =
        static_cast<size_t>(part * static_cast<double>(text.size() - 3));
    EXPECT_THAT(ErrorOf(text.substr(0, size)), HasSubstr("cut short")) << size;
  }
}

TEST(FileFormatTest, AnyAlteredByteIsNoticed) {
  const std::string text = Valid();
  std::mt19937 generator(1);
  for (int attempt = 0; attempt < 500; ++attempt) {
    std::string altered = text;
    char& byte = altered[generator() % altered.size()];
    const char old = byte;
    byte = static_cast<char>(generator() % 96 + 32);
    if (byte == old) continue;
    EXPECT_NE(ErrorOf(altered), "") << altered;
  }
  std::string altered = text;
  altered.replace(altered.find("\"delta\":0.001"), 13, "\"delta\":0.0001");
  EXPECT_THAT(ErrorOf(altered), HasSubstr("altered"));
}

TEST(FileFormatTest, ANewerVersionAsksForAnUpdate) {
  EXPECT_THAT(ErrorOf(Forge([](Json& json) { json["version"] = 3; })),
              HasSubstr("newer"));
}

TEST(FileFormatTest, SomethingElseIsNotARelease) {
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("not a Cloak release"));
  EXPECT_THAT(ErrorOf("[1, 2]"), HasSubstr("not a Cloak release"));
  EXPECT_THAT(ErrorOf("age,height\n1,2\n"), HasSubstr("not JSON"));
  EXPECT_THAT(ErrorOf(std::string(100000, '[')), HasSubstr("nested"));
}

TEST(FileFormatTest, AForgedFileThatIsUntouchedReads) {
  EXPECT_EQ(ErrorOf(Forge([](Json&) {})), "");
}

TEST(FileFormatTest, SizesThatLieAreRefused) {
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"][0]["mean"].push_back(1.0);
              })),
              HasSubstr("basis points"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"][0]["explained"][1] = Json::array({1.0});
              })),
              HasSubstr("posteriors[0].explained[1]"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["basis_points"][2] = Json::array({1.0, 2.0});
              })),
              HasSubstr("basis_points[2]"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"] = Json::array();
                json["basis_points"] = Json::array();
                for (int i = 0; i < 2001; ++i) {
                  json["basis_points"].push_back({static_cast<double>(i)});
                }
              })),
              HasSubstr("basis points"));
}

TEST(FileFormatTest, WrongTypesAndNumbersNameTheField) {
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["privacy"]["epsilon"] = "much"; })),
      HasSubstr("privacy.epsilon"));
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["privacy"].erase("delta"); })),
      HasSubstr("privacy.delta"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["privacy"]["rows"] = uint64_t{18446744073709551615U};
              })),
              HasSubstr("privacy.rows"));
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["posteriors"][0]["weight"] = 0.5; })),
      HasSubstr("weights"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["posteriors"][0]["kernel"] = "magic(3)";
              })),
              HasSubstr("magic"));
  EXPECT_THAT(
      ErrorOf(Forge([](Json& json) { json["posteriors"][0]["jitter"] = -5; })),
      HasSubstr("jitter"));
  EXPECT_THAT(ErrorOf(Forge([](Json& json) {
                json["basis_points"][1][0] = 1e-5;
                json["posteriors"][0]["jitter"] = 1e-12;
                json["posteriors"][0]["mean"][0] = 1e308;
                json["posteriors"][0]["mean"][1] = -1e308;
              })),
              HasSubstr("too large"));
}

TEST(FileFormatTest, EveryMessageNamesTheFile) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("'x.cloak'"));
}

}  // namespace
}  // namespace cloak
